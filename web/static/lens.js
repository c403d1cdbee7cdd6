// The spot that is argued about, true to scale: paint as surveyed, the footprint, the gap with its band of doubt.

import { svg } from "./dom.js";
import { points } from "./board.js";
import { band } from "./verdict.js";
import { millimetres } from "./words.js";

const WINDOW = 1.25; // half of what the lens shows, in radii
const SHIFT = 0.45; // how far its middle lies inside the footprint, in radii

// Where a call is argued about, from its own numbers and the surveyed paint: {radius, at, middle, half, near}, where
// `at(mm)` is so far beyond the footprint's edge towards the paint. Null where no paint is known or all lies far off.
export function argued(setUp, call) {
  if (!setUp || !call || !Number.isFinite(call.x)) return null;
  const radius = (call.diameter || 26) / 2;
  const paint = nearestPaint(setUp.lines, [call.x, call.y]);
  if (!paint || Math.abs(call.gap) > radius * 1.6) return null;
  const away = [call.x - paint[0], call.y - paint[1]];
  const length = Math.hypot(...away) || 1;
  const inside = radius + call.gap < 0 ? -1 : 1; // the centre itself may lie over the paint
  const unit = [(away[0] / length) * inside, (away[1] / length) * inside];
  const edge = [call.x - unit[0] * radius, call.y - unit[1] * radius];
  const at = (mm) => [edge[0] - unit[0] * mm, edge[1] - unit[1] * mm];
  const near = setUp.lines.filter((line) => line.outline.some(([x, y]) => Math.hypot(x - call.x, y - call.y) < 40 * radius));
  return { radius, at, middle: at(-radius * SHIFT), half: radius * WINDOW, near };
}

// Returns an SVG, or null where there is nothing to argue about.
export function makeLens(setUp, call, colour) {
  const place = argued(setUp, call);
  if (!place) return null;
  const { radius, at, middle, half, near } = place;
  const view = `${middle[0] - half} ${middle[1] - half} ${2 * half} ${2 * half}`;
  const pen = half / 40;
  const reach = band(call);
  const segment = (from, to, attributes) =>
    svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], "stroke-linecap": "round", ...attributes });
  return svg(
    "svg",
    { class: "lens", viewBox: view, role: "img", "aria-label": `${millimetres(call.gap)} mm` },
    svg("g", { class: "paint" }, near.map((line) => svg("polygon", { points: points(line.outline) }))),
    svg("circle", { cx: call.x, cy: call.y, r: radius, fill: colour, class: "footprint", "stroke-width": pen }),
    segment(at(call.gap - reach), at(call.gap + reach), { class: "band", "stroke-width": pen * 5 }),
    segment(at(0), at(call.gap), { class: "gap", "stroke-width": pen * 2 }),
    ruler(middle, half, pen),
  );
}

// A bar of a centimetre, in the corner.
function ruler([x, y], half, pen) {
  const [left, bottom] = [x - half * 0.86, y + half * 0.84];
  const bar = svg("rect", { x: left, y: bottom, width: 10, height: pen * 1.5, class: "ruler" });
  return [bar, svg("text", { x: left, y: bottom - pen * 4, "font-size": half * 0.17, class: "ruler" }, "1 cm")];
}

// The name of the region that a point lies in, undefined where it lies in none.
export const regionAt = (regions, spot) => (regions.find(({ polygon }) => holds(polygon, spot)) || {}).name;

// How far a point is from the nearest edge of paint.
export function nearestPaintMm(lines, spot) {
  const near = nearestPaint(lines, spot);
  return near ? distance(near, spot) : Infinity;
}

// The region that a point lies in, or the one nearest to it.
export function nearestRegion(regions, spot) {
  const away = ({ polygon }) => {
    const edge = Math.min(...polygon.map((corner, i) => distance(nearestOn(corner, polygon[(i + 1) % polygon.length], spot), spot)));
    return holds(polygon, spot) ? -edge : edge;
  };
  return regions.reduce((best, region) => (away(region) < away(best) ? region : best)).name;
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

function holds(polygon, [x, y]) {
  return polygon.reduce((inside, [ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    return ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay) ? !inside : inside;
  }, false);
}

function nearestPaint(lines, spot) {
  let best = null;
  let least = Infinity;
  for (const { outline } of lines) {
    for (let i = 0; i < outline.length; i += 1) {
      const near = nearestOn(outline[i], outline[(i + 1) % outline.length], spot);
      const away = distance(near, spot);
      if (away < least) [best, least] = [near, away];
    }
  }
  return best;
}

function nearestOn([ax, ay], [bx, by], [px, py]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  const t = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
  return [ax + t * dx, ay + t * dy];
}
