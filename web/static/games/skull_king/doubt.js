// What people alone know at a table of Skull King: what the Tigress is played as.

import { capital, words } from "../../words.js";

export function doubt({ event }) {
  if (event.card !== "TIGRESS" || event.as) return null;
  return { word: "doubt_tigress", why: words.settle.why_tigress, label: (answer) => (answer.as ? capital(words.cards[answer.as]) : "") };
}
