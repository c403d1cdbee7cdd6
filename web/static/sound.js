// The call aloud, after one tap: a tone for its meaning, then its words.

import { html } from "./dom.js";
import { recalled, remember } from "./memory.js";
import { words } from "./words.js";

const KEY = "linesies-caller";
const AMOUNTS = ["tones", "calls", "story"];
const TONE_MS = 450; // the tone comes first
const UMPIRES_PACE = 1.1;

// [frequency in Hz, start in s, length in s]
const TONES = {
  good: [[660, 0, 0.13], [990, 0.15, 0.22]],
  bad: [[196, 0, 0.45]],
  doubt: [[494, 0, 0.14], [494, 0.22, 0.14]],
  plain: [[392, 0, 0.12]],
};

let isOn = false;

const howMuch = () => (AMOUNTS.includes(recalled(KEY)) ? recalled(KEY) : "calls");

// The page's language as people speak it where this phone is from: es-PR before es.
const spoken = navigator.languages.find((one) => one.slice(0, 2) === words.language) || words.language;

// A voice that this phone has itself, before one that needs the internet; of those the one that speaks as people here do.
function voice() {
  const known = speechSynthesis.getVoices().filter(({ lang }) => lang.slice(0, 2) === words.language);
  const worth = ({ localService, lang }) => 2 * localService + (lang.replace("_", "-") === spoken);
  return known.sort((one, other) => worth(other) - worth(one))[0] || null;
}

// An iPhone speaks by itself only once it has spoken within a tap: the one that turns sound on, or that chooses words.
function speak(text) {
  if (!window.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(text);
  speech.voice = voice();
  speech.lang = speech.voice ? speech.voice.lang : spoken;
  speech.rate = UMPIRES_PACE;
  speechSynthesis.speak(speech);
}

// How much is said aloud on this phone.
export function callerChoice() {
  const buttons = AMOUNTS.map((amount) => html("button", { type: "button", onclick: () => {
    remember(KEY, amount);
    mark();
    if (isOn && amount !== "tones") speak(words.caller[amount]);
  } }, words.caller[amount]));
  const mark = () => buttons.forEach((button, i) => {
    const isChosen = AMOUNTS[i] === howMuch();
    button.classList.toggle("on", isChosen);
    button.setAttribute("aria-pressed", String(isChosen));
  });
  mark();
  return [html("h3", {}, words.caller.title), html("div", { class: "segments", role: "group", "aria-label": words.caller.title }, buttons)];
}

export function makeSound() {
  let context = null;

  function toggle() {
    isOn = !isOn;
    if (isOn && !context && window.AudioContext) context = new AudioContext();
    if (isOn && context) context.resume();
    if (isOn) play("good");
    if (!isOn && window.speechSynthesis) speechSynthesis.cancel();
    if (isOn && howMuch() !== "tones") speak(words.page.sound_on);
    return isOn;
  }

  function play(kind) {
    if (!isOn || !context) return;
    for (const [hertz, start, length] of TONES[kind] || TONES.plain) {
      const at = context.currentTime + start;
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = hertz < 300 ? "sawtooth" : "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, at);
      volume.gain.exponentialRampToValueAtTime(0.35, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + length + 0.05);
    }
  }

  // The call as an umpire makes it, or the whole story of the shot, as this phone wants it.
  function tell(kind, call, story) {
    if (!isOn) return;
    play(kind);
    const text = { tones: "", calls: call, story }[howMuch()];
    if (!window.speechSynthesis || !text) return;
    speechSynthesis.cancel();
    setTimeout(() => speak(text), TONE_MS);
  }

  return { toggle, tell, play };
}
