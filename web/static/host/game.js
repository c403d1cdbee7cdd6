// A new game: which, who plays in which order, a preset or one option at a time, each with its one line.

import { capDisc, colours } from "../board.js";
import { html, redraw, svg } from "../dom.js";
import { giveAndClose } from "../giving.js";
import { openSheet } from "../sheets.js";
import { capital, name, say, words } from "../words.js";
import { isMat } from "./mat.js";
import { control, named, segment, stepper } from "./options.js";

const MOST_PLAYERS = 8;

export async function gameSheet(sheet, story) {
  const { games } = await (await fetch(`/games?lang=${words.language}`)).json();
  const last = story.game || {};
  const first = games.find((one) => one.needs_caps !== isMat(story)) || games[0];
  const chosen = { game: last.game || first.name, players: playersOf(story), options: { ...(last.options || {}) }, appeals: houseOf(story) };
  const known = [...new Set([...colours(story).keys(), ...playersOf(story)])];
  const draw = () => {
    const game = games.find((one) => one.name === chosen.game);
    openSheet(sheet, words.host.game, gamesRow(), players(), presets(game), options(game), appeals(), begin());
  };

  const gamesRow = () => html("div", { class: "segments", role: "group", "aria-label": words.host.which }, games.map((game) =>
    segment(game.short_title, game.name === chosen.game, () => {
      Object.assign(chosen, { game: game.name, options: {} });
      draw();
    })));

  // Tapped in the order of play; for cards anybody may be added by name.
  function players() {
    const chips = known.map((player) => {
      const seat = chosen.players.indexOf(player);
      const one = segment([token(story, player), `${name(player)} ${seat < 0 ? "" : seat + 1}`], seat >= 0, () => {
        if (seat >= 0) chosen.players.splice(seat, 1);
        else if (chosen.players.length < MOST_PLAYERS) chosen.players.push(player);
        draw();
      });
      return one;
    });
    const game = games.find((one) => one.name === chosen.game);
    return [html("h3", {}, words.host.players), html("div", { class: "segments" }, chips), headStarts(story, game), game.needs_caps ? null : add()];
  }

  function add() {
    const box = html("input", { "aria-label": words.host.add, placeholder: words.host.add, maxlength: "20" });
    const form = html("form", { class: "code small" }, box, html("button", { type: "submit" }, "+"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const player = box.value.trim();
      if (!player || known.includes(player)) return;
      known.push(player);
      chosen.players.push(player);
      draw();
    });
    return form;
  }

  const presets = (game) => [html("h3", {}, words.host.presets), html("div", { class: "steps" }, game.presets.map((preset) => {
    const isSame = game.options.every((one) => JSON.stringify(counted(one, preset.options)) === JSON.stringify(counted(one, chosen.options)));
    return html("button", { type: "button", class: `wide preset ${isSame ? "first" : ""}`, "aria-pressed": String(isSame), onclick: () => {
      chosen.options = { ...preset.options };
      draw();
    } }, html("strong", {}, named(preset.name)), html("small", {}, capital(preset.means)));
  }))];

  const options = (game) => html("details", {}, html("summary", {}, words.host.options), game.options.filter((one) => one.kind).map((one) => option(one)));

  function option(one) {
    const set = (next) => {
      if (next === null && one.default === null) delete chosen.options[one.name];
      else chosen.options[one.name] = next;
      draw();
    };
    const row = html("div", { class: "option", role: "group", "aria-label": named(one.name) });
    const draw = () => redraw(row, html("p", {}, html("strong", {}, named(one.name)), html("small", {}, capital(one.means))), control(one, counted(one, chosen.options), set, chosen.players));
    draw();
    return row;
  }

  // Who settles what is too close; how many appeals each has, and what a wrong one costs.
  function appeals() {
    const part = html("div");
    const set = (change) => {
      Object.assign(chosen.appeals, change);
      draw();
    };
    const group = (label, ...all) => html("div", { class: "segments", role: "group", "aria-label": label }, all);
    const draw = () => {
      const { each, wrong, settled_by: settledBy, people_first: peopleFirst } = chosen.appeals;
      const { prices, settlers, firsts } = words.appeals;
      const settled = [html("h3", {}, words.appeals.settled_by), group(words.appeals.settled_by, Object.keys(settlers).map((by) => segment(settlers[by], by === settledBy, () => set({ settled_by: by }))))];
      const first = [html("h3", {}, words.appeals.people_first), group(words.appeals.people_first, Object.keys(firsts).map((who) => segment(firsts[who], (who === "people") === peopleFirst, () => set({ people_first: who === "people" }))))];
      const costs = each ? group(words.appeals.price, Object.keys(prices).map((price) => segment(prices[price], price === wrong, () => set({ wrong: price })))) : null;
      const needsCaps = games.find((one) => one.name === chosen.game).needs_caps;
      redraw(part, needsCaps ? [settled, first] : null, html("h3", {}, words.appeals.house), stepper(each, 0, 9, (count) => set({ each: count })), costs);
    };
    draw();
    return part;
  }

  const begin = () => {
    const note = html("p", { class: "note", role: "status" });
    const go = html("button", { type: "button", class: "first wide go" }, words.host.begin);
    go.addEventListener("click", () => {
      const start = { event: "start", game: chosen.game, players: chosen.players, options: chosen.options };
      giveAndClose(sheet, note, { order: "new_game", start, appeals: chosen.appeals });
    });
    return html("div", { class: "going" }, note, go);
  };

  draw();
}

// What an option counts as: chosen by nobody it is as it is by default.
const counted = (one, options) => (one.name in options ? options[one.name] : one.default);

// Who begins further on in the match that a league has called here, where the game knows such a thing.
function headStarts({ match }, game) {
  const ahead = Object.entries((match && match.head_starts) || {}).map(([player, box]) => say(words.strip.head_start, { player: name(player), box }));
  return ahead.length ? html("p", { class: "quiet" }, game.has_head_starts ? ahead.join(" · ") : words.host.no_head_starts) : null;
}

// Those of the match that a league has called here; else those of the last game.
const playersOf = (story) => [...(story.match || story.game || {}).players || []];
const houseOf = ({ appeals }) => ({ each: 2, wrong: "appeal", settled_by: "two", people_first: false, ...withoutLeft(appeals || {}) });
const withoutLeft = ({ left, ...house }) => house;

function token(story, player) {
  const colour = colours(story).get(player) || "#8a9196";
  return svg("svg", { class: "token", viewBox: "-12 -12 24 24", width: 22, height: 22, "aria-hidden": "true" }, capDisc(colour, name(player)[0] || "?", 11));
}
