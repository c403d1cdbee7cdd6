// How an option is chosen: a switch, listed choices, a number, a list of numbers, a player; each may have a `none`.

import { button, html } from "../dom.js";
import { capital, name, words } from "../words.js";

export const named = (key) => words.choices[key] || capital(String(key).replaceAll(/[_-]/g, " "));

export function segment(label, isOn, tap) {
  return html("button", { type: "button", class: isOn ? "on" : "", "aria-pressed": String(isOn), onclick: tap }, label);
}

const segments = (...all) => html("div", { class: "segments" }, all);

// `set` takes the value that is chosen, null for none.
export function control(one, value, set, players) {
  const none = one.none ? segment(one.none, value === null, () => set(null)) : null;
  return CONTROLS[one.kind](one, value, set, none, players);
}

const CONTROLS = {
  switch: (_one, value, set) => segments(segment(words.host.yes, value === true, () => set(true)), segment(words.host.no, value === false, () => set(false))),
  choices: (one, value, set) => segments(one.choices.map((choice) => segment(named(choice), choice === value, () => set(choice)))),
  player: (_one, value, set, none, players) => segments(none, players.map((player) => segment(name(player), player === value, () => set(player)))),
  number: (one, value, set, none) => [none ? segments(none) : null, stepper(value ?? one.least, one.least, one.most ?? undefined, set, one.step)],
  numbers,
};

// A number each; where their count is not fixed, one more or one fewer.
function numbers(one, value, set, none) {
  const all = value || [];
  const replaced = (i, number) => all.map((old, at) => (at === i ? number : old));
  const steppers = all.map((number, i) => stepper(number, one.least, one.most ?? undefined, (next) => set(replaced(i, next))));
  const isFixed = one.count !== null;
  const last = all[all.length - 1];
  const fewer = all.length > 1 ? () => set(all.slice(0, -1)) : () => set(null);
  const ends = isFixed ? null : segments(none,
    html("button", { type: "button", disabled: !all.length || (all.length === 1 && !none), onclick: fewer }, words.host.take_one),
    button(words.host.add_one, () => set([...all, last ? Math.min(last + 1, one.most ?? Infinity) : one.least])));
  return html("div", { class: "each" }, steppers, ends);
}

export function stepper(value, least, most, set, step = 1) {
  const at = (number) => Math.max(least, Math.min(most ?? Infinity, Math.round(number / step) * step || least));
  return segments(
    html("button", { type: "button", disabled: value <= least, "aria-label": words.host.fewer, onclick: () => set(at(value - step)) }, "−"),
    html("input", { type: "number", inputmode: "numeric", min: least, max: most, step, value: String(value), "aria-label": words.host.number,
      onchange: ({ target }) => set(Number.isFinite(target.valueAsNumber) ? Math.max(least, Math.min(most ?? Infinity, Math.round(target.valueAsNumber))) : value) }),
    html("button", { type: "button", disabled: most !== undefined && value >= most, "aria-label": words.host.more, onclick: () => set(at(value + step)) }, "+"));
}
