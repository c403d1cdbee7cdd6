// The rule book on the phone: every paragraph in plain words, to be searched, with its drawing; the same in every sheet
// that opens from a ruling.

import { middle, points } from "./board.js";
import { card } from "./cards/card.js";
import { button, html, redraw, svg } from "./dom.js";
import { pageOf } from "./games.js";
import { fetchKept } from "./kept.js";
import { openSheet } from "./sheets.js";
import { say, words } from "./words.js";

const known = new Map(); // game -> its paragraphs

// Fetches a game's book, once.
export async function fetchBook(game) {
  if (!game || known.has(game)) return;
  const told = await fetchKept(`/book/${encodeURIComponent(game)}`);
  if (told) known.set(game, told.paragraphs);
}

export const paragraphOf = (game, rule) => (known.get(game) || []).find((one) => one.rule === rule);

// What a paragraph shows: regions of the board in play, or cards; nothing where neither is there to be drawn.
export function drawing(story, paragraph) {
  const { face, marks } = pageOf(story.game.game);
  if (!paragraph || !paragraph.shows.length) return null;
  if (face) return html("div", { class: "shown cards-shown" }, paragraph.shows.map((code) => card(face(code))));
  const board = story.set_up && story.set_up.board;
  if (!marks || !board || !board.regions.length) return null;
  const [width, height] = board.size;
  const margin = width * 0.03;
  return svg("svg", { class: "ground shown", viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`, role: "img", "aria-label": paragraph.title },
    board.regions.map(({ name, polygon }) => {
      const [x, y] = middle(polygon);
      return svg("g", { class: `box ${paragraph.shows.includes(name) ? "target" : ""}` }, svg("polygon", { points: points(polygon), class: "edge" }),
        svg("text", { x, y, "font-size": width * marks.sizeOf(name) }, marks.number(name, story)));
    }));
}

// The whole book, searched as one types, open at a paragraph if one is named.
export async function bookSheet(sheet, story, rule = null) {
  const game = story.game.game;
  await fetchBook(game);
  const paragraphs = known.get(game) || [];
  const box = html("input", { type: "search", class: "search", "aria-label": words.book.search, placeholder: words.book.search });
  const list = html("div", { class: "paragraphs" });
  const plain = (text) => text.toLocaleLowerCase(words.language).normalize("NFD").replaceAll(/\p{M}/gu, "");
  const draw = () => {
    const wanted = plain(box.value).split(/\s+/).filter(Boolean);
    const found = paragraphs.filter((one) => wanted.every((word) => plain(`${one.rule} ${one.title} ${one.text}`).includes(word)));
    redraw(list, found.length ? found.map((one) => paragraph(story, one, one.rule === rule || (wanted.length > 0 && found.length < 4))) : html("p", { class: "quiet" }, words.book.none));
  };
  box.addEventListener("input", draw);
  draw();
  openSheet(sheet, words.book.title, box, list);
  const open = list.querySelector("details[open]");
  if (open && rule) open.scrollIntoView({ block: "start" });
}

// Its drawing is made when it is opened.
function paragraph(story, one, isOpen) {
  const slot = html("div", {}, isOpen ? drawing(story, one) : null);
  const label = /^\d/.test(one.rule) ? html("span", { class: "rule" }, one.rule) : null;
  const part = html("details", { "data-rule": one.rule, open: isOpen }, html("summary", {}, html("strong", {}, one.title), label), html("p", {}, one.text), slot);
  part.addEventListener("toggle", () => part.open && !slot.firstChild && redraw(slot, drawing(story, one)));
  return part;
}

// A paragraph by its name in plain words, small beside it as what it is cited.
const cited = ({ heading }, paragraph) => {
  const title = paragraph ? paragraph.title : words.book.title;
  return [title, heading === title ? null : html("span", { class: "rule" }, ` ${heading}`)];
};

// What opens on a tap at a ruling: what was said, what the book says of it, and the way into the whole book.
export async function ruleSheet(sheet, story, line) {
  const game = story.game.game;
  await fetchBook(game);
  const found = paragraphOf(game, line.rule);
  openSheet(sheet, html("span", {}, cited(line, found)), html("p", { class: "big" }, line.ruling.text || line.text), found ? html("p", {}, found.text) : null,
    drawing(story, found), button(words.book.whole, () => bookSheet(sheet, story, line.rule), "wide"));
}

// The paragraph of a ruling by its name, beside it; a tap opens the book there.
export const meaningIn = (sheet, story) => (line) => {
  const found = paragraphOf(story.game.game, line.rule);
  return found ? html("button", { type: "button", class: "meaning quiet", onclick: () => bookSheet(sheet, story, line.rule) }, html("strong", {}, cited(line, found))) : null;
};
