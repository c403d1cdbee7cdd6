// A player across games: what he has done on this board, kept because he wants it, forgotten by a tap; and the records.

import { points } from "./board.js";
import { button, html, svg } from "./dom.js";
import { during } from "./giving.js";
import { mayFor } from "./me.js";
import { send } from "./orders.js";
import { openSheet } from "./sheets.js";
import { disc } from "./strip.js";
import { capital, millimetres, name, number, say, words } from "./words.js";

const SPOT_MM = 45; // of the map of where a cap came to rest
const get = async (path) => {
  const answer = await fetch(`${path}?lang=${words.language}`);
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
  openSheet(sheet, title, told.is_kept ? [career(told)] : null, why, note, own);
}

// What he did in each game, under its name where there are several; what is counted there the game says itself.
const career = ({ of, name: player }) => of.map((told) => [of.length > 1 ? html("h3", {}, told.title) : null, facts(told), heat(told, player)]);

function facts(told) {
  const pairs = [
    [words.people.games, `${told.games} · ${say(words.people.won, { n: told.won })}`],
    [words.past.shots, number(told.shots)],
    ...told.counts.map(({ title, value }) => [capital(title), value === null ? "–" : number(value)]),
    told.best_gap === null ? null : [words.people.closest, `${millimetres(told.best_gap)} mm`],
  ];
  return html("dl", {}, pairs.filter(Boolean).flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, value)]));
}

// The board with a spot for each rest of his cap; where spots lie on one another they glow.
function heat({ rests, set_up: setUp }, player) {
  if (!rests.length || !setUp || !(setUp.lines || []).length) return null;
  const [width, height] = setUp.board.size;
  const margin = width / 10;
  const spots = rests.map(([cx, cy]) => svg("circle", { cx, cy, r: SPOT_MM, class: "warm" }));
  const map = svg("svg", { class: "heat", role: "img", "aria-label": say(words.people.map, { player: name(player) }), viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}` },
    svg("g", { class: "paint" }, setUp.lines.map((line) => svg("polygon", { points: points(line.outline) }))), spots);
  return html("figure", {}, map, html("figcaption", {}, say(words.people.map, { player: name(player) })));
}

// The best of all who have played on this box, a line each; null before the first.
export async function recordsTold() {
  const { records } = (await get("/people")) || { records: [] };
  const known = records.map((one) => ({ ...one, lines: recordLines(one) })).filter(({ lines }) => lines.length);
  if (!known.length) return null;
  const all = known.map(({ title, lines }) => [known.length > 1 ? html("p", { class: "quiet" }, title) : null, html("dl", {}, lines)]);
  return [html("h3", {}, words.people.records), ...all];
}

function recordLines({ closest, records }) {
  const line = (title, player, value) => [html("dt", {}, title), html("dd", {}, `${name(player)} · ${value}`)];
  return [
    ...(closest ? line(words.people.record_closest, closest.player, `${millimetres(closest.value)} mm`) : []),
    ...records.flatMap(({ title, player, value }) => line(capital(title), player, number(value))),
  ];
}
