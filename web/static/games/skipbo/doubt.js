// What people alone know of the die of Skip-Bo: what it shows where that could not be read, whether a discard is one of
// its two, and what a wild card lies on.

import { say, words } from "../../words.js";

export function doubt({ event, answers }) {
  if (event.face === null) return { word: "doubt_side", why: words.settle.why_side, label: ({ face }) => words.cards.faces[face] || "" };
  const byDie = answers.map((answer) => answer.event).find(({ die }) => die !== undefined);
  if (!byDie) return null;
  return event.event === "discard"
    ? { word: "doubt_die", why: words.settle.why_discard, label: ({ die, event: kind }) => (kind === "discard" ? (die ? words.settle.by_die : words.settle.ends_turn) : "") }
    : { word: "doubt_die", why: words.settle.why_wild, label: (answer) => (answer.event === "play" ? wildLabel(answer, byDie.die) : "") };
}

// The number that a wild card stands for; the die stands for the one before it.
function wildLabel({ die }, wanted) {
  return die === undefined ? say(words.settle.wild_as, { n: wanted }) : say(words.settle.wild_on_die, { n: (die % 12) + 1, die });
}
