// Waits for what becomes of an order about the set-up: the board or the caps drawn anew, or why not.

import { say } from "../words.js";

let newest = null;
document.addEventListener("story", ({ detail }) => (newest = detail));

// Calls `done(story)` once the set-up is new, or `failed(message)` once there is new trouble of that name.
export function awaitSetUp(element, story, who, done, failed) {
  const before = newest || story; // the sheet may have been open for long
  const hear = ({ detail }) => {
    const trouble = told(detail, who);
    const isDone = detail.set_up && detail.set_up !== before.set_up;
    const hasFailed = trouble && trouble !== told(before, who);
    if (isDone || hasFailed || !element.isConnected) document.removeEventListener("story", hear);
    if (!element.isConnected) return;
    if (hasFailed) failed(detail.troubles[who].message);
    else if (isDone) done(detail);
  };
  document.addEventListener("story", hear);
}

const told = (story, who) => JSON.stringify((story.troubles || {})[who] || null);

// Says how long something has taken so far, each second, until what is returned is called.
export function countUp(note, template) {
  const begun = Date.now();
  const tell = () => {
    if (note.isConnected) note.textContent = say(template, { s: Math.round((Date.now() - begun) / 1000) });
    else clearInterval(timer);
  };
  const timer = setInterval(tell, 1000);
  tell();
  return () => clearInterval(timer);
}
