// A call to take along: drawn once more, as a picture or as a short film with its words, and handed to the phone.

import { button, html } from "./dom.js";
import { pageIn } from "./games.js";
import { during } from "./giving.js";
import { paint } from "./painting.js";
import { makeFilm } from "./show.js";
import { sceneOf } from "./show_scene.js";
import { callText } from "./verdict.js";
import { name, say, words } from "./words.js";

const SIDE_PX = 1080;
const FOOT_PX = 170;
const FILM_SIDE_PX = 720;
const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 4e6;
const KINDS = ["video/mp4", "video/webm;codecs=vp9", "video/webm"]; // the first that this phone can write
const KEPT_MS = 10_000;

// Gives a file to the phone's share sheet where it has one, else saves it.
export async function handOver(blob, file, title) {
  const whole = new File([blob], file, { type: blob.type });
  if (navigator.canShare && navigator.canShare({ files: [whole] })) {
    try {
      await navigator.share({ files: [whole], title });
      return;
    } catch (fault) {
      if (fault.name === "AbortError") return; // somebody thought better of it
    }
  }
  const address = URL.createObjectURL(blob);
  html("a", { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

// The button that shows an entry's call, with those that share it; none where there is nothing to draw.
export function shareButtons(story, entry, watch) {
  const scene = sceneOf(story, entry);
  if (!scene) return null;
  const note = html("p", { class: "note", role: "status" });
  const file = `linesies-${entry.row}`;
  const title = titleOf(story, entry);
  const picture = button(words.sharing.picture, () => {
    const { canvas, draw, seconds, close } = makeCanvas(story, entry, scene, SIDE_PX);
    draw(seconds);
    close();
    canvas.toBlob((blob) => handOver(blob, `${file}.png`, title), "image/png");
  });
  let blob = null;
  const film = button(words.sharing.film, async () => {
    if (!blob) {
      blob = await during(place, () => filmOf(makeCanvas(story, entry, scene, FILM_SIDE_PX), (left) => tell(say(words.sharing.filming, { s: left }))));
      tell(words.sharing.filmed);
      film.textContent = words.sharing.hand_over; // by a tap of its own: a phone hands nothing over without one
      return;
    }
    const ending = blob.type.includes("mp4") ? "mp4" : "webm";
    handOver(blob, `${file}.${ending}`, title);
  });
  const tell = (text) => {
    if (note.textContent !== text) note.textContent = text; // it is read out whenever it is written
  };
  const place = html("div", { class: "sharing" }, html("div", { class: "shares" }, watch, picture, "MediaRecorder" in window ? film : null), note);
  return place;
}

const titleOf = (story, entry) => {
  const result = pageIn(story).verdict(entry);
  return [name(result.player), callText(result).replace("\n", " ")].filter(Boolean).join(": ");
};

// A canvas on which any moment of the show can be drawn, with its words beneath.
function makeCanvas(story, entry, scene, side) {
  const foot = Math.round((FOOT_PX * side) / SIDE_PX);
  const canvas = html("canvas", { width: side, height: side + foot });
  const context = canvas.getContext("2d");
  const film = makeFilm(story, scene);
  const shelf = html("div", { class: "unseen", "aria-hidden": "true" }, film.picture, film.stamp); // styles are known only on the page
  document.body.append(shelf);
  const colours = getComputedStyle(film.stamp);
  const [ground, ink] = ["--street", "--ink"].map((key) => getComputedStyle(document.documentElement).getPropertyValue(key));
  const family = colours.fontFamily;
  const when = new Date(entry.at * 1000).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short" });

  const draw = (second) => {
    film.draw(second);
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    paint(context, film.picture, side);
    stamp(context, film.stamp.textContent.toLocaleUpperCase(words.language), film.fallen(second), { side, colours, family });
    context.fillStyle = ground;
    context.fillRect(0, side, side, foot);
    context.fillStyle = ink;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.font = `800 ${foot * 0.32}px ${family}`;
    context.fillText(titleOf(story, entry), side * 0.04, side + foot * 0.45, side * 0.92);
    context.font = `400 ${foot * 0.19}px ${family}`;
    context.fillText(`Linesies · ${when}`, side * 0.04, side + foot * 0.8, side * 0.92);
  };
  return { canvas, draw, seconds: film.seconds, close: () => shelf.remove() };
}

function stamp(context, text, fallen, { side, colours, family }) {
  if (!fallen) return;
  context.save();
  context.globalAlpha = Math.min(1, 2 * fallen);
  context.translate(side / 2, side * 0.84);
  context.rotate((-4 * Math.PI) / 180);
  context.scale(3 - 2 * fallen, 3 - 2 * fallen);
  const size = side * 0.075;
  context.font = `800 ${size}px ${family}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const width = Math.min(side * 0.86, context.measureText(text).width) + size;
  context.fillStyle = colours.backgroundColor;
  context.fillRect(-width / 2, -size * 0.75, width, size * 1.5);
  context.strokeStyle = colours.color;
  context.lineWidth = size * 0.12;
  context.strokeRect(-width / 2, -size * 0.75, width, size * 1.5);
  context.fillStyle = colours.color;
  context.fillText(text, 0, size * 0.06, side * 0.86);
  context.restore();
}

// Films a show as it runs; `tell` hears how many seconds it takes yet.
function filmOf({ canvas, draw, seconds, close }, tell) {
  const type = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_A_SECOND), { mimeType: type, videoBitsPerSecond: BITS_A_SECOND });
  const pieces = [];
  recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
  return new Promise((resolve) => {
    recorder.addEventListener("stop", () => {
      close();
      resolve(new Blob(pieces, { type }));
    });
    const begun = performance.now();
    const step = () => {
      const second = (performance.now() - begun) / 1000;
      draw(Math.min(second, seconds));
      tell(Math.max(0, Math.ceil(seconds - second)));
      if (second < seconds) setTimeout(step, 1000 / FRAMES_A_SECOND); // a page in the background draws no frames
      else recorder.stop();
    };
    draw(0);
    recorder.start();
    step();
  });
}
