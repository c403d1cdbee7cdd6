// Who is how far: the order of a game's players, the best first. Pure.

import { winnersOf } from "./strip.js";

// [{players, score}] of sides or players, the best first: by points, where a game has none by how `far` each is.
export function ranked(state, far) {
  const won = winnersOf(state);
  const isWinner = (players) => players.some((player) => won.includes(player));
  const all = (state.sides || state.players.map((one) => ({ ...one, players: [one.name] })))
    .map((one) => ({ players: one.players, score: one.score ?? one.points ?? null, isWinner: isWinner(one.players), way: far(one), isIn: !["eliminated", "left"].includes(one.status) }));
  return all.sort((a, b) => b.isWinner - a.isWinner || b.isIn - a.isIn || (b.score ?? b.way) - (a.score ?? a.way));
}
