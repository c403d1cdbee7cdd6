// What people are asked of a card of Skull that could not be read: only whether it was a rose or a skull matters.

import { words } from "../../words.js";

export function doubt({ event }) {
  if (event.card !== null) return null;
  const label = ({ card }) => (card ? (/\d/.test(card) ? words.settle.a_rose : words.settle.a_skull) : "");
  return { word: "doubt_card", why: words.settle.why_card, label };
}
