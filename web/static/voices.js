// Who said what about a call: in people's words.

import { name, names, say, words } from "./words.js";

const OF_DEVICE = { camera: "seen", vision: "seen", referee: "seen" };

export function who(origin) {
  const text = String(origin || "");
  if (text in OF_DEVICE) return words.sheets.seen;
  if (text.startsWith("player:")) return name(text.slice(7));
  if (text.startsWith("players:")) return names(text.slice(8).trim().split(", "));
  if (text.startsWith("referee:")) return words.sheets.the_referee;
  if (text.startsWith("phone:")) return say(words.sheets.phone, { name: text.slice(6) });
  return words.sheets[text] || text;
}

// Who corrected an entry and why, a sentence each.
export function corrected(entry) {
  return (entry.corrections || []).map(({ by, why, as }) => {
    const told = say(words.sheets.corrections[as || "amended"], { who: who(by) });
    return why ? `${told}: ${why}` : told;
  });
}

// How each appeal against an entry ended, a sentence each.
export const appealed = (entry) => (entry.appeals || []).map(({ by, why, outcome, decided_by: decider, costs_turn: cost }) => {
  const told = say(words.appeals.outcomes[outcome], { player: name(by), who: who(decider) });
  return [told, cost ? words.appeals.turn_lost : "", why ? `“${why}”` : ""].filter(Boolean).join(" ");
});

export const appealsLeft = (story, player) => ((story.appeals || {}).left || {})[player];
