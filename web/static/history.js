// The history: every call with its time, picture and paragraph; what was corrected stays, struck through.

import { html, redraw, sign } from "./dom.js";
import { keeper } from "./focus.js";
import { disc } from "./strip.js";
import { pageIn } from "./games.js";
import { lines } from "./lines.js";
import { callText, measured } from "./verdict.js";
import { appealed, corrected, who } from "./voices.js";
import { clock, millimetres, name, say, words } from "./words.js";

// Every picture behind an entry: [[player, address]].
export function pictures(entry) {
  const found = (entry.evidence && entry.evidence.pictures) || entry.evidence || {};
  return Object.entries(found).filter(([, file]) => typeof file === "string").map(([player, file]) => [player, `/evidence/${file}`]);
}

const drawn = new WeakMap(); // an entry -> {line, game, setUp, page}: what was drawn of it, and with what

export function showHistory(section, story, onEntry) {
  const all = (story.entries || []).map((entry) => lineOf(entry, story, onEntry)).reverse();
  const title = html("h2", {}, words.page.history);
  const list = section.querySelector("ol");
  if (!all.length) redraw(section, title, html("p", { class: "quiet" }, words.page.no_history));
  else if (list) arrange(list, all);
  else redraw(section, title, html("ol", {}, all));
}

// What is told of an entry as before stays as it was drawn: a row costs no more late in a long game than early.
function lineOf(entry, story, onEntry) {
  const { game, set_up: setUp } = story;
  const page = pageIn(story);
  const known = drawn.get(entry);
  if (known && known.game === game && known.setUp === setUp && known.page === page) return known.line;
  const line = item(entry, story, page, onEntry);
  drawn.set(entry, { line, game, setUp, page });
  return line;
}

// Puts these lines into a list in their order, moving only those that are not in their place; others go.
function arrange(list, all) {
  const keep = keeper(list);
  const wanted = new Set(all);
  for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
  all.forEach((line, i) => line !== list.children[i] && list.insertBefore(line, list.children[i] || null));
  keep();
}

function item(entry, story, page, onEntry) {
  const body = html("button", { type: "button", onclick: () => onEntry(entry) }, struck(entry, page), reading(entry, story, page));
  const head = html("div", { class: "when" }, html("time", {}, clock(entry.at)), picture(entry));
  const fate = !entry.event ? "undone" : entry.refused ? "refused" : "";
  return html("li", { "data-row": entry.row, class: fate }, head, body);
}

function picture(entry) {
  const [first] = Object.values((entry.evidence && entry.evidence.small) || {});
  return first ? html("img", { src: `/evidence/${first}`, alt: "", loading: "lazy", width: 56, height: 56 }) : null;
}

// What it was before people put it right, with who and why.
function struck(entry, page) {
  const corrections = corrected(entry);
  if (!corrections.length) return null;
  const { player, rest, at } = entry.seen_as || {};
  const call = measured(entry);
  const before = [name(player), page.place((rest && rest[player]) || at), call ? `${millimetres(call.gap)} mm` : ""].filter(Boolean).join(" · ");
  return html("span", { class: "old" }, html("s", {}, before), corrections.map((text) => html("small", {}, text)));
}

// A line's text, and what it adds.
export const lineText = (line) => [line.text, line.plus ? html("b", {}, ` ${line.plus}`) : null];

// The same with its paragraph.
export const lineParts = (line) => [lineText(line), html("span", { class: "rule" }, line.heading)];

// What a player did that is no shot.
const did = (event, page) => page.event(event) || page.did(event) || name(event.player);

// Who decided an entry; of one that people called before the camera, what that would have called.
const decided = ({ settled_by, measured }, page) => (measured
  ? say(words.sheets.called_first, { who: who(settled_by), reading: page.reading(measured) })
  : say(words.sheets.decided_by, { who: who(settled_by) }));

function reading(entry, story, page) {
  if (!entry.event) return html("span", { class: "top" }, disc(story, (entry.seen_as || {}).player, 22), words.sheets.undone);
  const result = page.verdict(entry);
  const { kind, player, call } = result;
  const gap = call ? `${millimetres(call.gap)} mm` : "";
  const isShot = ["shot", "foul"].includes(entry.event.event);
  const isCall = isShot && !entry.refused;
  const announced = [html("strong", {}, callText(result)), sign(kind), html("span", { class: "gap" }, gap)];
  const headed = (...parts) => html("span", { class: `top ${isCall ? kind : ""}` }, disc(story, isCall ? player : entry.event.player || player, 22), ...parts);
  const told = lines(entry, story.game && story.game.game).map((line) => html("span", { class: "line" }, lineParts(line)));
  const top = player ? headed(...(isCall ? announced : [did(entry.event, page)])) : null;
  const appeals = appealed(entry).map((text) => html("small", {}, text));
  const settled = entry.settled_by ? html("small", {}, decided(entry, page)) : null;
  const refused = entry.refused ? html("span", { class: "line" }, `${words.sheets.refused}: ${entry.refused.message || ""}`) : null;
  return html("span", { class: "told" }, top, told, refused, settled, appeals);
}
