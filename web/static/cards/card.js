// Cards as they are drawn: large, clean, and never told apart by colour alone.

import { svg } from "../dom.js";
import { say, words } from "../words.js";

const SUITS = { H: ["♥", "red"], D: ["♦", "red"], C: ["♣", "black"], S: ["♠", "black"] };
const FLAGS = { P: ["▲", "green"], C: ["■", "yellow"], M: ["◆", "purple"], J: ["☠", "black"] };
const PEOPLE = { ESC: "⚐", TIGRESS: "♛", SK: "☠", MERMAID: "♒", KRAKEN: "✺", WHALE: "◉", LOOT: "❖", PIRATE: "⚔" };

// {sign, top, colour, label}
export function faceOf(code, game) {
  if (game === "skull") return french(code);
  if (game === "skull_king") return pirates(code);
  return code === "SB" ? { top: "SB", sign: "★", colour: "wild", label: "Skip-Bo" } : { top: code, sign: "", colour: "black", label: code };
}

function french(code) {
  const [sign, colour] = SUITS[code.slice(-1)] || ["?", "black"];
  const top = code.slice(0, -1);
  return { top, sign, colour, label: say(words.cards.of, { rank: words.cards.ranks[top] || top, suit: words.cards.suits[code.slice(-1)] }) };
}

function pirates(code) {
  const number = /^([PCMJ])(\d+)$/.exec(code);
  if (number) {
    const [sign, colour] = FLAGS[number[1]];
    return { top: number[2], sign, colour, label: `${words.cards.flags[number[1]]} ${number[2]}` };
  }
  const kind = code.split(":")[0];
  return { top: PEOPLE[kind] || "?", sign: "", colour: kind.toLowerCase(), label: words.cards.people[kind] || code };
}

// A card of 63 x 88, face up; `as` is what a Tigress was declared to be.
export function card(code, game, as = "") {
  const { top, sign, colour, label } = faceOf(code, game);
  const isWord = code !== "SB" && !/\d/.test(top) && game === "skull_king";
  const name = as ? `${label}, ${words.cards[as]}` : label;
  return svg("svg", { class: `card ${colour}`, viewBox: "0 0 63 88", role: "img", "aria-label": name },
    svg("rect", { x: 1, y: 1, width: 61, height: 86, rx: 5, class: "paper" }),
    svg("text", { x: 31.5, y: sign || isWord ? 36 : 46, class: "top", "font-size": top.length > 1 ? 30 : 38 }, top),
    sign ? svg("text", { x: 31.5, y: 68, class: "suit", "font-size": 26 }, sign) : null,
    isWord ? svg("text", { x: 31.5, y: 64, class: "name", "font-size": label.length > 9 ? 8.5 : 11 }, label) : null,
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
