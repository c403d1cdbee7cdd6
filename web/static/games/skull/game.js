// Skull on the page.

import { cardGame } from "../../cards/game.js";
import { byWeight } from "../../verdict.js";
import { words } from "../../words.js";
import { controls } from "./controls.js";
import { doubt } from "./doubt.js";
import { deck, face } from "./faces.js";
import { middle, score, seat } from "./table.js";

// All at once while first cards are put down.
function turnOf(state) {
  if (state.phase === "first") return state.players.filter((one) => !one.out && !one.pile.length).map((one) => one.name);
  return state.turn ? [state.turn] : [];
}

const doing = (state) => words.cards.does[state.phase];

const verdict = byWeight([
  ["contradiction", "wait", "doubt"], ["skull_shown", "skull", "bad"], ["challenge_won", "point", "good"],
  ["card_lost", "lost_card", "bad"], ["challenge", "challenge", "plain"], ["bidding_opened", "bid", "plain"],
]);

export default cardGame("skull", {
  matSeats: 8,
  parts: { middle, score, seat },
  turnOf,
  doing,
  verdict,
  doubt,
  controls,
  deck,
  face,
});
