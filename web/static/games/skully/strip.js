// The strip of a game of Skully: what the player in turn goes for, and with which of his shots.

import { html, sign } from "../../dom.js";
import { me } from "../../me.js";
import { disc } from "../../strip.js";
import { name, say, words } from "../../words.js";
import { parts } from "./targets.js";
import { spot, target } from "./words.js";

export function turn(story) {
  const { state } = story;
  const player = (state.players || []).find((one) => one.name === state.turn);
  if (!player) return [html("div", { class: "words" }, html("strong", {}, words.strip.over))];
  const shots = state.shots ? say(words.strip.shot_next, { n: state.shots + 1 }) : "";
  const title = me.seats.includes(player.name) ? words.strip.yours : say(words.strip.turn, { player: name(player.name) });
  return [
    disc(story, player.name, 52),
    html("div", { class: "words" }, html("strong", {}, title), player.going_for ? html("span", {}, doing(state, player, shots)) : null),
    player.going_for ? goal(state, player) : null,
  ].filter(Boolean);
}

// Only to whoever's turn it is, since the call names the next one.
export function told(story) {
  const { state } = story;
  const player = (state.players || []).find((one) => one.name === state.turn && me.seats.includes(one.name));
  if (!player) return "";
  return say(words.voice.turn, { player: words.strip.yours, what: say(words.sheets.for_target, { target: target(player.going_for) }) });
}

function doing(state, player, shot) {
  const due = (state.awaiting || [])[0];
  if (due && due.what === "place") return words.strip.places;
  if (due && due.what === "choice") return `${name(due.player)} ${words.strip.chooses}`;
  const { way } = parts(player.going_for);
  const template = way === "word" ? words.strip.says : way === "killer" ? words.strip.as_killer : words.strip.goes_for;
  return say(template, { shot }).trim();
}

function goal(state, player) {
  const due = (state.awaiting || [])[0];
  if (due && due.what === "place") return html("span", { class: "goal" }, spot(due.box));
  const { box, way } = parts(player.going_for);
  if (way === "killer") return html("span", { class: "goal" }, sign("star"));
  if (way === "word") return html("span", { class: "goal word" }, words.spoken_words[player.going_for]);
  const below = way === "back" ? words.strip.going_back : way === "killer_round" ? words.strip.for_killer : "";
  return html("span", { class: "goal" }, box, below ? html("small", {}, below) : null);
}
