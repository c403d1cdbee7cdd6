// After the game: who won, the shots that decided it, what each did, the spots where caps came to rest; past games.

import { html } from "./dom.js";
import { openSheet } from "./sheets.js";
import { disc } from "./strip.js";
import { lines } from "./verdict.js";
import { clock, millimetres, name, names, say, words } from "./words.js";
import { isStreet } from "./games.js";

const PICTURE = [1080, 1350];
const button = (label, tap, kind = "") => html("button", { type: "button", class: kind, onclick: tap }, label);
const get = async (path) => {
  const answer = await fetch(`${path}?lang=${words.language}`);
  return answer.ok ? answer.json() : null;
};

export async function pastSheet(sheet) {
  const { games } = (await get("/past")) || { games: [] };
  const items = [...games].reverse().map((game) => {
    const when = game.begun ? new Date(game.begun * 1000).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short" }) : "";
    const who = game.winners.length ? say(words.strip.winner, { player: names(game.winners) }) : names(game.players);
    return button([html("strong", {}, who), html("small", {}, `${words.past.games[game.game]} · ${when}`)], () => summarySheet(sheet, game.number), "wide preset");
  });
  openSheet(sheet, words.past.title, html("div", { class: "steps" }, items.length ? items : html("p", { class: "quiet" }, words.past.none)));
}

export async function summarySheet(sheet, number) {
  const told = await get(`/past/${number}`);
  if (!told) return;
  const game = told.game.game;
  const title = told.winners.length ? say(words.strip.winner, { player: names(told.winners) }) : words.past.unfinished;
  openSheet(sheet, title, isStreet(game) ? table(told) : standings(told), decisive(told, game), picture(number), takeAlong(number));
}

const COLUMNS = ["shots", "made", "hits", "was_hit", "pipsies"];

function table(told) {
  const head = html("tr", {}, html("td", {}), COLUMNS.map((column) => html("th", { scope: "col" }, words.past[column])));
  const rows = told.players.map((player) => html("tr", {},
    html("th", { scope: "row" }, disc(told, player.name, 24), name(player.name)),
    COLUMNS.map((column) => html("td", {}, String(player[column])))));
  const close = told.players.filter((player) => player.best_gap !== null).sort((a, b) => a.best_gap - b.best_gap)[0];
  const sharpest = close ? html("p", { class: "quiet" }, say(words.past.sharpest, { player: name(close.name), gap: millimetres(close.best_gap) })) : null;
  return [html("table", {}, head, rows), sharpest];
}

function standings(told) {
  const scores = told.state.sides ? told.state.sides.map((side) => [names(side.players), side.score])
    : told.state.players.map((player) => [name(player.name), player.score ?? player.points]);
  return html("table", {}, scores.map(([who, score]) => html("tr", {}, html("th", { scope: "row" }, who), html("td", {}, String(score)))));
}

function decisive(told, game) {
  if (!told.decisive.length) return null;
  const items = told.decisive.map((moment) => html("li", {}, html("time", {}, clock(moment.at)),
    html("div", {}, lines(moment, game).map((line) => html("p", {}, line.text, line.plus ? html("b", {}, ` ${line.plus}`) : null)))));
  return [html("h3", {}, words.past.decisive), html("ol", { class: "moments" }, items)];
}

function picture(number) {
  const address = `/past/${number}.svg?lang=${words.language}`;
  const image = html("img", { src: address, alt: words.past.picture, width: PICTURE[0], height: PICTURE[1] });
  return html("figure", { class: "share" }, image, button(words.past.save, () => save(image, number), "wide"));
}

// Drawn into pixels here, since few places where people share take a drawing.
function save(image, number) {
  const canvas = html("canvas", { width: PICTURE[0], height: PICTURE[1] });
  canvas.getContext("2d").drawImage(image, 0, 0, ...PICTURE);
  canvas.toBlob((blob) => {
    const address = URL.createObjectURL(blob);
    const link = html("a", { href: address, download: `linesies-${number}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
}

const takeAlong = (number) => html("p", { class: "links" }, ["csv", "jsonl"].map((kind) =>
  html("a", { href: `/past/${number}.${kind}`, download: "" }, say(words.past.export, { kind: kind.toUpperCase() }))));
