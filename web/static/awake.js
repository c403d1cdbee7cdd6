// Keeps the phone awake while a game is on: by a wake lock where the page is secure, else by a film of nothing.

import { html } from "./dom.js";

const FILM = "/page/awake.mp4";

export function makeAwake() {
  let isWanted = false;
  let lock = null;
  let film = null;

  async function hold() {
    if (!isWanted || document.hidden) return;
    if (navigator.wakeLock) {
      if (lock && !lock.released) return;
      lock = await navigator.wakeLock.request("screen").catch(() => null); // a battery that is low forbids it
      document.body.dataset.awake = lock ? "lock" : "";
    } else if (film) await play();
  }

  async function play() {
    const isPlaying = await film.play().then(() => true, () => false);
    document.body.dataset.awake = isPlaying ? "film" : "";
  }

  // A film may only begin with a tap.
  function onTap() {
    if (!isWanted || navigator.wakeLock || film) return;
    film = html("video", { src: FILM, playsinline: true, loop: true, class: "unseen", "aria-hidden": "true", tabindex: "-1" });
    document.body.append(film);
    play();
  }

  function show({ state }) {
    const wants = Boolean(state && state.phase !== "over");
    if (wants === isWanted) return;
    isWanted = wants;
    if (wants) {
      hold();
      return;
    }
    if (lock) lock.release();
    if (film) film.remove();
    [lock, film] = [null, null];
    document.body.dataset.awake = "";
  }

  document.addEventListener("visibilitychange", hold);
  window.addEventListener("click", onTap);
  return { show };
}
