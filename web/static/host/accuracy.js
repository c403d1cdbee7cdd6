// How exact calls will be, painted over the board: so many millimetres either way, box by box.

import { middle, points } from "../board.js";
import { html, svg } from "../dom.js";
import { openSheet } from "../sheets.js";
import { BAND } from "../verdict.js";
import { capital, millimetres, say, words } from "../words.js";

const GOOD_MM = 1.2; // either way: what argues about less than that argues with the paint
const POOR_MM = 2.4;

export const isMeasured = (story) => regionsOf(story).length > 0;

const regionsOf = (story) => ((story.set_up && story.set_up.board && story.set_up.board.regions) || []).filter((region) => region.sigma);

const grade = (reach) => (reach < GOOD_MM ? "good" : reach < POOR_MM ? "fair" : "poor");

export function accuracySheet(sheet, story) {
  const regions = regionsOf(story);
  const reaches = regions.map((region) => BAND * region.sigma);
  const told = say(words.host.accuracy_told, { best: millimetres(Math.min(...reaches), false), worst: millimetres(Math.max(...reaches), false) });
  openSheet(sheet, words.host.accuracy, html("p", {}, told), picture(story.set_up, regions, told), html("p", { class: "quiet" }, words.host.accuracy_more), advice(story));
}

// What would make calls more exact, as the doctor has it.
export function advice({ set_up: setUp }) {
  const told = setUp && setUp.advice;
  if (!told) return null;
  const all = told.map(({ message }) => html("li", {}, capital(message)));
  return [html("h3", {}, words.host.advice), html("ul", { class: "advice" }, all.length ? all : html("li", {}, words.host.no_advice))];
}

function picture({ board, lines }, regions, told) {
  const [width, height] = board.size;
  const size = Math.max(width, height) / 26;
  const boxes = regions.map((region) => {
    const [x, y] = middle(region.polygon);
    const reach = BAND * region.sigma;
    return svg("g", { class: grade(reach) }, svg("polygon", { points: points(region.polygon) }),
      svg("text", { x, y, "font-size": size }, millimetres(reach, false)));
  });
  const margin = size * 0.6;
  return svg("svg", { class: "accuracy", viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`, role: "img", "aria-label": told },
    svg("g", { class: "paint" }, lines.map((line) => svg("polygon", { points: points(line.outline) }))), boxes);
}
