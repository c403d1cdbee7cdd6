// A tap means what lay under the finger when it came down: as long as it is down, nothing is drawn anew beneath it, and
// the click that the browser makes of it counts for nothing else. Every tap of the page goes through here.

import { called } from "./focus.js";

const LONGEST_MS = 1500; // a finger that only rests on the glass holds nothing up for longer
const CLICK_MS = 60; // how long after the finger is lifted its click may take to come
const LATE_MS = 700; // a click that comes later is of another gesture, perhaps of a screen reader
const CONTROLS = "button, a, input, select, textarea, summary, label, video, [role=button], [tabindex], dialog";

const down = new Set();
let isBusy = false; // a finger is down, or its click may still come
let pressed = null; // {control, atMs}: what the finger came down on
let waiting = [];
let timer = 0;

// Does it now, or as soon as the finger is lifted and its tap has been heard; in the order asked.
export function whenLifted(act) {
  if (!isBusy && !waiting.length) act();
  else waiting.push(act);
}

function release() {
  clearTimeout(timer);
  down.clear();
  isBusy = false;
  const acts = waiting;
  waiting = [];
  for (const act of acts) act();
}

function soon(ms) {
  clearTimeout(timer);
  timer = setTimeout(release, ms);
}

const controlOf = (target) => (target instanceof Element ? target.closest(CONTROLS) : null);

// A click belongs to the gesture's own control, or to one drawn in its place under the same name.
function isOwn(target) {
  const control = controlOf(target);
  const { control: first } = pressed;
  if (control === first) return true;
  return Boolean(control && first && !first.isConnected && control.tagName === first.tagName && called(control) === called(first));
}

window.addEventListener("pointerdown", ({ pointerId, target, timeStamp }) => {
  down.add(pointerId);
  isBusy = true;
  pressed = { control: controlOf(target), atMs: timeStamp };
  soon(LONGEST_MS);
}, { capture: true, passive: true });

for (const kind of ["pointerup", "pointercancel"]) {
  window.addEventListener(kind, ({ pointerId, timeStamp }) => {
    down.delete(pointerId);
    if (pressed) pressed.atMs = timeStamp;
    if (!down.size) soon(CLICK_MS);
  }, { capture: true, passive: true });
}

window.addEventListener("click", (event) => {
  const isFinger = event.isTrusted && event.detail > 0 && pressed && event.timeStamp - pressed.atMs < LATE_MS;
  if (isFinger && !isOwn(event.target)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  pressed = null;
  if (!down.size) soon(0);
}, { capture: true });
