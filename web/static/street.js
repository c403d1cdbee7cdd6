// What anybody in a street game may say at once: a car comes, and it has passed.

import { button, row } from "./cards/buttons.js";
import { html } from "./dom.js";
import { canOrder } from "./me.js";
import { order } from "./orders.js";
import { words } from "./words.js";
import { isStreet } from "./games.js";

export const streetControls = ({ state, tell }) =>
  (state.phase === "paused" && canOrder ? [row(button(words.page.resume, () => tell({ event: "resume" }), { kind: "first" }))] : []);

// For the sheet behind the last button; null where there is nothing to pause.
export function pauseButton(story, sheet, note) {
  const { state } = story || {};
  const rests = state && ["paused", "over"].includes(state.phase);
  if (!canOrder || !state || !isStreet(state.game) || rests) return null;
  return html("button", { type: "button", class: "wide", onclick: async () => {
    const fault = await order({ order: "event", event: { event: "pause" } });
    if (fault) note.textContent = fault;
    else sheet.close();
  } }, words.page.pause);
}
