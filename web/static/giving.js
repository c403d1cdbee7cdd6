// Gives orders from buttons: while one is under way a second tap gives no second one.

import { stayAt } from "./focus.js";
import { order } from "./orders.js";
import { words } from "./words.js";

const ANSWERED_MS = 4000; // what was taken waits so long for the story that answers it
const GREYED = "button:enabled:not(.close)";

// Greys the buttons of a place; what is returned wakes them. A greyed button holds no keyboard: it waits at the place's
// heading meanwhile, and comes back.
export function hold(place) {
  const last = document.activeElement;
  const stop = place.querySelector("h2") || place;
  const greyed = [...place.querySelectorAll(GREYED)];
  if (greyed.includes(last)) stayAt(stop);
  for (const one of greyed) one.disabled = true;
  return () => {
    for (const one of greyed) one.disabled = false;
    if (greyed.includes(last) && last.isConnected && document.activeElement === stop) last.focus({ preventScroll: true });
  };
}

// Gives an order from a place; returns null when it was taken, else a sentence why not: then it may be tapped again at once.
export async function give(place, what) {
  const wake = hold(place);
  const fault = await order(what);
  setTimeout(wake, fault ? 0 : ANSWERED_MS);
  return fault;
}

// Likewise from a sheet, which closes when it is taken; its note tells of it.
export async function giveAndClose(sheet, note, what) {
  note.textContent = words.settle.sent;
  const fault = await give(sheet, what);
  if (fault) note.textContent = fault;
  else sheet.close();
}
