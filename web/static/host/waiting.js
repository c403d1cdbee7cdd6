// Waits for what becomes of an order about the set-up: the board or the caps drawn anew, or why not.

import { say } from "../words.js";

// Calls `done(story)` once that part of the set-up is new, or `failed(message)` for trouble of that name that is new.
export function awaitSetUp(element, story, who, done, failed) {
  const before = { setUp: story.set_up, trouble: told(story, who) };
  const hear = ({ detail }) => {
    if (!element.isConnected) {
      document.removeEventListener("story", hear);
      return;
    }
    const trouble = told(detail, who);
    if (trouble && trouble !== before.trouble) failed(detail.troubles[who].message);
    else if (detail.set_up && detail.set_up !== before.setUp) {
      document.removeEventListener("story", hear);
      done(detail);
    }
    before.trouble = trouble;
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
