// The page's words in the phone's language, names of players, targets and numbers as people say them.

import en from "./words_en.js";
import es from "./words_es.js";

const CATALOGUES = { en, es }; // but for the page's own language they are empty where scripts are joined
export const words = CATALOGUES[document.documentElement.lang];

// To the next language that the box knows; it is told with every request, for a year.
export function turnLanguage() {
  const { choice, next } = document.documentElement.dataset;
  document.cookie = `${choice}=${next}; path=/; max-age=31536000; samesite=strict`;
  window.location.reload();
}

export const say = (template, values = {}) =>
  (template || "").replace(/\{(\w+)\}/g, (_, key) => (values[key] === undefined ? "" : String(values[key])));

export function capital(text) {
  const [first = "", ...rest] = [...String(text || "")];
  return first.toLocaleUpperCase(words.language) + rest.join("");
}

export const name = capital;

// Lists as the box itself joins them: in English without a comma before the last.
const LISTS = words.language === "en" ? "en-GB" : words.language;
const [ALL, ANY] = ["conjunction", "disjunction"].map((type) => new Intl.ListFormat(LISTS, { type })); // slow to make
export const names = (players) => ALL.format(players.map(name));

export const either = (players) => ANY.format(players.map(name));

const NUMBERS = new Map(); // how a number is written -> what writes it so

export function number(value, options = { maximumFractionDigits: 1 }) {
  const key = JSON.stringify(options);
  if (!NUMBERS.has(key)) NUMBERS.set(key, new Intl.NumberFormat(words.numbers, options));
  return NUMBERS.get(key).format(value);
}

export function millimetres(value, signed = true) {
  const digits = Math.abs(value) < 9.95 ? 1 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: signed ? "exceptZero" : "auto" };
  return number(value, options).replace("-", "−");
}

const CLOCK = new Intl.DateTimeFormat(words.language, { timeStyle: "medium", hour12: false });
export const clock = (at) => CLOCK.format(new Date(at * 1000));
