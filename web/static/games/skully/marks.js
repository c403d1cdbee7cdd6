// What is painted in a region of the board, how it is called, which regions are lit for the player in turn, and who shoots
// from the start line or is out of the game.

import { TRAPEZOIDS, targetRegions } from "./targets.js";
import { boxName } from "./words.js";

const LARGE = 0.066; // of the board's width
const SMALL = 0.04;

const sizeOf = (region) => (TRAPEZOIDS.includes(region) ? SMALL : LARGE);

function number(region, story) {
  if (!TRAPEZOIDS.includes(region)) return region;
  const numbers = ((story.game && story.game.options) || {}).skull_numbers || [2, 4, 6, 8];
  return String(numbers[TRAPEZOIDS.indexOf(region)]);
}

function lit({ state, game }) {
  const due = (state.awaiting || []).find((one) => one.what === "place");
  const player = (state.players || []).find((one) => one.name === state.turn);
  return due ? [due.box] : player ? targetRegions(player, game) : [];
}

const isAtStart = ({ at, status, going_for: goal }) => at === "start" || (goal === "1f" && status === "playing");
const isGone = ({ at }) => at === "out";

export const marks = { boxName, sizeOf, number, lit, isAtStart, isGone };
