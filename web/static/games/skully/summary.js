// What each did in a game of Skully that is over.

import { html } from "../../dom.js";
import { ranked } from "../../ranking.js";
import { disc } from "../../strip.js";
import { millimetres, name, say, words } from "../../words.js";
import { far } from "./standing.js";

const COLUMNS = ["shots", "made", "hits", "was_hit", "pipsies"];

export function summary(told) {
  const head = html("tr", {}, html("td", {}), COLUMNS.map((column) => html("th", { scope: "col" }, words.past[column])));
  const order = ranked(told.state, far).flatMap(({ players }) => players);
  const rows = [...told.players].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)).map((player) => html("tr", {},
    html("th", { scope: "row" }, disc(told, player.name, 24), name(player.name)),
    COLUMNS.map((column) => html("td", {}, String(player[column])))));
  const close = told.players.filter((player) => player.best_gap !== null).sort((a, b) => a.best_gap - b.best_gap)[0];
  const sharpest = close ? html("p", { class: "quiet" }, say(words.past.sharpest, { player: name(close.name), gap: millimetres(close.best_gap) })) : null;
  return [html("table", {}, head, rows), sharpest];
}
