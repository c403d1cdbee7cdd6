// A tap means what lay under the finger when it came down: as long as it is down, nothing is drawn anew beneath it.

const LONGEST_MS = 1500; // a finger that only rests on the glass holds nothing up for longer
const CLICK_MS = 60; // how long after the finger is lifted its click may take to come

const down = new Set();
let waiting = [];
let timer = 0;

// Does it now, or as soon as the finger is lifted and its tap has been heard; in the order asked.
export function whenLifted(act) {
  if (!down.size && !waiting.length) act();
  else waiting.push(act);
}

function release() {
  clearTimeout(timer);
  down.clear();
  const acts = waiting;
  waiting = [];
  for (const act of acts) act();
}

function soon(ms) {
  clearTimeout(timer);
  timer = setTimeout(release, ms);
}

window.addEventListener("pointerdown", ({ pointerId }) => {
  down.add(pointerId);
  soon(LONGEST_MS);
}, { capture: true, passive: true });

for (const kind of ["pointerup", "pointercancel"]) {
  window.addEventListener(kind, ({ pointerId }) => {
    down.delete(pointerId);
    if (!down.size) soon(CLICK_MS);
  }, { capture: true, passive: true });
}

window.addEventListener("click", () => {
  if (!down.size) soon(0);
});
