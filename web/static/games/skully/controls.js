// What anybody in a street game may say at once: a car comes, and it has passed.

import { row } from "../../cards/buttons.js";
import { button } from "../../dom.js";
import { giveAndClose } from "../../giving.js";
import { canOrder } from "../../me.js";
import { words } from "../../words.js";

export const controls = ({ state, tell }) =>
  (state.phase === "paused" && canOrder ? [row(button(words.page.resume, () => tell({ event: "resume" }), "first"))] : []);

// For the sheet behind the last button; null where there is nothing to pause.
export function more({ state }, sheet, note) {
  if (!canOrder || ["paused", "over"].includes(state.phase)) return null;
  return button(words.page.pause, () => giveAndClose(sheet, note, { order: "event", event: { event: "pause" } }), "wide");
}
