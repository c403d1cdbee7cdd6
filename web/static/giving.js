// Gives orders from buttons: while one is under way a second tap gives no second one.

import { stayAt } from "./focus.js";
import { order } from "./orders.js";
import { words } from "./words.js";

const ANSWERED_MS = 4000; // what was taken waits so long for the story that answers it
const held = new WeakMap(); // a greyed button -> whether it may be tapped once it wakes

// Greys the buttons of a place; what is returned wakes them. A greyed button holds no keyboard: it waits at the place's
// heading meanwhile, and comes back.
export function hold(place) {
  const last = document.activeElement;
  const stop = place.querySelector("h2") || place;
  const greyed = [...place.querySelectorAll("button:not(.close)")].filter((one) => !held.has(one));
  if (greyed.includes(last)) stayAt(stop);
  for (const one of greyed) {
    held.set(one, !one.disabled);
    one.disabled = true;
  }
  return () => {
    for (const one of greyed) {
      one.disabled = !held.get(one);
      held.delete(one);
    }
    if (greyed.includes(last) && last.isConnected && document.activeElement === stop) last.focus({ preventScroll: true });
  };
}

// Says whether a button may be tapped: of one that is held, once it wakes.
export function allow(button, isAllowed) {
  if (held.has(button)) held.set(button, isAllowed);
  else button.disabled = !isAllowed;
}

// Does from a place what takes a while, its buttons greyed until that is over; returns what came of it.
export async function during(place, act) {
  const wake = hold(place);
  try {
    return await act();
  } finally {
    wake();
  }
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
