// Cards as they are drawn: large, clean, and never told apart by colour alone.

import { svg } from "../dom.js";
import { words } from "../words.js";

// A card of 63 x 88, face up: its face is {top, sign, colour, label, word}; `as` is what it was declared to be.
export function card({ top, sign = "", colour, label, word = "" }, as = "") {
  const name = as ? `${label}, ${words.cards[as]}` : label;
  return svg("svg", { class: `card ${colour}`, viewBox: "0 0 63 88", role: "img", "aria-label": name },
    svg("rect", { x: 1, y: 1, width: 61, height: 86, rx: 5, class: "paper" }),
    svg("text", { x: 31.5, y: sign || word ? 36 : 46, class: "top", "font-size": top.length > 1 ? 30 : 38 }, top),
    sign ? svg("text", { x: 31.5, y: 68, class: "suit", "font-size": 26 }, sign) : null,
    word ? svg("text", { x: 31.5, y: 64, class: "name", "font-size": word.length > 9 ? 8.5 : 11 }, word) : null,
    as ? svg("text", { x: 31.5, y: 79, class: "name", "font-size": 9 }, words.cards[as]) : null);
}

export function back(label = "") {
  return svg("svg", { class: "card back", viewBox: "0 0 63 88", role: "img", "aria-label": label || words.cards.face_down },
    svg("rect", { x: 1, y: 1, width: 61, height: 86, rx: 5, class: "paper" }),
    svg("path", { d: "M10 12L53 76M53 12L10 76M31.5 6V82M6 44H57", class: "weave" }));
}

export function gap(label) {
  return svg("svg", { class: "card empty", viewBox: "0 0 63 88", role: "img", "aria-label": label },
    svg("rect", { x: 2, y: 2, width: 59, height: 84, rx: 5, class: "paper" }));
}
