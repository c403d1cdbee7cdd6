// Waits for what becomes of an order about the set-up: the board or the caps drawn anew, or why not.

import { during } from "../giving.js";
import { order } from "../orders.js";
import { say } from "../words.js";

let newest = null;
document.addEventListener("story", ({ detail }) => (newest = detail));

// Gives an order about the set-up, the buttons of a place greyed until it is known what became of it: {next}, the story
// with the set-up drawn anew, or {fault}, why not; nothing once the place is gone. `whenTaken` is called in between.
export const giveSetUp = (place, story, who, what, whenTaken = () => {}) => during(place, async () => {
  const before = newest || story; // the sheet may have been open for long
  const wait = { stop: () => {} };
  const answered = new Promise((resolve) => {
    const hear = ({ detail }) => {
      const answer = place.isConnected ? answerIn(detail, before, who) : {};
      if (answer) resolve(answer);
    };
    document.addEventListener("story", hear);
    wait.stop = () => document.removeEventListener("story", hear);
  });
  const fault = await order(what);
  if (!fault) whenTaken();
  const answer = fault ? { fault } : await answered;
  wait.stop();
  return answer;
});

function answerIn(story, before, who) {
  const trouble = told(story, who);
  if (trouble && trouble !== told(before, who)) return { fault: story.troubles[who].message };
  return story.set_up && story.set_up !== before.set_up ? { next: story } : null;
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
