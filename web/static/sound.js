// The call aloud, after one tap: a tone for its meaning, then its words.

import { words } from "./words.js";

// [frequency in Hz, start in s, length in s]
const TONES = {
  good: [[660, 0, 0.13], [990, 0.15, 0.22]],
  bad: [[196, 0, 0.45]],
  doubt: [[494, 0, 0.14], [494, 0.22, 0.14]],
  plain: [[392, 0, 0.12]],
};

export function makeSound() {
  let context = null;
  let isOn = false;

  function toggle() {
    isOn = !isOn;
    if (isOn && !context && window.AudioContext) context = new AudioContext();
    if (isOn && context) context.resume();
    if (isOn) play("good");
    else if (window.speechSynthesis) speechSynthesis.cancel();
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

  function tell(kind, text) {
    if (!isOn) return;
    play(kind);
    if (!window.speechSynthesis || !text) return;
    speechSynthesis.cancel();
    const speech = new SpeechSynthesisUtterance(text);
    speech.lang = words.language;
    setTimeout(() => speechSynthesis.speak(speech), 450);
  }

  return { toggle, tell, play };
}
