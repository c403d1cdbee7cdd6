// Ordinary cards, and those of them that Skull is played with.

import { say, words } from "../../words.js";

const SUITS = { H: ["♥", "red"], D: ["♦", "red"], C: ["♣", "black"], S: ["♠", "black"] };
const NUMBERS = ["2", "3", "4", "5", "6", "7", "8", "9", "10"];

export function face(code) {
  const [sign, colour] = SUITS[code.slice(-1)] || ["?", "black"];
  const top = code.slice(0, -1);
  return { top, sign, colour, label: say(words.cards.of, { rank: words.cards.ranks[top] || top, suit: words.cards.suits[code.slice(-1)] }) };
}

export function deck(options) {
  if (options.ruleset === "small_shelf") return ["C", "D", "H", "S"].flatMap((suit) => [...NUMBERS, "K"].map((rank) => rank + suit));
  return [...["H", "D"].flatMap((suit) => NUMBERS.map((rank) => rank + suit)), ...["C", "S"].flatMap((suit) => ["J", "Q", "K"].map((rank) => rank + suit))];
}
