// A player across games: what he has done on this board, kept because he wants it, forgotten by a tap; and the records.

import { points } from "./board.js";
import { button, html, svg } from "./dom.js";
import { during } from "./giving.js";
import { mayFor } from "./me.js";
import { send } from "./orders.js";
import { openSheet } from "./sheets.js";
import { disc } from "./strip.js";
import { millimetres, name, number, say, words } from "./words.js";

const SPOT_MM = 45; // of the map of where a cap came to rest
const get = async (path) => {
  const answer = await fetch(path);
  return answer.ok ? answer.json() : null;
};

export async function careerSheet(sheet, story, player) {
  const told = await get(`/people/${encodeURIComponent(player)}`);
  if (!told) return;
  const note = html("p", { class: "note", role: "status" });
  const wish = async (keep) => {
    const { ok, told: answer } = await during(sheet, () => send("/people", { player, keep }));
    if (ok) careerSheet(sheet, story, player);
    else note.textContent = answer.message;
  };
  const title = html("span", { class: "named" }, disc(story, player, 36), `${name(player)} · ${words.people.history}`);
  const own = mayFor(player) ? button(told.is_kept ? words.people.forget : words.people.keep, () => wish(!told.is_kept), told.is_kept ? "wide" : "first wide") : null;
  const why = html("p", { class: "quiet" }, told.is_kept ? words.people.kept : words.people.not_kept);
  openSheet(sheet, title, told.is_kept ? [facts(told), heat(told)] : null, why, note, own);
}

function facts(told) {
  const pairs = [
    [words.people.games, `${told.games} · ${say(words.people.won, { n: told.won })}`],
    [words.past.shots, number(told.shots)],
    [words.past.made, number(told.made)],
    [words.people.an_hour, told.boxes_an_hour === null ? "–" : number(told.boxes_an_hour)],
    [words.past.hits, number(told.hits)],
    [words.past.was_hit, number(told.was_hit)],
    [words.people.closest, told.best_gap === null ? "–" : `${millimetres(told.best_gap)} mm`],
  ];
  return html("dl", {}, pairs.flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, value)]));
}

// The board with a spot for each rest of his cap; where spots lie on one another they glow.
function heat({ rests, set_up: setUp, name: player }) {
  if (!rests.length || !setUp || !(setUp.lines || []).length) return null;
  const [width, height] = setUp.board.size;
  const margin = width / 10;
  const spots = rests.map(([cx, cy]) => svg("circle", { cx, cy, r: SPOT_MM, class: "warm" }));
  const map = svg("svg", { class: "heat", role: "img", "aria-label": say(words.people.map, { player: name(player) }), viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}` },
    svg("g", { class: "paint" }, setUp.lines.map((line) => svg("polygon", { points: points(line.outline) }))), spots);
  return html("figure", {}, map, html("figcaption", {}, say(words.people.map, { player: name(player) })));
}

const RECORDS = { closest: (value) => `${millimetres(value)} mm`, most_hits: number, longest_pipsies: number, fastest: number };

// The best of all who have played on this box, a line each; null before the first.
export async function recordsTold() {
  const { records } = (await get("/people")) || { records: {} };
  const known = Object.keys(RECORDS).filter((key) => records[key]);
  if (!known.length) return null;
  return [html("h3", {}, words.people.records), html("dl", {}, known.flatMap((key) => [
    html("dt", {}, words.people.record[key]), html("dd", {}, `${name(records[key].player)} · ${RECORDS[key](records[key].value)}`)]))];
}
