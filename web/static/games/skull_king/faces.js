// The cards of Skull King.

import { words } from "../../words.js";

const FLAGS = { P: ["▲", "green"], C: ["■", "yellow"], M: ["◆", "purple"], J: ["☠", "black"] };
const PEOPLE = { ESC: "⚐", TIGRESS: "♛", SK: "☠", MERMAID: "♒", KRAKEN: "✺", WHALE: "◉", LOOT: "❖", PIRATE: "⚔" };
const PIRATES = ["rosie", "bendt", "rascal", "juanita", "harry"];

export function face(code) {
  const number = /^([PCMJ])(\d+)$/.exec(code);
  if (number) {
    const [sign, colour] = FLAGS[number[1]];
    return { top: number[2], sign, colour, label: `${words.cards.flags[number[1]]} ${number[2]}` };
  }
  const kind = code.split(":")[0];
  const label = words.cards.people[kind] || code;
  return { top: PEOPLE[kind] || "?", colour: kind.toLowerCase(), label, word: label };
}

export function deck(options) {
  const added = [["kraken", "KRAKEN"], ["whale", "WHALE"], ["loot", "LOOT"]].filter(([option]) => options[option]).map(([, code]) => code);
  const numbered = Object.keys(FLAGS).flatMap((flag) => Array.from({ length: 14 }, (_, i) => `${flag}${i + 1}`));
  return ["ESC", "TIGRESS", ...PIRATES.map((pirate) => `PIRATE:${pirate}`), "SK", "MERMAID", ...added, ...numbered];
}

export const lesson = [...deck({ kraken: true, whale: true, loot: true }), "back"];
