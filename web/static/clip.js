// The clip of a shot: slow, scrubbed with a thumb, its contacts marked.

import { html } from "./dom.js";
import { flat } from "./flat.js";
import { number, say, words } from "./words.js";

const SLOW = 0.25;
const ROOM = "(min-width: 900px), (min-width: 560px) and (max-height: 560px)"; // as in sheets.css
const SECONDS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

// Returns the clip where there is room beside it for what is asked; else what opens it, and only then it is loaded. Null
// where there is none.
export function clip(evidence) {
  if (!evidence || !evidence.clip) return null;
  if (matchMedia(ROOM).matches) return figureOf(evidence);
  const fold = html("details", { class: "filmed" }, html("summary", {}, words.clip.label));
  fold.addEventListener("toggle", () => fold.open && fold.childElementCount === 1 && fold.append(figureOf(evidence)));
  return fold;
}

function figureOf(evidence) {
  const video = html("video", { src: evidence.clip.startsWith("/") ? evidence.clip : `/evidence/${evidence.clip}`, preload: "auto", "aria-label": words.clip.label });
  video.muted = true;
  video.playsInline = true;
  video.setAttribute("playsinline", "");
  const slider = html("input", { type: "range", min: "0", max: "1", step: "0.01", value: "0", "aria-label": words.clip.scrub });
  const notches = html("div", { class: "notches" });
  const time = html("output", {}, "");
  const play = html("button", { type: "button", class: "play" }, words.clip.play);
  const stage = html("div", { class: "frame" }, video);
  const whole = evidence.view ? cropped(stage, video, evidence.view.at) : null;
  const figure = html("figure", { class: "clip" }, stage, html("div", { class: "track" }, notches, slider), html("div", { class: "clip-bar" }, play, jumps(evidence, video), whole, time));
  const tell = () => {
    slider.value = String(video.currentTime);
    time.textContent = `${number(video.currentTime, SECONDS)} s`;
    slider.setAttribute("aria-valuetext", time.textContent);
  };
  video.addEventListener("loadedmetadata", () => {
    slider.max = String(video.duration);
    notches.replaceChildren(...(evidence.contacts_s || []).map((at) => notch(at / video.duration)));
    video.currentTime = Math.max(0, ((evidence.contacts_s || [])[0] || 0) - 0.3);
  });
  video.addEventListener("timeupdate", tell);
  video.addEventListener("error", () => (figure.closest(".filmed") || figure).remove()); // the oldest clips go when the card is full
  video.addEventListener("pause", () => {
    play.textContent = words.clip.play;
  });
  video.addEventListener("ended", tell);
  slider.addEventListener("input", () => {
    video.pause();
    video.currentTime = Number(slider.value);
  });
  play.addEventListener("click", () => {
    if (!video.paused) {
      video.pause();
      return;
    }
    if (video.ended) video.currentTime = 0;
    video.playbackRate = SLOW;
    play.textContent = words.clip.pause;
    video.play();
  });
  return figure;
}

// Shows only where it happened, laid flat and turned as the board is drawn; returns the button that shows all instead.
function cropped(stage, video, corners) {
  let isCropped = true;
  const lay = () => {
    stage.classList.toggle("cropped", isCropped);
    const [width, height] = [video.offsetWidth, video.offsetHeight];
    video.style.transform = isCropped && height ? flat(corners.map(([x, y]) => [x * width, y * height]), stage.clientWidth) : "";
  };
  const button = html("button", { type: "button", "aria-pressed": "false", onclick: () => {
    isCropped = !isCropped;
    button.setAttribute("aria-pressed", String(!isCropped));
    lay();
  } }, words.clip.whole);
  video.addEventListener("loadedmetadata", lay);
  new ResizeObserver(lay).observe(stage);
  return button;
}

// A button a contact, for those who cannot see the notches.
function jumps(evidence, video) {
  return (evidence.contacts_s || []).map((at, i) => html("button", { type: "button", class: "jump", onclick: () => {
    video.pause();
    video.currentTime = at;
  } }, say(words.clip.contact, { n: i + 1 })));
}

function notch(share) {
  const mark = html("span", { class: "notch" });
  mark.style.left = `${(100 * share).toFixed(2)}%`;
  return mark;
}
