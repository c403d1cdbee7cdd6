// The parts that controls are made of.

import { button, html } from "../dom.js";
import { openSheet } from "../sheets.js";
import { card } from "./card.js";

export const hint = (text) => html("p", { class: "hint" }, text);

export const row = (...buttons) => html("div", { class: "choices" }, buttons);

// A question and the buttons that answer it: whoever comes to these by keyboard hears the question too.
export const asked = (text, ...buttons) => [hint(text), html("div", { class: "choices", role: "group", "aria-label": text }, buttons)];

// A row of numbers from `first` to `last`; those that cannot be said are greyed.
export function numbers(first, last, { least = first, most = last, label, tap }) {
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return html("div", { class: "numbers-row", role: "group", "aria-label": label },
    all.map((number) => button(String(number), () => tap(number), "", { "aria-label": `${label}: ${number}`, disabled: number < least || number > most })));
}

// Asks which card it was; closes when one is tapped.
export function askCard(sheet, title, { face, codes }, tap) {
  const all = codes.map((code) => html("button", { type: "button", class: "pick", onclick: () => {
    sheet.close();
    tap(code);
  } }, card(face(code))));
  openSheet(sheet, title, html("div", { class: "picks" }, all));
}
