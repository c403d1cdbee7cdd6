// The call: the largest thing on the page. One word, one sign, one number; under it the story of the shot.

import { html, redraw, sign } from "./dom.js";
import { makeLens } from "./lens.js";
import { colours } from "./board.js";
import { isReferee } from "./me.js";
import { pageIn } from "./games.js";
import { lines } from "./lines.js";
import { afterGame } from "./results.js";
import { winnersOf } from "./strip.js";
import { band, callText, doubtful } from "./verdict.js";
import { millimetres, name, say, words } from "./words.js";

const EM_SIGN = 0.9; // the sign and its gap, in the call's own letters
const MEASURED_PX = 100;
const BESIDE_LENS = 4; // so many letters leave room for it

// The call as it should stand now: {key, word, kind, player, call, notes, told, entry}.
export function currentCall(story) {
  const pending = (story.pending || [])[0];
  if (pending) {
    const { word, player, call } = doubtful(pending, pageIn(story));
    return { key: `pending-${pending.row}`, word, kind: "doubt", player, call, notes: [words.call.waiting], told: [] };
  }
  const entries = (story.entries || []).filter((entry) => entry.event && (entry.rulings || []).length);
  if (!entries.length) return null;
  const page = pageIn(story);
  const game = story.game && story.game.game;
  const last = entries.findLastIndex((one) => page.verdict(one).word !== "other");
  const at = last < 0 ? entries.length - 1 : last;
  const entry = entries[at];
  const told = entries.slice(at).filter((one) => one === entry || !page.repeats(one, entry)).flatMap((one) => lines(one, game));
  const result = page.verdict(entry);
  const notes = [];
  if (result.word === "hit" && result.at) notes.push(page.place(result.at));
  if (result.said === "out_in") notes.push(words.call.other_box); // else *In 7* might be cheered
  if (entry.corrected_by) notes.push(words.call.again);
  return { key: `${entry.row}-${entry.corrected_by || 0}`, ...result, notes, told, entry };
}

// All that is drawn of a call: rulings may change by what is set right in an earlier shot.
const drawnOf = ({ key, kind, player, notes, told, ...call }, { state }) =>
  JSON.stringify([key, kind, player, notes, callText(call), told.map(({ text, plus, rule }) => [text, plus, rule]), Boolean(state) && state.phase === "over"]);

export function makeCall(section, sheet, { onLine, onCall, onBegin }) {
  let shown = null; // all that was drawn
  let own = null; // which shot or question that was
  let count = 0;
  let isStirring = false; // caps still move since before this call came

  function show(story, now) {
    const current = currentCall(story);
    const inAir = pageIn(story).hasFlights && now && now.in_air; // over a table hands are always in the air
    const isSameShot = Boolean(current) && current.key === own;
    isStirring = Boolean(inAir) && (isStirring || !isSameShot);
    section.classList.toggle("fading", Boolean(inAir) && !isStirring && !(story.pending || []).length);
    const air = story.state && story.state.phase === "place" ? words.call.in_hand : words.call.in_air;
    section.dataset.air = inAir ? say(air, { player: name(inAir) }) : "";
    const key = current ? drawnOf(current, story) : `none-${story.state ? story.state.turn : ""}-${now && now.doing ? now.doing.what : ""}`;
    if (key === shown) return;
    shown = key;
    own = current ? current.key : null;
    if (!isSameShot) count = 0;
    section.classList.toggle("fresh", !isSameShot);
    section.dataset.kind = current ? current.kind : "none";
    section.dataset.word = current ? current.word : "none";
    redraw(section, current ? drawn(story, current) : empty(story, now));
    count = current ? current.told.length : 0;
  }

  function empty(story, now) {
    const first = story.state && story.state.turn;
    if (now && now.doing) return [legend(now.doing.what)];
    if (!story.game) {
      return [html("div", { class: "begin" }, html("p", { class: "quiet" }, isReferee ? words.host.begin_why : words.host.code_why),
        html("button", { type: "button", class: "first wide", onclick: onBegin }, isReferee ? words.host.begin_here : words.host.have_code))];
    }
    if (!first) return [];
    return [html("p", { class: "nothing" }, html("strong", {}, words.call.none), pageIn(story).nobodyYet(first))];
  }

  function drawn(story, current) {
    const end = winnersOf(story.state || {}).length ? afterGame(story, sheet) : null;
    if (current.word === "other") return [end, tale(current)].filter(Boolean);
    const lens = makeLens(story.set_up, current.call, colours(story).get(current.player));
    const text = callText(current);
    const word = html("p", { class: `word ${text.includes("\n") ? "two" : ""}` }, sign(current.kind), html("span", {}, text));
    word.style.setProperty("--ems", String(EM_SIGN + widestEm(text)));
    const who = current.player ? html("span", { class: "who" }, name(current.player)) : null;
    const numbers = html("p", { class: "numbers" }, who, gap(current), current.notes.map((note) => html("span", { class: "note" }, note)));
    const label = { type: "button", class: "look", "aria-label": words.sheets.evidence };
    const open = lens ? html("button", { ...label, onclick: () => onCall(current) }, lens) : null;
    const isLong = open && !text.includes("\n") && text.length > BESIDE_LENS; // then the lens stands under its end
    return [html("div", { class: `verdict ${isLong ? "long" : ""}` }, html("div", {}, word, numbers), open), end, tale(current)].filter(Boolean);
  }

  function gap(current) {
    const { call, word } = current;
    if (!call || !Number.isFinite(call.gap)) return null;
    if (word === "close") return html("span", { class: "gap" }, `±${millimetres(band(call), false)} mm`);
    return html("span", { class: "gap" }, `${millimetres(call.gap)} mm`, html("small", {}, ` ±${millimetres(band(call), false)}`));
  }

  function tale(current) {
    const items = current.told.map((line, i) => {
      const bonus = line.plus ? html("b", {}, line.plus) : null;
      const rule = line.rule ? html("span", { class: "rule" }, line.heading) : null;
      const button = html("button", { type: "button", onclick: () => onLine(line) }, html("span", {}, line.text), bonus, rule);
      const item = html("li", { class: i < count ? "" : "new" }, button);
      item.style.setProperty("--turn", String(Math.max(0, i - count)));
      return item;
    });
    return html("ol", { class: "tale" }, items);
  }

  return { show };
}

// The three kinds of calls on a street or at a table, and what each means, for whoever waits for the first game.
const legend = (what) => html("dl", { class: "legend" }, Object.entries(words.guide.calls[what]).map(([kind, [word, meaning]]) => [
  html("dt", { class: kind }, sign(kind), word), html("dd", {}, meaning)]).flat());

const pen = document.createElement("canvas").getContext("2d");
const FAMILY = getComputedStyle(document.documentElement).getPropertyValue("--call-font");

// How wide the longest line of a call is, in ems of this phone's own font: so every word of every language fits.
function widestEm(text) {
  pen.font = `800 ${MEASURED_PX}px ${FAMILY}`;
  return Math.max(...text.split("\n").map((line) => pen.measureText(line.toLocaleUpperCase()).width)) / MEASURED_PX;
}
