// The strip: whose turn, what he goes for, how many shots; or what is wrong and how to mend it. And all players.

import { html, redraw, sign, svg } from "./dom.js";
import { capDisc, colours, initials } from "./board.js";
import { doing as cardDoing, turnOf, winnersOf } from "./cards/turns.js";
import { me } from "./me.js";
import { name, names, parts, say, target, words } from "./words.js";
import { isStreet } from "./games.js";

const GREY = "#8a9196";

export function disc(story, player, size) {
  const players = [...colours(story).keys()];
  const known = players.length ? players : [player];
  const initial = initials(known).get(player) || name(player)[0] || "?";
  const picture = capDisc(colours(story).get(player) || GREY, initial, 11);
  return svg("svg", { class: "token", viewBox: "-12 -12 24 24", width: size, height: size, "aria-hidden": "true" }, picture);
}

export function makeStrip(strip, themeButton, onTrouble) {
  const told = html("div", { class: "told" });
  const beside = html("div", { class: "beside" });
  const lights = html("div", { class: "lamps", role: "group", "aria-label": words.page.lamps });
  let shown = "";
  strip.append(told, lights, themeButton, beside);

  function show({ story, now, connection, silent, silence }) {
    const trouble = troubleOf(story, now, connection, silent, silence);
    const signals = (now && now.signals) || {};
    const troubles = Object.values((story && story.troubles) || {});
    const key = JSON.stringify([trouble, signals, troubles, trouble ? null : [story.state, story.set_up && story.set_up.caps]]);
    if (key === shown) return;
    shown = key;
    strip.className = trouble ? "trouble" : "";
    told.replaceChildren(...(trouble ? message(trouble) : turn(story)));
    lights.replaceChildren(...lamps(signals));
    beside.hidden = !troubles.length;
    beside.replaceChildren(...troubles.map(({ who, message }) => html("span", {}, html("strong", {}, `${who}: `), message)));
    onTrouble(story && trouble ? trouble : [], troubles.map(({ who, message }) => `${who}: ${message}.`).join(" "));
  }

  return { show };
}

function troubleOf(story, now, connection, silent, silence) {
  const texts = words.strip;
  if (connection === "lost") return [texts.lost, say(texts.lost_more, { s: silent })];
  if (connection === "connecting" || !story) return [texts.connecting, ""];
  if (!story.game) return [texts.no_game, texts.no_game_more];
  if (now && now.t === 0) return [texts.no_camera, ""];
  if (silence) return [texts.silent, say(texts.silent_more, { s: silence })];
  if (now && now.trouble) return [texts.unwritten, texts.unwritten_more];
  const camera = (now && now.camera) || "ok";
  if (camera !== "ok" && `camera_${camera}` in texts) return [texts[`camera_${camera}`], texts[`camera_${camera}_more`]];
  if (story.state.phase === "paused") return [texts.paused, texts.paused_more];
  return null;
}

// Whose turn it is, as it is read out: in a street game only to whoever's it is, since the call names the next one.
export function turnTold(story) {
  const { state } = story;
  if (!state) return "";
  if (!isStreet(state.game)) {
    const due = winnersOf(state).length ? [] : turnOf(state);
    const who = due.some((player) => me.seats.includes(player)) ? words.strip.yours : names(due);
    return due.length ? say(words.voice.turn, { player: who, what: cardDoing(state) }) : "";
  }
  const player = (state.players || []).find((one) => one.name === state.turn && me.seats.includes(one.name));
  if (!player) return "";
  return say(words.voice.turn, { player: words.strip.yours, what: say(words.sheets.for_target, { target: target(player.going_for) }) });
}

const message = ([first, more]) => [html("div", { class: "words" }, html("strong", {}, first), html("span", {}, more))];

function turn(story) {
  const { state } = story;
  if (!isStreet(state.game)) return cardTurn(story);
  const who = state.turn || state.winner;
  if (!who) return message([words.strip.over, ""]);
  const player = (state.players || []).find((one) => one.name === who);
  const token = disc(story, who, 52);
  if (state.winner) {
    return [token, html("div", { class: "words" }, html("strong", {}, say(words.strip.winner, { player: name(who) })))];
  }
  const isOnHisWay = Boolean(player && player.going_for);
  const shots = say(words.strip.shot_next, { n: (state.shots || 0) + 1 });
  return [
    token,
    html("div", { class: "words" }, html("strong", {}, me.seats.includes(who) ? words.strip.yours : name(who)), isOnHisWay ? html("span", {}, doing(state, player, shots)) : null),
    isOnHisWay ? goal(state, player) : null,
  ].filter(Boolean);
}

// In card games several may be due at once.
function cardTurn(story) {
  const { state } = story;
  const winners = winnersOf(state);
  const due = winners.length ? winners : turnOf(state);
  if (!due.length) return message([words.strip.over, ""]);
  const isMine = !winners.length && due.some((player) => me.seats.includes(player));
  const title = winners.length ? say(words.strip.winner, { player: names(winners) }) : isMine ? words.strip.yours : due.length > 2 ? words.strip.several : names(due);
  const told = html("div", { class: "words" }, html("strong", {}, title), html("span", {}, winners.length ? "" : cardDoing(state)));
  return [due.length === 1 ? disc(story, due[0], 52) : null, told].filter(Boolean);
}

function doing(state, player, shot) {
  const due = (state.awaiting || [])[0];
  if (due && due.what === "place") return words.strip.places;
  if (due && due.what === "choice") return `${name(due.player)} ${words.strip.chooses}`;
  const { way } = parts(player.going_for);
  const template = way === "word" ? words.strip.says : way === "killer" ? words.strip.as_killer : words.strip.goes_for;
  return say(template, { shot });
}

function goal(state, player) {
  const due = (state.awaiting || [])[0];
  if (due && due.what === "place") return html("span", { class: "goal" }, due.box.startsWith("skull") ? words.places.skull : due.box);
  const { box, way } = parts(player.going_for);
  if (way === "killer") return html("span", { class: "goal" }, sign("star"));
  if (way === "word") return html("span", { class: "goal word" }, words.spoken_words[player.going_for]);
  const below = way === "back" ? words.strip.going_back : way === "killer_round" ? words.strip.for_killer : "";
  return html("span", { class: "goal" }, box, below ? html("small", {}, below) : null);
}

const LAMPS = [
  ["in", "good", "lamp_in"],
  ["on_line", "bad", "lamp_line"],
  ["too_close", "doubt", "lamp_close"],
  ["buzzer", "buzzer", "lamp_buzzer"],
];

// The lamps and the buzzer at the board, as they are now.
function lamps(signals) {
  return LAMPS.filter(([key]) => key in signals).map(([key, icon, label]) => {
    const isOn = Boolean(signals[key]) && signals[key] !== "off";
    const text = say(isOn ? words.page.is_on : words.page.is_off, { what: words.page[label] });
    return html("span", { class: `lamp ${key} ${isOn ? "lit" : ""}`, role: "img", "aria-label": text, title: text }, sign(icon));
  });
}

export function showPlayers(list, story, onPlayer) {
  const { state } = story;
  const players = (state && state.players) || [];
  redraw(list,
    players.map((player) => {
      const label = `${name(player.name)}, ${words.sheets.status[player.status] || ""}`;
      const classes = `${player.status || ""} ${state.turn === player.name ? "turn" : ""}`;
      const chip = html("button", { type: "button", class: classes, "aria-label": label, onclick: () => onPlayer(player.name) },
        disc(story, player.name, 26), progress(player));
      return html("li", {}, chip);
    }),
  );
}

function progress(player) {
  if (!player.going_for) return html("span", {}, name(player.name));
  const { box, way } = parts(player.going_for);
  if (["eliminated", "left"].includes(player.status)) return html("s", {}, "–");
  if (way === "killer" || player.status === "winner") return sign("star");
  if (way === "word") return html("span", {}, `★${player.going_for[1]}`);
  return html("span", {}, way === "forward" ? box : `${box}${way === "back" ? "↓" : "★"}`);
}
