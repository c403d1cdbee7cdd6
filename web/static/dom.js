// Makes elements. Text only ever enters as text, never as markup.

import { keeper } from "./focus.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// `more` are attributes beside what every button has.
export const button = (label, tap, kind = "", more = {}) => html("button", { type: "button", class: kind, onclick: tap, ...more }, label);

// Puts new children in place of the old; whoever has come to one by keyboard stays on the one of the same name.
export function redraw(place, ...children) {
  const keep = keeper(place);
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  keep();
}

// A thing that can be tapped, and pressed by Enter or Space once the arrows have led to it.
export function tappable(element, label, tap) {
  fill(element, { role: "button", tabindex: "-1", "aria-label": label }, []);
  element.addEventListener("click", tap);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    tap();
  });
  return element;
}

const SIGNS = {
  good: "M4 13l6 6L21 6",
  bad: "M5 5l14 14M19 5L5 19",
  doubt: "M7 8.5C7 5.5 9 4 12 4s5 1.700 5 4.300c0 3.700-5 3.700-5 7.200M12 19.800v.2",
  plain: "M12 6.500a5.500 5.500 0 1 0 .01 0z",
  buzzer: "M5 9v6h4l5 4V5L9 9zM17 8.500c1.800 2 1.800 5 0 7M19.500 6c3 3.500 3 8.500 0 12",
  sun: "M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  moon: "M19 14.500A8 8 0 0 1 9.500 5a8 8 0 1 0 9.500 9.500z",
  star: "M12 3l2.700 5.800 6.300.8-4.600 4.300 1.200 6.300L12 17.100 6.400 20.200l1.200-6.300L3 9.600l6.300-.8z",
};

export const sign = (name) =>
  svg("svg", { viewBox: "0 0 24 24", class: `sign ${name}`, "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
