// Whose turn it is at a table, what is to be done, and who has won.

import { say, words } from "../words.js";
import { outside } from "../games.js";

// Several where all act at once.
export function turnOf(state) {
  const own = outside(state.game);
  if (own && own.turnOf) return own.turnOf(state);
  if (state.game === "skull" && state.phase === "first") return state.players.filter((one) => !one.out && !one.pile.length).map((one) => one.name);
  if (state.game === "skull_king" && ["bid", "load"].includes(state.phase)) return state.players.filter((one) => !one.ready).map((one) => one.name);
  if (state.game === "skull_king" && state.phase === "deal") return [state.dealer];
  if (state.pending) return [state.pending.player];
  const turn = state.out_of_turn || state.turn;
  return turn ? [turn] : [];
}

export function doing(state) {
  const own = outside(state.game);
  if (own) return own.doing ? own.doing(state) : "";
  const texts = words.cards.does;
  if (state.game === "skipbo") {
    if (state.phase === "between") return texts.between;
    if (state.owed) return say(texts.draw, { n: state.owed });
    return state.die.face ? texts.turn : texts.roll;
  }
  if (state.game === "skull_king" && state.phase === "bid") return texts.bids;
  return say(texts[state.phase], { n: state.cards });
}

export const winnersOf = (state) => (state.phase === "over" ? state.winners || (state.winner ? [state.winner] : []) : []);
