// After the game: who won, the shots that decided it, what each did, the spots where caps came to rest; past games.

import { button, html } from "./dom.js";
import { pictures } from "./history.js";
import { recordsTold } from "./people.js";
import { ranked } from "./ranking.js";
import { handOver } from "./sharing.js";
import { openSheet } from "./sheets.js";
import { disc } from "./strip.js";
import { fetchPage, pageOf } from "./games.js";
import { lines } from "./lines.js";
import { clock, name, names, say, words } from "./words.js";

const PICTURE = [1080, 1350];
const get = async (path) => {
  const answer = await fetch(`${path}?lang=${words.language}`);
  return answer.ok ? answer.json() : null;
};

export async function pastSheet(sheet) {
  const { games } = (await get("/past")) || { games: [] };
  const items = [...games].reverse().map((game) => {
    const when = game.begun ? new Date(game.begun * 1000).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short" }) : "";
    const who = game.winners.length ? say(words.strip.winner, { player: names(game.winners) }) : names(game.players);
    const fate = game.winners.length ? "" : words.past.unfinished;
    return button([html("strong", {}, who), html("small", {}, [game.title, when, fate].filter(Boolean).join(" · "))], () => summarySheet(sheet, game.number), "wide preset");
  });
  openSheet(sheet, words.past.title, await recordsTold(), html("div", { class: "steps" }, items.length ? items : html("p", { class: "quiet" }, words.past.none)));
}

export async function summarySheet(sheet, number) {
  const told = await get(`/past/${number}`);
  if (!told) return;
  const game = told.game.game;
  await fetchPage(game);
  const page = pageOf(game);
  const title = told.winners.length ? say(words.strip.winner, { player: names(told.winners) }) : words.past.unfinished;
  openSheet(sheet, title, podium(told, page), page.summary && page.summary(told), compared(told, page), decisive(told, game), picture(number), takeAlong(number));
}

// The game that is on, or was last.
export async function latestSheet(sheet) {
  const { games } = (await get("/past")) || { games: [] };
  if (games.length) await summarySheet(sheet, games.at(-1).number);
}

const STEPS = [1, 0, 2]; // from left to right: the second, the first, the third

// The first three, on steps; of an unfinished game there are none.
function podium(told, page) {
  if (!told.winners.length) return null;
  const all = ranked(told.state, page.far);
  return html("ol", { class: "podium" }, STEPS.filter((i) => all[i]).map((i) => html("li", { class: `step-${i + 1}`, value: String(i + 1) },
    html("span", { class: "caps" }, all[i].players.map((player) => disc(told, player, i ? 40 : 56))), html("strong", {}, names(all[i].players)), html("b", {}, String(i + 1)))));
}

// What people called before the camera did, and each shot on which the two differ, with its picture.
function compared(told, page) {
  const { calls, alike, unlike } = told.compared;
  if (!calls) return null;
  const items = unlike.map((one) => html("li", {}, html("time", {}, clock(one.at)), html("div", {},
    html("p", {}, say(words.past.unlike, { player: name(one.player), said: page.reading(one.said), measured: page.reading(one.measured) })),
    pictures(one).map(([of, address]) => html("img", { src: address, alt: say(words.sheets.evidence_of, { player: name(of) }), loading: "lazy" })))));
  return [html("h3", {}, words.past.compared), html("p", {}, say(words.past.alike, { calls, alike, unlike: unlike.length })), html("ol", { class: "moments" }, items)];
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
  canvas.toBlob((blob) => handOver(blob, `linesies-${number}.png`, words.past.picture));
}

const takeAlong = (number) => html("p", { class: "links" }, ["csv", "jsonl"].map((kind) =>
  html("a", { href: `/past/${number}.${kind}`, download: "" }, say(words.past.export, { kind: kind.toUpperCase() }))));
