// What a player goes for, or how he stands; and how far that is.

import { say, words } from "../../words.js";
import { PATH, parts } from "./targets.js";

const SAID = ["stuck", "eliminated", "left", "winner"]; // how one stands, when that says more than what he goes for

// As short as people say it.
export function standing({ status, going_for: code }) {
  const texts = words.scoreboard;
  if (SAID.includes(status)) return texts[status];
  if (!code) return "";
  const { box, way } = parts(code);
  if (way === "word") return say(texts.word, { word: words.spoken_words[code] });
  return say(texts[way], { box });
}

export const far = ({ going_for: code }) => PATH.indexOf(code);
