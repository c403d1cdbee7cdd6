// The board from above, as it is really painted, with every cap where it lies.
//
// A cap is a few pixels wide on a phone, so caps are drawn larger than they are, with their initial; the true
// size is the dot beneath, and the lens (lens.js), where lines are argued about. Discs that would cover one another
// are pushed apart; the dots stay.

import { back, card } from "./cards/card.js";
import { svg, tappable } from "./dom.js";
import { rove } from "./focus.js";
import { pageIn } from "./games.js";
import { name, say, words } from "./words.js";

const CAP_PX = 12; // a cap's least radius on the screen,
const CAP_SHARE = 0.024; // and of the picture's height: a television is seen from across the street
const DRAWN = 100; // the radius with which a cap is drawn before it is scaled
const RING = 1.28; // of it, the radius of the ring round whose turn it is
const PALETTE = ["#1f5fae", "#e8c21e", "#c0392b", "#3a7d44", "#f1efe8", "#6a2a86", "#d97b1c", "#2aa5a0"]; // of those who have no cap
const MARGIN_SHARE = 0.05;
const ELBOW = 1.7; // discs are pushed apart to so many radii
const PUSHES = 80; // enough for six in a row
const SLACK = 0.999; // so near to `apart` is far enough: halving what lacks comes there soon, and to all of it never
const STILL_MM = 3;
const FULL_SHARE = 0.06; // beyond so much of the board, what lies outside is drawn nearer, so that the board stays large
const BEYOND = 0.2;

export const points = (outline) => outline.map(([x, y]) => `${x},${y}`).join(" ");

export function middle(polygon) {
  const n = polygon.length;
  return [polygon.reduce((sum, [x]) => sum + x, 0) / n, polygon.reduce((sum, [, y]) => sum + y, 0) / n];
}

// Two players with one initial get two letters.
export function initials(players) {
  const first = (player) => [...name(player)][0] || "?";
  const twins = (player) => players.filter((other) => first(other) === first(player)).length > 1;
  return new Map(players.map((player) => [player, twins(player) ? [...name(player)].slice(0, 2).join("") : first(player)]));
}

export function colours(story) {
  const caps = (story.set_up && story.set_up.caps) || [];
  const known = new Map(caps.map((cap) => [cap.player, cap.colour]));
  for (const [i, player] of ((story.game && story.game.players) || []).entries()) if (!known.has(player)) known.set(player, PALETTE[i % PALETTE.length]);
  return known;
}

export const isLight = (colour) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
};

export function capDisc(colour, initial, radius) {
  const ink = isLight(colour) ? "#15191a" : "#ffffff";
  return [
    svg("circle", { r: radius, fill: colour, class: "disc" }),
    svg("text", { class: "initial", fill: ink, "font-size": radius * (initial.length > 1 ? 0.95 : 1.25), y: radius * 0.06 }, initial),
  ];
}

// `marks` is what the game says of its board: number, boxName and sizeOf of a region, which regions are `lit`, who
// `isAtStart` and whose cap `isGone`.
export function makeBoard(place, marks, { onCap, onBox }) {
  let setUp = null;
  let frame = null;
  let layers = null;
  let stop = null; // sees to it that Tab stops at one of them
  let seen = null; // what is shown: [story, now]
  let heightPx = 390; // of the picture, as the browser has laid it out; asking for it would lay all of the page out anew
  const caps = new Map(); // player -> {disc, dot, fit}
  const rests = new Map(); // player -> [place at rest, place of its disc], kept while other caps move

  function draw(story) {
    setUp = story.set_up;
    caps.clear();
    layers = { lines: svg("g", { class: "paint" }), boxes: svg("g"), dots: svg("g"), caps: svg("g") };
    const { board, lines } = setUp;
    for (const line of lines) layers.lines.append(svg("polygon", { points: points(line.outline) }));
    if (board.start_line) {
      const [[x1, y1], [x2, y2]] = board.start_line.map((end) => nearer(end, board.size));
      layers.lines.append(svg("line", { x1, y1, x2, y2, class: "start", "stroke-width": board.line_width }));
    }
    for (const region of board.regions) layers.boxes.append(box(region, story));
    const ordered = [layers.boxes, layers.lines, layers.dots, layers.caps];
    const picture = svg("svg", { role: "group", "aria-label": words.page.board }, ordered);
    place.replaceChildren(picture);
    new ResizeObserver(([{ contentRect }]) => {
      if (!picture.isConnected) return; // a card table took its place
      heightPx = contentRect.height || heightPx;
      show(...seen);
    }).observe(picture);
    stop = rove(picture, () => [...layers.caps.children, ...layers.boxes.children]);
    frame = null;
  }

  function box(region, story) {
    const [x, y] = middle(region.polygon);
    const shape = svg("polygon", { points: points(region.polygon) });
    const label = svg("text", { x, y, "font-size": setUp.board.size[0] * marks.sizeOf(region.name) }, marks.number(region.name, story));
    const group = svg("g", { class: "box", "data-box": region.name }, shape, label);
    return tappable(group, marks.boxName(region.name), () => onBox(region.name));
  }

  // The picture takes in the start line only while somebody has to shoot from there.
  function look(story, spots) {
    const [width, height] = setUp.board.size;
    const margin = width * MARGIN_SHARE;
    const box = { left: -margin, top: -margin, right: width + margin, bottom: height + margin };
    const players = (story.state && story.state.players) || [];
    const waiting = players.filter(marks.isAtStart);
    if (waiting.length) {
      const theirs = waiting.map((player) => spots.get(player.name)).filter((spot) => spot && isNear(spot, width, height));
      const start = [...(setUp.board.start_line || []).map((end) => nearer(end, setUp.board.size)), ...theirs];
      for (const [x, y] of start) take(box, x, y, margin);
    }
    const next = `${box.left} ${box.top} ${box.right - box.left} ${box.bottom - box.top}`;
    if (next === frame) return box;
    frame = next;
    place.firstChild.setAttribute("viewBox", next);
    return box;
  }

  function show(story, now) {
    seen = [story, now];
    if (!(story.set_up || {}).board) { // a game that nobody's camera sees has no board to be drawn
      const awaited = now && now.doing ? now.doing.what : "street";
      if (setUp || !place.firstChild || place.querySelector(`.nothing:not(.of-${awaited})`)) place.replaceChildren(nothing[awaited]());
      setUp = null;
      return;
    }
    if (setUp !== story.set_up || !place.querySelector(".paint")) draw(story);
    const spots = new Map(Object.entries(story.calls || {}).map(([player, call]) => [player, [call.x, call.y]]));
    for (const [player, spot] of Object.entries((now && now.caps) || {})) spots.set(player, spot);
    for (const [player, spot] of spots) spots.set(player, nearer(spot, setUp.board.size));
    const bounds = look(story, spots);
    light(story);
    placeCaps(story, spots, bounds, now);
    stop();
  }

  function light(story) {
    const lit = story.state ? marks.lit(story) : [];
    for (const group of layers.boxes.children) group.classList.toggle("target", lit.includes(group.dataset.box));
  }

  function placeCaps(story, spots, bounds, now) {
    const gone = new Set(((story.state && story.state.players) || []).filter(marks.isGone).map((one) => one.name));
    const known = colours(story);
    const letters = initials([...known.keys()]);
    const least = Math.max(CAP_PX / heightPx, CAP_SHARE) * Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top);
    const isFlying = Boolean(now && now.at_rest === false);
    const shown = [...known].filter(([player]) => spots.has(player) && !gone.has(player));
    for (const player of caps.keys()) if (!shown.some(([one]) => one === player)) takeAway(player);
    const edge = least * RING;
    const within = ([x, y]) => [clamp(x, bounds.left + edge, bounds.right - edge), clamp(y, bounds.top + edge, bounds.bottom - edge)];
    const places = shown.map(([player]) => within(spots.get(player)));
    const apart = isFlying ? places.map((spot, i) => restOf(shown[i][0], spot)) : pushedApart(places, least * ELBOW, within);
    if (!isFlying) for (const [i, [player]] of shown.entries()) rests.set(player, [places[i], apart[i]]);
    for (const [i, [player, colour]] of shown.entries()) {
      if (!caps.has(player)) caps.set(player, cap(player, colour, letters.get(player)));
      const { disc, dot, fit } = caps.get(player);
      fit(least);
      put(disc, apart[i]);
      put(dot, spots.get(player));
      disc.classList.toggle("away", Math.hypot(places[i][0] - spots.get(player)[0], places[i][1] - spots.get(player)[1]) > least);
      disc.classList.toggle("turn", Boolean(story.state && story.state.turn === player));
      disc.setAttribute("aria-label", capName(player, story));
      for (const one of [disc, dot]) one.classList.toggle("flying", isFlying);
    }
  }

  function restOf(player, spot) {
    const [rest, disc] = rests.get(player) || [spot, spot];
    return Math.hypot(rest[0] - spot[0], rest[1] - spot[1]) < STILL_MM ? disc : spot;
  }

  function takeAway(player) {
    const { disc, dot } = caps.get(player);
    disc.remove();
    dot.remove();
    caps.delete(player);
  }

  // `fit` draws it with the least radius that is seen well, which changes as the phone is turned and the start line leaves.
  function cap(player, colour, initial) {
    const { diameter = 0 } = setUp.caps.find((one) => one.player === player) || {};
    const picture = svg("g", {}, svg("circle", { r: DRAWN * RING, class: "ring" }), capDisc(colour, initial, DRAWN));
    const group = svg("g", { class: "cap", "data-player": player }, picture);
    const reach = svg("circle", { class: "reach", onclick: () => onCap(player) }); // for thumbs
    const size = svg("circle", { fill: colour, class: "dot" });
    const dot = svg("g", { class: "cap" }, reach, size);
    layers.dots.append(dot);
    layers.caps.append(tappable(group, name(player), () => onCap(player)));
    const fit = (least) => {
      const radius = Math.max(least, diameter / 2);
      picture.setAttribute("transform", `scale(${radius / DRAWN})`);
      reach.setAttribute("r", radius * 1.9);
      size.setAttribute("r", (diameter || least) / 2);
    };
    return { disc: group, dot, fit };
  }

  return { show };
}

// A line and a cap, until there is a board to show; two cards, one face down, until there is a table.
const nothing = {
  street: () => svg("svg", { class: "nothing of-street", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("path", { d: "M60 18v64", class: "chalk" }), svg("circle", { cx: 38, cy: 50, r: 16, fill: "#d8432b", class: "disc" })),
  table: () => svg("svg", { class: "nothing of-table", viewBox: "0 0 120 100", "aria-hidden": "true" },
    laid(back(), "translate(14 18) rotate(-8)"), laid(card({ top: "7", colour: "black", label: "" }), "translate(66 10) rotate(6)")),
};

function laid(one, transform) {
  one.setAttribute("width", 47);
  one.setAttribute("height", 66);
  return svg("g", { transform }, one);
}

// A cap as it is read out: whose it is and where it lies.
function capName(player, story) {
  const one = ((story.state && story.state.players) || []).find((other) => other.name === player);
  return one && one.at ? say(words.voice.lies, { player: name(player), place: pageIn(story).place(one.at) }) : name(player);
}

const put = (element, [x, y]) => {
  element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
};

// Moves points that are nearer to one another than `apart` away from one another, each by half of what lacks, and keeps
// each where it may be, until none is. Where the edge is in the way they go along it: behind the start line all have one row.
function pushedApart(spots, apart, within) {
  const moved = spots.map(within);
  let isApart = false;
  for (let push = 0; push < PUSHES && !isApart; push += 1) {
    isApart = true;
    for (let i = 0; i < moved.length; i += 1) {
      for (let j = 0; j < i; j += 1) {
        const away = distance(moved[i], moved[j]);
        if (away >= apart * SLACK) continue;
        isApart = false;
        const [dx, dy] = [moved[i][0] - moved[j][0], moved[i][1] - moved[j][1]];
        const step = (apart - away) / 2;
        const along = ([ux, uy]) => [within([moved[i][0] + ux * step, moved[i][1] + uy * step]), within([moved[j][0] - ux * step, moved[j][1] - uy * step])];
        const straight = along(away > 0.01 ? [dx / away, dy / away] : [1, 0]);
        [moved[i], moved[j]] = distance(...straight) < away + step ? along([dx < 0 ? -1 : 1, 0]) : straight;
      }
    }
  }
  return moved;
}

const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

// A spot far outside the board, drawn nearer to it.
export function nearer(spot, size) {
  return spot.map((value, axis) => {
    const [low, high] = [-FULL_SHARE * size[axis], (1 + FULL_SHARE) * size[axis]];
    return value < low ? low + (value - low) * BEYOND : value > high ? high + (value - high) * BEYOND : value;
  });
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const isNear = ([x, y], width, height) => x > -width / 2 && y > -height / 2 && x < width * 1.5 && y < height * 1.5;

function take(box, x, y, margin) {
  box.left = Math.min(box.left, x - margin);
  box.top = Math.min(box.top, y - margin);
  box.right = Math.max(box.right, x + margin);
  box.bottom = Math.max(box.bottom, y + margin);
}
