// Skip-Bo on the page.

import { cardGame } from "../../cards/game.js";
import { byWeight } from "../../verdict.js";
import { say, words } from "../../words.js";
import { controls } from "./controls.js";
import { doubt } from "./doubt.js";
import { deck, face, lesson } from "./faces.js";
import { middle, score, seat } from "./table.js";

// Whoever has the table, in turn or out of it.
function turnOf(state) {
  const turn = state.out_of_turn || state.turn;
  return turn ? [turn] : [];
}

function doing(state) {
  const texts = words.cards.does;
  if (state.phase === "between") return texts.between;
  if (state.owed) return say(texts.draw, { n: state.owed });
  return state.die.face ? texts.turn : texts.roll;
}

const verdict = byWeight([["out_of_turn_stopped", "stop", "bad"], ["cheating_penalty", "stop", "bad"], ["pile_completed", "twelve", "good"]]);

export default cardGame("skipbo", {
  matSeats: 6,
  parts: { middle, score, seat },
  turnOf,
  doing,
  verdict,
  doubt,
  controls,
  deck,
  face,
  lesson,
});
