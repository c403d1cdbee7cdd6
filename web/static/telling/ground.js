// The board on a sheet: a cap is dragged to where it came to rest, or tapped and then its place; hitter and victim are
// tapped one after the other.

import { capDisc, colours, initials, middle, points } from "../board.js";
import { svg } from "../dom.js";
import { nearestPaintMm, regionAt } from "../lens.js";
import { name, say, words } from "../words.js";

const CAP_SHARE = 0.036; // a cap's radius on the sheet, of the board's width
const MARGIN_SHARE = 0.09; // so much round the board, for caps that lie off it
const BESIDE_SHARE = 0.04; // so far off it a cap is drawn at most, for its ring to be whole
const PAINT_SHARE = 0.022; // a cap let go so near to paint is on the line
const DRAG_SHARE = 0.02; // a finger that moves less has tapped

// `places` says by cap where each lies by the draft; `onRest(cap, place)`, `onHit(hitter, victim)` and `onChosen(cap)`
// take what people say. `chosen` is the cap that was tapped last.
export function groundOf(story, { spots, places, chosen, page }, { onRest, onHit, onChosen }) {
  const { board, lines } = story.set_up;
  const [width, height] = board.size;
  const [radius, margin] = [width * CAP_SHARE, width * MARGIN_SHARE];
  const known = colours(story);
  const letters = initials([...known.keys()]);
  const placeOf = ([x, y]) => {
    const region = regionAt(board.regions, [x, y]);
    if (x < -radius || y < -radius || x > width + radius || y > height + radius) return "off";
    if (nearestPaintMm(lines, [x, y]) < width * PAINT_SHARE) return page.lineOf(region);
    return region || "open";
  };
  const caps = svg("g");
  const picture = svg("svg", { class: "ground", viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`, role: "group", "aria-label": words.right.ground },
    svg("g", { class: "paint" }, lines.map(({ outline }) => svg("polygon", { points: points(outline) }))),
    board.regions.map(({ name: region, polygon }) => {
      const [x, y] = middle(polygon);
      return svg("g", { class: "box", "data-box": region }, svg("polygon", { points: points(polygon) }), svg("text", { x, y, "font-size": width * page.marks.sizeOf(region) }, page.marks.number(region, story)));
    }), caps);
  const spotAt = ({ clientX, clientY }) => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
    return [at.x, at.y];
  };

  let held = null; // {cap, from, group}: the cap under the finger
  picture.addEventListener("pointerdown", (event) => {
    const group = event.target.closest("[data-cap]");
    if (!group) return;
    held = { cap: group.dataset.cap, from: spotAt(event), group };
    picture.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  picture.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = spotAt(event);
    if (isDrag(held.from, [x, y])) held.moved = [x, y];
    if (held.moved) held.group.style.transform = `translate(${x}px, ${y}px)`;
  });
  const drop = (event) => {
    if (!held) return;
    const { cap, moved } = held;
    held = null;
    picture.dataset.handled = String(event.timeStamp);
    if (moved) onRest(cap, placeOf(moved), moved);
    else tapped(cap);
  };
  picture.addEventListener("pointerup", drop);
  picture.addEventListener("pointercancel", () => {
    held = null;
  });
  picture.addEventListener("click", (event) => {
    if (event.target.closest("[data-cap]") || !chosen) return;
    if (event.timeStamp - Number(picture.dataset.handled || -1e6) < 400) return; // the click that ends a drag
    const spot = spotAt(event);
    onRest(chosen, placeOf(spot), spot);
  });
  const tapped = (cap) => (chosen && chosen !== cap ? onHit(chosen, cap) : onChosen(cap));
  const isDrag = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by) > width * DRAG_SHARE;

  for (const [player, colour] of known) {
    const spot = spots.get(player);
    if (!spot) continue;
    const lies = places[player];
    const label = lies ? say(words.voice.lies, { player: name(player), place: page.place(lies) }) : name(player);
    const group = svg("g", { class: `cap ${player === chosen ? "chosen" : ""} ${lies ? "said" : ""}`, "data-cap": player, role: "button", tabindex: "0", "aria-label": label },
      svg("circle", { r: radius * 1.7, class: "reach" }), svg("circle", { r: radius * 1.35, class: "ring" }), capDisc(colour, letters.get(player), radius));
    group.style.transform = `translate(${spot[0]}px, ${spot[1]}px)`;
    group.addEventListener("keydown", (event) => {
      if (![" ", "Enter"].includes(event.key)) return;
      event.preventDefault(); // nothing scrolls
      tapped(player);
    });
    group.addEventListener("click", ({ detail }) => detail === 0 && tapped(player)); // a screen reader's, without a finger
    caps.append(group);
  }
  return picture;
}

// Where every cap lies to begin with: as it was measured last, else in the middle of its place, else beside the board.
export function spotsOf(story, people, calls, state, moved) {
  const { board } = story.set_up;
  const [width, height] = board.size;
  const limit = (value, size) => Math.min(size * (1 + BESIDE_SHARE), Math.max(-size * BESIDE_SHARE, value));
  return new Map(people.map((player, i) => {
    const at = ((state.players || []).find((one) => one.name === player) || {}).at;
    const region = board.regions.find(({ name: one }) => one === at);
    const call = calls[player];
    const beside = [width * (0.1 + (0.8 * (i + 0.5)) / people.length), height * (1 + BESIDE_SHARE)];
    const [x, y] = moved.get(player) || (call ? [call.x, call.y] : region ? middle(region.polygon) : beside);
    return [player, [limit(x, width), limit(y, height)]];
  }));
}
