// The camera's picture, and the loupe that shows the spot under a finger enlarged beside it.

import { html } from "../dom.js";
import { words } from "../words.js";

const LOUPE_PX = 132;
const TIMES = 5;
const AGAIN_MS = 1200;
const LIVE_MS = 1000;

// Puts the camera's picture into a stage; asks again until there is one, then calls `ready(image)` once.
export function showPicture(stage, ready) {
  const image = html("img", { alt: words.host.picture });
  const load = () => {
    image.src = `/camera.jpg?${Date.now()}`;
  };
  image.addEventListener("load", () => ready(image), { once: true });
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

  function show(spot) {
    const scale = (image.getBoundingClientRect().width / size[0]) * TIMES;
    loupe.hidden = false;
    loupe.classList.toggle("right", spot[0] < size[0] / 2);
    loupe.style.backgroundImage = `url("${image.src}")`;
    loupe.style.backgroundSize = `${size[0] * scale}px ${size[1] * scale}px`;
    loupe.style.backgroundPosition = spot.map((value) => `${LOUPE_PX / 2 - value * scale}px`).join(" ");
  }

  function spotOf({ clientX, clientY }) {
    const shown = image.getBoundingClientRect();
    const share = [(clientX - shown.left) / shown.width, (clientY - shown.top) / shown.height];
    return share.map((value, axis) => Math.min(size[axis], Math.max(0, value * size[axis])));
  }

  const hide = () => {
    loupe.hidden = true;
  };

  return { show, hide, spotOf };
}
