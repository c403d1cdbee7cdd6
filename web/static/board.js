// The board from above, as it is really painted, with every cap where it lies.
//
// A cap is a few pixels wide on a phone, so caps are drawn larger than they are, with their initial; the true
// size is shown under the lens (lens.js), where lines are argued about.

import { svg, tappable } from "./dom.js";
import { name, say, target, words } from "./words.js";
import { targetRegions } from "./verdict.js";

const CAP_SHARE = 0.031; // a cap's least radius, as a share of the picture's width
const MARGIN_SHARE = 0.05;
const TRAPEZOID = /^skull[1-4]$/;

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
  return new Map(caps.map((cap) => [cap.player, cap.colour]));
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

export function makeBoard(place, { onCap, onBox }) {
  let setUp = null;
  let frame = null;
  let layers = null;
  const caps = new Map();

  function draw(story) {
    setUp = story.set_up;
    caps.clear();
    layers = { target: svg("g"), lines: svg("g", { class: "paint" }), boxes: svg("g"), caps: svg("g", { class: "caps" }) };
    const { board, lines } = setUp;
    for (const line of lines) layers.lines.append(svg("polygon", { points: points(line.outline) }));
    if (board.start_line) {
      const [[x1, y1], [x2, y2]] = board.start_line;
      layers.lines.append(svg("line", { x1, y1, x2, y2, class: "start", "stroke-width": board.line_width }));
    }
    for (const region of board.regions) layers.boxes.append(box(region, story));
    const picture = svg("svg", { role: "group", "aria-label": words.page.board }, layers.target, layers.boxes, layers.lines, layers.caps);
    place.replaceChildren(picture);
    frame = null;
  }

  function box(region, story) {
    const [x, y] = middle(region.polygon);
    const size = setUp.board.size[0] * (TRAPEZOID.test(region.name) ? 0.04 : 0.066);
    const shape = svg("polygon", { points: points(region.polygon) });
    const label = svg("text", { x, y, "font-size": size }, number(region.name, story));
    const group = svg("g", { class: "box", "data-box": region.name }, shape, label);
    return tappable(group, boxName(region.name), () => onBox(region.name));
  }

  // The picture takes in the start line only while somebody has to shoot from there.
  function look(story, spots) {
    const [width, height] = setUp.board.size;
    const margin = width * MARGIN_SHARE;
    const box = { left: -margin, top: -margin, right: width + margin, bottom: height + margin };
    const players = (story.state && story.state.players) || [];
    if (players.some((player) => player.at === "start" || player.going_for === "1f")) {
      const start = [...(setUp.board.start_line || []), ...[...spots.values()].filter((spot) => isNear(spot, width, height))];
      for (const [x, y] of start) take(box, x, y, margin * 1.4);
    }
    const next = `${box.left} ${box.top} ${box.right - box.left} ${box.bottom - box.top}`;
    if (next === frame) return box;
    frame = next;
    place.firstChild.setAttribute("viewBox", next);
    return box;
  }

  function show(story, now) {
    if (!story.set_up) {
      place.replaceChildren();
      setUp = null;
      return;
    }
    if (setUp !== story.set_up) draw(story);
    const spots = new Map(Object.entries(story.calls || {}).map(([player, call]) => [player, [call.x, call.y]]));
    for (const [player, spot] of Object.entries((now && now.caps) || {})) spots.set(player, spot);
    const bounds = look(story, spots);
    light(story);
    placeCaps(story, spots, bounds, now);
  }

  function light(story) {
    const player = ((story.state && story.state.players) || []).find((one) => one.name === story.state.turn);
    const lit = player ? targetRegions(player, story.game) : [];
    for (const group of layers.boxes.children) group.classList.toggle("target", lit.includes(group.dataset.box));
  }

  function placeCaps(story, spots, bounds, now) {
    const gone = new Set(((story.state && story.state.players) || []).filter((one) => one.at === "out").map((one) => one.name));
    const known = colours(story);
    const letters = initials([...known.keys()]);
    const least = (bounds.right - bounds.left) * CAP_SHARE;
    for (const [player, colour] of known) {
      const spot = spots.get(player);
      if (!spot || gone.has(player)) {
        if (caps.has(player)) caps.get(player).remove();
        caps.delete(player);
        continue;
      }
      if (!caps.has(player)) caps.set(player, cap(player, colour, letters.get(player), least));
      const [x, y] = [clamp(spot[0], bounds.left + least, bounds.right - least), clamp(spot[1], bounds.top + least, bounds.bottom - least)];
      const group = caps.get(player);
      group.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      group.classList.toggle("away", Math.hypot(x - spot[0], y - spot[1]) > least);
      group.classList.toggle("turn", Boolean(story.state && story.state.turn === player));
      group.classList.toggle("flying", Boolean(now && now.at_rest === false));
    }
  }

  function cap(player, colour, initial, least) {
    const kit = setUp.caps.find((one) => one.player === player);
    const radius = Math.max(least, (kit.diameter || 0) / 2);
    const reach = svg("circle", { r: radius * 1.8, class: "reach" });
    const ring = svg("circle", { r: radius * 1.28, class: "ring" });
    const group = svg("g", { class: "cap", "data-player": player }, reach, ring, capDisc(colour, initial, radius));
    layers.caps.append(tappable(group, name(player), () => onCap(player)));
    return group;
  }

  return { show };
}

function number(region, story) {
  if (!TRAPEZOID.test(region)) return region;
  const numbers = ((story.game && story.game.options) || {}).skull_numbers || [2, 4, 6, 8];
  return String(numbers[Number(region[5]) - 1]);
}

export const boxName = (region) =>
  TRAPEZOID.test(region) ? say(words.sheets.skull_box, { box: region[5] }) : say(words.sheets.box, { box: target(region) });

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const isNear = ([x, y], width, height) => x > -width / 2 && y > -height / 2 && x < width * 1.5 && y < height * 1.5;

function take(box, x, y, margin) {
  box.left = Math.min(box.left, x - margin);
  box.top = Math.min(box.top, y - margin);
  box.right = Math.max(box.right, x + margin);
  box.bottom = Math.max(box.bottom, y + margin);
}
