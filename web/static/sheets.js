// What opens on a tap: an entry, the evidence.

import { clip } from "./clip.js";
import { html, redraw } from "./dom.js";
import { wayBack } from "./focus.js";
import { colours } from "./board.js";
import { pageIn } from "./games.js";
import { lineParts, lineText, pictures } from "./history.js";
import { makeLens } from "./lens.js";
import { lines } from "./lines.js";
import { callText, measured } from "./verdict.js";
import { appealed, corrected, who } from "./voices.js";
import { clock, name, say, words } from "./words.js";

export function openSheet(sheet, title, ...content) {
  const close = html("button", { type: "button", class: "close", "aria-label": words.page.close, onclick: () => sheet.close() }, "✕");
  const heading = html("h2", { id: "sheet-title", tabindex: "-1", autofocus: true }, title);
  const old = sheet.open ? sheet.querySelector("h2") : null;
  const isSame = Boolean(old) && old.textContent === heading.textContent; // only drawn anew
  delete sheet.dataset.entry;
  const all = [html("div", { class: "head" }, heading, close), ...content.flat(Infinity).filter(Boolean)];
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

// A list of terms and what is to be said of each, where anything is.
export const facts = (pairs) =>
  html("dl", {}, pairs.filter(([, value]) => value).flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, value)]));

// What is seen of what a sheet tells: beneath it on a phone, beside it where there is room. Null where nothing is.
export const exhibits = (...found) => {
  const shown = found.flat().filter(Boolean);
  return shown.length ? html("div", { class: "exhibits" }, shown) : null;
};

// The spot of a call from above, enlarged; null where there is none.
export function magnified(story, call, player) {
  const lens = makeLens(story.set_up, call, colours(story).get(player));
  return lens ? html("figure", {}, lens, html("figcaption", {}, words.sheets.true_scale)) : null;
}

// Everything behind one entry of the history; `shown` and `more` are what the page adds before and after it, `meaning`
// the paragraph of a line's rule.
export function entrySheet(sheet, story, entry, { shown = [], more = [], meaning = () => null } = {}) {
  const result = pageIn(story).verdict(entry);
  const { player, call } = result;
  const game = story.game && story.game.game;
  const told = lines(entry, game).map((line, i, all) => {
    const said = all.findIndex(({ rule }) => rule === line.rule) === i ? meaning(line) : null;
    return html("li", {}, html("p", {}, said ? lineText(line) : lineParts(line)), said);
  });
  const title = [name(player), callText(result)].filter(Boolean).join(": ");
  const old = [...corrected(entry), ...appealed(entry)].map((text) => html("p", { class: "quiet" }, text));
  openSheet(sheet, entry.event ? title : words.sheets.undone, html("p", { class: "quiet" }, `${clock(entry.at)} · ${who(entry.origin)}`),
    shown, exhibits(evidence(story, entry, { player, call: call || measured(entry) })), sendCase(entry), shownAtHub(entry), old, html("ol", { class: "meanings" }, told), more);
}

// After a correction what the call was measured from can be sent: people decide to whom, nothing goes by itself.
function sendCase(entry) {
  const kept = entry.evidence && entry.evidence.cases;
  if (!kept || !(entry.corrections && entry.corrections.length)) return null;
  const address = `/case/${entry.about}.zip`;
  return html("p", {}, html("a", { class: "wide button", href: address, download: "", onclick: (tap) => share(tap, address) }, words.sheets.send_case),
    html("small", { class: "quiet" }, words.sheets.case_holds));
}

// On a league's page of a board: what the board's owner lets all see of a call, asked for when somebody looks.
function shownAtHub(entry) {
  const { home } = document.documentElement.dataset;
  if (!home) return null;
  const slot = html("div");
  fetch(`${home}/files/${entry.about}.json`).then((answer) => answer.json()).then((there) => {
    const file = there.case ? html("p", {}, html("a", { class: "wide button", href: there.case, download: "" }, words.sheets.case_file)) : null;
    slot.replaceChildren(...[clip(there), file].filter(Boolean));
  }).catch(() => null); // the call itself is told without
  return slot;
}

async function share(tap, address) {
  if (!navigator.canShare) return;
  tap.preventDefault();
  const answer = await fetch(address);
  const file = new File([await answer.blob()], address.split("/").pop(), { type: "application/zip" });
  if (answer.ok && navigator.canShare({ files: [file] })) await navigator.share({ files: [file] }).catch(() => null);
  else window.location.assign(address);
}

export function evidence(story, entry, { player, call }) {
  const found = pictures(entry);
  const lens = magnified(story, call, player);
  const shown = found.map(([of, address]) => {
    const caption = say(pageIn(story).isMeasured ? words.sheets.evidence_of : words.sheets.card_of, { player: name(of) });
    return html("figure", {}, html("img", { src: address, alt: caption }), html("figcaption", {}, caption));
  });
  const film = clip(entry.evidence);
  if (!shown.length && !lens && !film) return [];
  const label = { class: "evidence", tabindex: "0", role: "group", "aria-label": words.sheets.evidence };
  return [html("div", label, shown, lens), film];
}
