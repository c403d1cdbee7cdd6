// The rulings of Skully that are told, one short line each, with what it adds.

import { name, names, say, words } from "../../words.js";
import { parts } from "./targets.js";
import { place, spot, target } from "./words.js";

export function line(ruling) {
  const template = words.lines[lineKey(ruling)];
  if (!template) return "";
  return say(template, {
    ...ruling,
    player: name(ruling.player),
    victim: name(ruling.victim),
    players: names(ruling.players || []),
    box: ["placed", "box_awarded"].includes(ruling.code) ? spot(parts(ruling.box).box) : target(ruling.box),
    going_for: target(ruling.going_for),
    from: place(ruling.from).replace(say(words.places.in, { box: "" }), ""),
    at: spot(ruling.at),
    word: words.spoken_words[ruling.word] || ruling.word,
    kind: words.kinds[ruling.kind],
  });
}

function lineKey(ruling) {
  if (["box_made", "box_awarded", "word_made"].includes(ruling.code) && ruling.going_for) return `${ruling.code}_next`;
  if (ruling.code === "box_made") return `box_made_${ruling.by}`;
  if (ruling.code === "shoot_again" && ruling.going_for === "killer") return "shoot_again_killer";
  return ruling.code;
}

// That a turn is over is said by whose turn it is next, unless nothing else is said.
export const toldOf = (rulings) => joined(rulings.filter(({ code }) => code !== "turn_over" || rulings.length === 1));

// "makes 9" and "shoots again, for 10" are one line, or "stands in 12, goes for 13" after bonuses.
function joined(rulings) {
  const next = rulings.find((ruling) => ruling.code === "shoot_again" && ruling.going_for !== "killer");
  if (!next) return rulings;
  const awarded = rulings.find((ruling) => ruling.code === "box_awarded" && ruling.player === next.player);
  const isMade = (ruling) => (ruling.code === "box_made" && ruling.by === "shot") || ruling.code === "word_made";
  const made = rulings.find((ruling) => isMade(ruling) && ruling.player === next.player);
  const last = awarded || made;
  if (!last) return rulings;
  return rulings.filter((ruling) => ruling !== next).map((ruling) => (ruling === last ? { ...ruling, going_for: next.going_for } : ruling));
}

export function plus(ruling) {
  if (ruling.code === "box_made" && ruling.by === "shot") return "+1";
  if (ruling.code === "box_awarded" || !Number.isInteger(ruling.boxes) || ruling.boxes === 0) return "";
  return `+${ruling.boxes}`;
}

// A cap put into the box that the shot won says nothing new.
export function repeats({ event }, shot) {
  const wins = (ruling) => ruling.code === "box_awarded" && ruling.player === event.player;
  return event.event === "placed" && shot.rulings.some(wins);
}

// What a player goes for where that changes, else how many turns he sits out.
export function changed({ name: player, before, after }) {
  const texts = words.settle;
  if ("going_for" in after) return say(texts.goes_from, { player: name(player), before: target(before.going_for), after: target(after.going_for) });
  return "skip" in after ? say(texts.skips_from, { player: name(player), before: before.skip ?? 0, after: after.skip }) : "";
}
