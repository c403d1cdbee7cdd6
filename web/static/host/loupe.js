// The camera's picture, and the loupe that shows the spot under a finger enlarged beside it.

import { html } from "../dom.js";
import { recalled, remember } from "../memory.js";
import { words } from "../words.js";

const LOUPE_PX = 132;
const TIMES = 5;
const AGAIN_MS = 1200;
const LIVE_MS = 1000;
const RATIO = "linesies-picture-ratio"; // how many times as wide as high the picture was when it was seen last

// A place for the camera's picture, as large as that will be: nothing moves when it comes.
export function makeStage(kind = "") {
  const stage = html("div", { class: `corners ${kind}` });
  const ratio = Number(recalled(RATIO));
  if (ratio) stage.style.setProperty("--ratio", ratio);
  return stage;
}

// Puts the camera's picture into a stage; asks again until there is one, then calls `ready(image)` once.
export function showPicture(stage, ready) {
  const image = html("img", { alt: words.host.picture });
  const load = () => {
    image.src = `/camera.jpg?${Date.now()}`;
  };
  image.addEventListener("load", () => {
    remember(RATIO, image.naturalWidth / image.naturalHeight);
    ready(image);
  }, { once: true });
  image.addEventListener("error", () => setTimeout(() => stage.isConnected && load(), AGAIN_MS));
  stage.append(image);
  load();
}

// Shows what the camera sees again and again, for as long as the stage is there.
export function livePicture(stage) {
  showPicture(stage, (image) => {
    const look = () => {
      if (stage.isConnected) image.src = `/camera.jpg?${Date.now()}`;
    };
    image.addEventListener("load", () => setTimeout(look, LIVE_MS));
    setTimeout(look, LIVE_MS);
  });
}

// Spots are in pixels of the camera's picture.
export function makeLoupe(stage, image) {
  const size = [image.naturalWidth, image.naturalHeight];
  const loupe = html("div", { class: "loupe", hidden: true }, html("span", { class: "cross" }));
  stage.append(loupe);

  // All of the picture is shown in the middle of its place, which may be of another shape.
  function shown() {
    const place = image.getBoundingClientRect();
    const scale = Math.min(place.width / size[0], place.height / size[1]);
    return { scale, left: place.left + (place.width - scale * size[0]) / 2, top: place.top + (place.height - scale * size[1]) / 2 };
  }

  function show(spot) {
    const scale = shown().scale * TIMES;
    loupe.hidden = false;
    loupe.classList.toggle("right", spot[0] < size[0] / 2);
    loupe.style.backgroundImage = `url("${image.src}")`;
    loupe.style.backgroundSize = `${size[0] * scale}px ${size[1] * scale}px`;
    loupe.style.backgroundPosition = spot.map((value) => `${LOUPE_PX / 2 - value * scale}px`).join(" ");
  }

  function spotOf({ clientX, clientY }) {
    const { scale, left, top } = shown();
    return [(clientX - left) / scale, (clientY - top) / scale].map((value, axis) => Math.min(size[axis], Math.max(0, value)));
  }

  const hide = () => {
    loupe.hidden = true;
  };

  return { show, hide, spotOf };
}
