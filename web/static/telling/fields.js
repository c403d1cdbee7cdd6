// A control for each kind of field that an event may have. Each is told its value and what takes a new one.

import { card } from "../cards/card.js";
import { html } from "../dom.js";
import { segment, stepper } from "../host/options.js";
import { capital, name, say, words } from "../words.js";

const FEW = 14; // so many numbers are tapped, more are stepped through

const segments = (...all) => html("div", { class: "segments" }, all);

// Everything that the control of a field needs to know beside its value: {people, deck, face, page, likely}.
export function control(field, value, set, about) {
  return CONTROLS[field.kind](field, value, set, about);
}

const people = (field, value, set, { people: all }) => segments(all.map((player) => segment(name(player), player === value, () => set(player))));

export const labelled = (field, i) => field.labels[i] || capital(String(field.values[i]).replaceAll("_", " "));

export const CONTROLS = {
  player: people,
  cap: people,
  place: places,
  card: cards,
  choice: (field, value, set) => segments(field.values.map((one, i) => segment(labelled(field, i), one === value, () => set(field.is_optional && one === value ? undefined : one)))),
  number: numbers,
  flag: (field, value, set) => segments(segment(words.host.yes, value === true, () => set(true)), segment(words.host.no, value === false, () => set(false))),
  text: texts,
  list: pairs,
  table: entries,
  record,
};

// Likely places first, the others behind a tap.
function places(field, value, set, { page, likely }) {
  const first = [...new Set([value, ...likely])].filter((one) => field.values.includes(one));
  const chip = (one) => segment(page.reading(one), one === value, () => set(one));
  const others = field.values.filter((one) => !first.includes(one));
  return [segments(first.map(chip)), html("details", {}, html("summary", {}, words.right.elsewhere), segments(others.map(chip)))];
}

function cards(field, value, set, { deck, face }) {
  if (value) return html("button", { type: "button", class: "pick chosen", "aria-label": say(words.right.other_card, { card: face(value).label }), onclick: () => set(undefined) }, card(face(value)));
  const codes = field.values.length ? field.values : deck;
  return html("div", { class: "picks" }, codes.map((code) => html("button", { type: "button", class: "pick", onclick: () => set(code) }, card(face(code)))));
}

function numbers(field, value, set, { most }) {
  const least = field.least ?? 0;
  const last = field.most ?? most;
  if (last - least >= FEW) return stepper(value ?? least, least, last, set);
  const all = Array.from({ length: last - least + 1 }, (_, i) => least + i);
  return html("div", { class: "numbers-row", role: "group", "aria-label": field.label }, all.map((number) => segment(String(number), number === value, () => set(field.is_optional && number === value ? undefined : number))));
}

function texts(field, value, set, { newcomers }) {
  const box = html("input", { value: value || "", maxlength: 24, "aria-label": field.label, placeholder: words.host.add, onchange: ({ target }) => set(target.value.trim() || undefined) });
  return [segments(newcomers.map((one) => segment(name(one), one === value, () => set(one)))), box];
}

// Pairs that follow one another; each is taken away by a tap.
function pairs(field, value = [], set, about) {
  const rows = value.map((pair, i) => html("button", { type: "button", class: "pair", "aria-label": say(words.right.take_away, { pair: pair.map(name).join(" → ") }), onclick: () => set(value.filter((_, at) => at !== i)) },
    pair.map(name).join(" → "), html("span", { "aria-hidden": "true" }, " ✕")));
  const begun = about.half;
  const next = (player) => (begun ? about.halve(null, () => begun !== player && set([...value, [begun, player]])) : about.halve(player));
  return [html("div", { class: "pairs" }, rows), about.hasGround ? null : segments(about.people.map((player) => segment(name(player), player === begun, () => next(player))))];
}

// One value for each cap or player that anything is said of.
function entries(field, value = {}, set, about) {
  const put = (key, one) => {
    const { [key]: _old, ...rest } = value;
    set(one === undefined ? rest : { ...rest, [key]: one });
  };
  const chosen = Object.keys(value);
  const empty = field.of[0].kind === "record" ? {} : undefined;
  const more = about.people.filter((player) => !chosen.includes(player));
  const add = more.map((player) => segment(name(player), false, () => put(player, empty ?? about.likelyOf(player)[0])));
  const rows = chosen.map((player) => html("div", { class: "of" }, html("h4", {}, name(player),
    html("button", { type: "button", class: "drop", "aria-label": say(words.right.take_away, { pair: name(player) }), onclick: () => put(player, undefined) }, "✕")),
  control(field.of[0], value[player], (one) => put(player, one), { ...about, likely: about.likelyOf(player), now: about.standing(player) })));
  return [rows, add.length ? [html("p", { class: "quiet" }, words.right.whose), segments(add)] : null];
}

// What is said of one player; what is not touched stays as it is.
function record(field, value = {}, set, about) {
  return field.of.map((part) => {
    const now = about.now ? about.now[part.name] : undefined;
    const put = (one) => {
      const { [part.name]: _old, ...rest } = value;
      set(one === undefined || one === now ? rest : { ...rest, [part.name]: one });
    };
    const body = control({ ...part, is_optional: false }, value[part.name] ?? now, put, { ...about, most: 9 });
    return html("details", { open: part.name in value }, html("summary", {}, part.label), body);
  });
}
