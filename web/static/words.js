// The page's words in the phone's language, names of players, targets and numbers as people say them.

import { recalled, remember } from "./memory.js";
import en from "./words_en.js";
import es from "./words_es.js";

const CATALOGUES = { en, es };
const KEY = "linesies-language";
const wanted = [recalled(KEY), ...(navigator.languages || [navigator.language]).map((tag) => tag.slice(0, 2))];
export const words = CATALOGUES[wanted.find((tag) => CATALOGUES[tag])] || en;
document.documentElement.lang = words.language;

// To the next language that the page knows; it is remembered.
export function turnLanguage() {
  const known = Object.keys(CATALOGUES);
  remember(KEY, known[(known.indexOf(words.language) + 1) % known.length]);
  window.location.reload();
}

export const say = (template, values = {}) =>
  (template || "").replace(/\{(\w+)\}/g, (_, key) => (values[key] === undefined ? "" : String(values[key])));

export function capital(text) {
  const [first = "", ...rest] = [...String(text || "")];
  return first.toLocaleUpperCase(words.language) + rest.join("");
}

export const name = capital;

export const names = (players) => new Intl.ListFormat(words.language, { type: "conjunction" }).format(players.map(name));

export const either = (players) => new Intl.ListFormat(words.language, { type: "disjunction" }).format(players.map(name));

// "5f" -> 5, "12b" -> 12 back, "13k" -> 13 for killer, "k3" -> “killer”.
export function target(code) {
  const { box, way } = parts(code);
  if (way === "word") return say(words.targets.word, { word: words.spoken_words[code] });
  if (way === "killer") return words.targets.killer;
  if (way === "killer_round") return words.targets.killer_round;
  return say(way === "back" ? words.targets.back : words.targets.forward, { box });
}

export function parts(code) {
  const text = String(code || "");
  if (/^k[1-4]$/.test(text)) return { box: `skull${text[1]}`, way: "word" };
  if (text === "killer") return { box: "", way: "killer" };
  if (text === "13k") return { box: "13", way: "killer_round" };
  return { box: text.replace(/[fb]$/, ""), way: text.endsWith("b") ? "back" : "forward" };
}

export function place(code) {
  if (code === undefined || code === null) return "";
  const text = String(code);
  if (text in words.places) return words.places[text];
  return say(words.places.in, { box: text.startsWith("skull") ? words.places.skull : text });
}

export function millimetres(value, signed = true) {
  const digits = Math.abs(value) < 9.95 ? 1 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: signed ? "exceptZero" : "auto" };
  return new Intl.NumberFormat(words.language, options).format(value).replace("-", "−");
}

export const clock = (at) => new Date(at * 1000).toLocaleTimeString(words.language, { timeStyle: "medium", hour12: false });
