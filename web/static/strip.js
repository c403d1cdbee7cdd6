// The strip: whose turn, what he goes for, how many shots; or what is wrong and how to mend it.

import { html, sign, svg } from "./dom.js";
import { capDisc, colours, initials } from "./board.js";
import { pageIn } from "./games.js";
import { me } from "./me.js";
import { name, names, say, words } from "./words.js";

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
    strip.className = trouble ? (isCalm(story, now) ? "calm" : "trouble") : "";
    told.replaceChildren(...(trouble ? message(trouble) : turn(story)));
    lights.replaceChildren(...lamps(signals));
    beside.hidden = !troubles.length;
    beside.replaceChildren(...troubles.map(({ who, message }) => html("span", {}, html("strong", {}, `${who}: `), message)));
    onTrouble(story && trouble ? trouble : [], troubles.map(({ who, message }) => `${who}: ${message}.`).join(" "));
  }

  return { show };
}

const isCalm = (story, now) => Boolean((now && now.doing) || (story && isAwaited(story)));

function troubleOf(story, now, connection, silent, silence) {
  const texts = words.strip;
  if (connection === "lost") return [texts.lost, say(texts.lost_more, { s: silent })];
  if (connection === "connecting" || !story) return [texts.connecting, ""];
  if (now && now.doing) return preparing(now.doing);
  if (isAwaited(story)) return called(story.match);
  if (!story.game || !story.state) return [texts.no_game, texts.no_game_more];
  if (now && now.t === 0) return [texts.no_camera, ""];
  if (silence) return [texts.silent, say(texts.silent_more, { s: silence })];
  if (now && now.trouble) return [texts.unwritten, texts.unwritten_more];
  const camera = (now && now.camera) || "ok";
  if (camera !== "ok" && `camera_${camera}` in texts) return [texts[`camera_${camera}`], texts[`camera_${camera}_more`]];
  if (story.state.phase === "paused") return [texts.paused, texts.paused_more];
  return null;
}

// A league has called a match here, and no other game is on.
export const isAwaited = (story) => Boolean(story.match) && (!story.state || story.state.phase === "over");

function called({ players, match, title, head_starts: starts = {} }) {
  const ahead = Object.entries(starts).map(([player, box]) => say(words.strip.head_start, { player: name(player), box }));
  return [names(players), [say(words.strip.match, { match, title }), ...ahead].join(" · ")];
}

// What is made ready before a game, and about how long that takes yet; two clocks may differ, so it never counts up.
function preparing({ what, begun, about_s: about }) {
  const left = Math.min(about, Math.round(begun + about - Date.now() / 1000));
  return [words.strip.preparing[what], left > 0 ? say(words.strip.ready_in, { s: left }) : words.strip.ready_soon];
}

// Whose turn it is, as it is read out.
export function turnTold(story) {
  const { state } = story;
  if (!state) return "";
  const page = pageIn(story);
  if (page.told) return page.told(story);
  const due = winnersOf(state).length ? [] : page.turnOf(state);
  const who = due.some((player) => me.seats.includes(player)) ? words.strip.yours : names(due);
  return due.length ? say(words.voice.turn, { player: who, what: page.doing(state) }) : "";
}

export const winnersOf = (state) => (state.phase === "over" ? state.winners || (state.winner ? [state.winner] : []) : []);

const message = ([first, more]) => [html("div", { class: "words" }, html("strong", {}, first), html("span", {}, more))];

// Several may be due at once.
function turn(story) {
  const { state } = story;
  const page = pageIn(story);
  const winners = winnersOf(state);
  if (page.turn && !winners.length) return page.turn(story);
  const due = winners.length ? winners : page.turnOf(state);
  if (!due.length) return message([words.strip.over, ""]);
  const isMine = !winners.length && due.some((player) => me.seats.includes(player));
  const title = winners.length ? say(words.strip.winner, { player: names(winners) }) : isMine ? words.strip.yours : due.length > 2 ? words.strip.several : names(due);
  const told = html("div", { class: "words" }, html("strong", {}, title), html("span", {}, winners.length ? "" : page.doing(state)));
  return [due.length === 1 ? disc(story, due[0], 52) : null, told].filter(Boolean);
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
