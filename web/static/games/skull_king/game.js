// Skull King on the page.

import { cardGame } from "../../cards/game.js";
import { byWeight } from "../../verdict.js";
import { say, words } from "../../words.js";
import { controls } from "./controls.js";
import { doubt } from "./doubt.js";
import { deck, face, lesson } from "./faces.js";
import { middle, score, seat } from "./table.js";

// All at once while they bid and load.
function turnOf(state) {
  if (["bid", "load"].includes(state.phase)) return state.players.filter((one) => !one.ready && !one.status).map((one) => one.name);
  if (state.phase === "deal") return [state.dealer];
  const due = state.pending ? state.pending.player : state.turn;
  return due ? [due] : [];
}

const doing = (state) => say(words.cards.does[state.phase === "bid" ? "bids" : state.phase], { n: state.cards });

const verdict = byWeight([
  ["contradiction", "wait", "doubt"], ["revoke", "wait", "doubt"], ["bids_revealed", "bids", "plain"], ["loads_revealed", "bids", "plain"],
  ["round_scored", "scored", "plain"], ["trick_won", "trick", "good"], ["trick_destroyed", "nobody", "bad"],
  ["trick_discarded", "nobody", "bad"], ["ability_ready", "power", "plain"],
]);

export default cardGame("skull_king", {
  matSeats: 8,
  parts: { middle, score, seat },
  turnOf,
  doing,
  people: (state) => [...state.players.map(({ name }) => name), ...(state.graybeard ? ["graybeard"] : [])],
  most: (state) => Math.max(10, state.cards),
  verdict,
  doubt,
  controls,
  deck,
  face,
  lesson,
});
