// Skully's boxes, targets and places as people say them.

import { parts } from "./targets.js";
import { say, words } from "../../words.js";

export function target(code) {
  const { box, way } = parts(code);
  if (way === "word") return say(words.targets.word, { word: words.spoken_words[code] });
  if (way === "killer") return words.targets.killer;
  if (way === "killer_round") return words.targets.killer_round;
  return say(way === "back" ? words.targets.back : words.targets.forward, { box });
}

const isSkull = (code) => String(code || "").startsWith("skull");

// A place by its bare name: a box's number, or the skull.
export const spot = (code) => (isSkull(code) && code !== "skull_line" ? words.places.skull : code);

export function place(code) {
  if (code === undefined || code === null) return "";
  const text = String(code);
  return text in words.places ? words.places[text] : say(words.places.in, { box: spot(text) });
}

// Where a cap came to rest, as an answer to tap.
export function reading(at) {
  if (at.endsWith("line")) return words.settle.was_line;
  if (at === "open") return words.settle.was_out;
  if (at === "off") return words.settle.was_off;
  return say(words.settle.was_in, { box: spot(at) });
}

export const boxName = (region) =>
  (/^skull[1-4]$/.test(region) ? say(words.sheets.skull_box, { box: region[5] }) : say(words.sheets.box, { box: region }));
