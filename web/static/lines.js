// The story of an entry line by line: one short line a ruling, with what it adds.

import { pageOf } from "./games.js";
import { capital, words } from "./words.js";

const SILENT = new Set(["turn_over"]);

// [{text, plus, rule, ruling}], in the order in which they add up.
export function lines(entry, game) {
  const page = pageOf(game);
  const rulings = entry.rulings || [];
  const told = rulings.filter((ruling) => !SILENT.has(ruling.code) || rulings.length === 1);
  return joined(told).map((ruling) => ({ text: capital(page.line(ruling) || ruling.text || ruling.code), plus: plus(ruling), rule: ruling.rule, heading: words.headings[ruling.rule] || ruling.rule, ruling }));
}

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

function plus(ruling) {
  if (ruling.code === "box_made" && ruling.by === "shot") return "+1";
  if (ruling.code === "box_awarded" || !Number.isInteger(ruling.boxes) || ruling.boxes === 0) return "";
  return `+${ruling.boxes}`;
}
