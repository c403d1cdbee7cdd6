// Where the keyboard is: it stays through every redrawing, and what opens over the page gives it back.

export const called = (element) => element.getAttribute("aria-label") || element.textContent;

// Nowhere, or on something that is no longer to be seen.
function isLost() {
  const one = document.activeElement;
  return !one || one === document.body || one.getClientRects().length === 0;
}

const namesakes = (place, one) => [...place.querySelectorAll(one.tagName)].filter((other) => called(other) === called(one));

// Puts the keyboard on a part of the page that is no control itself, so that Tab goes on from there.
export function stayAt(place) {
  if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
  place.focus({ preventScroll: true });
}

// Remembers where in a place the keyboard is; what is returned puts it on the one of the same name, else on the place.
export function keeper(place) {
  const last = document.activeElement;
  if (!last || last === place || !place.contains(last)) return () => {};
  const at = namesakes(place, last).indexOf(last);
  return () => {
    if (!isLost()) return;
    const found = namesakes(place, last);
    const same = found[Math.min(at, found.length - 1)];
    if (same) same.focus({ preventScroll: true });
    if (isLost()) stayAt(place);
  };
}

// Remembers where on the page the keyboard is; what is returned goes back there, else to the call.
export function wayBack() {
  const from = document.activeElement;
  const place = isLost() ? null : from.parentElement.closest("[id]");
  if (!place) return () => {};
  const keep = keeper(place);
  return () => {
    keep();
    if (isLost()) stayAt(document.getElementById("call"));
  };
}

// One stop of Tab for many things: arrows lead from one to the next, in the order that `list` gives.
export function rove(place, list) {
  const stop = (one) => {
    for (const other of list()) other.setAttribute("tabindex", other === one ? "0" : "-1");
  };
  place.addEventListener("focusin", ({ target }) => list().includes(target) && stop(target));
  place.addEventListener("keydown", (event) => {
    const all = list();
    const at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length].focus();
  });
  return () => {
    const all = list();
    if (!all.some((one) => one.getAttribute("tabindex") === "0")) stop(all[0]);
  };
}
