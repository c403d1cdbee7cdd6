// What opens on a tap: a cap, a box, a paragraph, the evidence.

import { clip } from "./clip.js";
import { html, redraw } from "./dom.js";
import { wayBack } from "./focus.js";
import { boxName, colours } from "./board.js";
import { makeLens } from "./lens.js";
import { disc } from "./strip.js";
import { band, callText, lines, meaning, targetRegions, verdict } from "./verdict.js";
import { lineParts, pictures } from "./history.js";
import { appealed, appealsLeft, corrected, who } from "./voices.js";
import { clock, millimetres, name, names, place, say, target, words } from "./words.js";
import { isStreet } from "./games.js";

const THERE = Array.from({ length: 12 }, (_, i) => `${i + 1}f`);
const BACK = Array.from({ length: 12 }, (_, i) => `${12 - i}b`);
const PATH = [...THERE, "13", ...BACK, "13k", "k1", "k2", "k3", "k4", "killer"];

export function openSheet(sheet, title, ...content) {
  const close = html("button", { type: "button", class: "close", "aria-label": words.page.close, onclick: () => sheet.close() }, "✕");
  const heading = html("h2", { id: "sheet-title", tabindex: "-1", autofocus: true }, title);
  const old = sheet.open ? sheet.querySelector("h2") : null;
  const isSame = Boolean(old) && old.textContent === heading.textContent; // only drawn anew
  delete sheet.dataset.entry;
  const all = [html("header", {}, heading, close), ...content.flat().filter(Boolean)];
  if (isSame) {
    redraw(sheet, all);
    return;
  }
  if (!sheet.open) sheet.addEventListener("close", wayBack(), { once: true });
  sheet.replaceChildren(...all);
  if (sheet.open) heading.focus();
  else sheet.showModal();
  sheet.scrollTop = 0;
}

const facts = (pairs) =>
  html("dl", {}, pairs.filter(([, value]) => value).flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, value)]));

export function capSheet(sheet, story, player) {
  const one = ((story.state && story.state.players) || []).find((other) => other.name === player);
  const call = (story.calls || {})[player];
  const texts = words.sheets;
  const title = html("span", { class: "named" }, disc(story, player, 36), name(player));
  const gap = call ? `${millimetres(call.gap)} mm (${say(words.call.doubt, { band: millimetres(band(call), false) })})` : "";
  const known = one
    ? facts([
        [texts.goes_for, ["eliminated", "left", "winner"].includes(one.status) ? texts.status[one.status] : target(one.going_for)],
        [texts.made, one.made ? target(one.made) : texts.nothing_made],
        [texts.lies, `${place(one.at)}${one.status === "stuck" ? `, ${texts.status.stuck}` : ""}`],
        [texts.gap, gap],
        [texts.skip, one.skip ? String(one.skip) : ""],
        [words.appeals.still, (story.appeals || {}).each ? String(appealsLeft(story, player)) : ""],
      ])
    : facts([[texts.gap, gap]]);
  openSheet(sheet, title, known, one ? path(one) : null, magnified(story, call, player));
}

// The way through the boxes: what is made, what is next, what is left.
function path(player) {
  const next = PATH.indexOf(player.going_for);
  const steps = PATH.map((code, i) => {
    const state = i < next ? "done" : i === next ? "next" : "";
    const short = target(code).replace(/ .*/, code === "13k" ? "★" : "");
    return html("li", { class: state, "aria-current": i === next ? "step" : null }, short);
  });
  return [html("h3", {}, words.sheets.path), html("ol", { class: "path" }, steps)];
}

function magnified(story, call, player) {
  const lens = makeLens(story.set_up, call, colours(story).get(player));
  return lens ? html("figure", {}, lens, html("figcaption", {}, words.sheets.true_scale)) : null;
}

export function boxSheet(sheet, story, region) {
  const players = (story.state && story.state.players) || [];
  const inIt = players.filter((one) => one.at === region).map((one) => one.name);
  const forIt = players.filter((one) => targetRegions(one, story.game).includes(region)).map((one) => one.name);
  const list = (found) => (found.length ? names(found) : words.sheets.nobody);
  openSheet(sheet, boxName(region), facts([[words.sheets.in_it, list(inIt)], [words.sheets.for_it, list(forIt)]]));
}

export function ruleSheet(sheet, story, line) {
  const game = story.game && story.game.game;
  const heading = /^\d/.test(line.rule || "") ? words.sheets.paragraph : words.sheets.heading;
  openSheet(sheet, say(heading, { rule: line.heading }), html("p", { class: "big" }, line.ruling.text || line.text),
    html("p", {}, meaning(line.rule, game)));
}

// Everything behind one entry of the history; `more` are buttons that the page adds.
export function entrySheet(sheet, story, entry, more = [], again = null) {
  const result = verdict(entry);
  const { player, call } = result;
  const game = story.game && story.game.game;
  const told = lines(entry, game).map((line) =>
    html("li", {}, html("p", {}, lineParts(line)), html("p", { class: "quiet" }, meaning(line.rule, game))));
  const title = [name(player), callText(result)].filter(Boolean).join(": ");
  const old = [...corrected(entry), ...appealed(entry)].map((text) => html("p", { class: "quiet" }, text));
  openSheet(sheet, entry.event ? title : words.sheets.undone, html("p", { class: "quiet" }, `${clock(entry.at)} · ${who(entry.origin)}`),
    again ? html("button", { type: "button", class: "wide", onclick: again }, words.show.again) : null,
    evidence(story, entry, { player, call }), old, html("ol", { class: "meanings" }, told), more);
}

export function evidence(story, entry, { player, call }) {
  const found = pictures(entry);
  const lens = magnified(story, call, player);
  const onStreet = !story.game || isStreet(story.game.game);
  const shown = found.map(([of, address]) => {
    const caption = say(onStreet ? words.sheets.evidence_of : words.sheets.card_of, { player: name(of) });
    return html("figure", {}, html("img", { src: address, alt: caption }), html("figcaption", {}, caption));
  });
  const film = clip(entry.evidence);
  if (!shown.length && !lens && !film) return [];
  const label = { class: "evidence", tabindex: "0", role: "group", "aria-label": words.sheets.evidence };
  return [html("div", label, shown, lens), film];
}

// A card player: what the table has seen of him.
export function cardsSheet(sheet, story, player) {
  const one = story.state.players.find((other) => other.name === player);
  const texts = words.cards;
  const side = (story.state.sides || []).find((other) => other.players.includes(player));
  const known = [
    [texts.hand, String(one.hand)],
    [texts.bid, one.bid === undefined || one.bid === null ? "" : String(one.bid)],
    [texts.tricks, one.tricks === undefined ? "" : String(one.tricks)],
    [texts.score, one.score !== undefined ? String(one.score) : side ? String(side.score) : one.points !== undefined ? String(one.points) : ""],
    [texts.rounds, one.rounds && one.rounds.length ? one.rounds.join(" · ") : ""],
    [texts.skull, one.skull ? texts.skulls[one.skull] : ""],
    [texts.partner, side && side.players.length > 1 ? names(side.players.filter((other) => other !== player)) : ""],
    [texts.void, one.void && one.void.length ? one.void.map((flag) => texts.flags[flag]).join(", ") : ""],
  ];
  openSheet(sheet, html("span", { class: "named" }, disc(story, player, 36), name(player)), facts(known));
}
