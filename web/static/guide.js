// The first look: three balloons for whoever opens the page for the first time, once a phone.

import { button, html } from "./dom.js";
import { pageIn } from "./games.js";
import { recalled, remember } from "./memory.js";
import { isPhone } from "./watchdog.js";
import { say, words } from "./words.js";

const KEY = "linesies-guided";
const AT = ["strip", "board", "call"];
const AWAY_PX = 12;
const NARROW_PX = 240; // no balloon is narrower

export function makeGuide() {
  let isOver = !isPhone || recalled(KEY) !== null;
  let balloon = null;

  function end() {
    isOver = true;
    remember(KEY, "1");
    removeEventListener("resize", place);
    if (balloon) balloon.remove();
    balloon = null;
  }

  function step(texts, i) {
    const isLast = i === texts.length - 1;
    const next = html("button", { type: "button", class: "first", onclick: () => (isLast ? end() : step(texts, i + 1)) }, isLast ? words.guide.done : words.guide.next);
    const skip = isLast ? null : button(words.guide.skip, end);
    const hasKeyboard = balloon && balloon.contains(document.activeElement);
    balloon.dataset.at = AT[i];
    balloon.replaceChildren(html("p", {}, texts[i]), html("div", {}, html("small", {}, say(words.guide.count, { n: i + 1, all: texts.length })), skip || "", next));
    if (hasKeyboard) next.focus();
    place();
  }

  // Beneath what it tells of; where there is no room, beside it, before it, or above.
  function place() {
    const { top, bottom, left, right } = document.getElementById(balloon.dataset.at).getBoundingClientRect();
    const before = left - 2 * AWAY_PX;
    balloon.style.maxWidth = "";
    const { offsetWidth: width, offsetHeight: height } = balloon;
    const room = { beneath: bottom + AWAY_PX + height < innerHeight, beside: right + width + 2 * AWAY_PX < innerWidth, before: before > NARROW_PX };
    const stands = Object.keys(room).find((one) => room[one]) || "above";
    balloon.dataset.stands = stands;
    if (stands === "before") balloon.style.maxWidth = `${before}px`;
    const x = { beside: right, before: before - balloon.offsetWidth }[stands] ?? Math.min(left, innerWidth - width - 2 * AWAY_PX);
    const y = { beneath: bottom + AWAY_PX, above: top - AWAY_PX - height }[stands] ?? Math.min(top, innerHeight - balloon.offsetHeight - AWAY_PX);
    balloon.style.left = `${Math.max(0, x) + AWAY_PX}px`;
    balloon.style.top = `${Math.max(AWAY_PX, y)}px`;
  }

  // Begins with the first game that is seen, as soon as nothing else is asked.
  function show(story) {
    const { state, pending } = story;
    const { guide } = pageIn(story);
    const isAsked = Boolean((pending || []).length);
    if (balloon) balloon.hidden = isAsked;
    if (isOver || balloon || isAsked || !state || state.phase === "over" || !guide) return;
    balloon = html("div", { id: "guide", role: "dialog", "aria-label": words.guide.title });
    balloon.addEventListener("keydown", ({ key }) => key === "Escape" && end());
    document.body.append(balloon);
    addEventListener("resize", place);
    step(guide, 0);
  }

  return { show };
}
