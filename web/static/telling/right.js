// Setting right: what an entry may have been instead, what was missed before it, that it was nothing; and what people
// may tell of now.

import { appealButton } from "../appeals.js";
import { askCard } from "../cards/buttons.js";
import { changesMuch } from "../change.js";
import { button, html, redraw } from "../dom.js";
import { pageIn } from "../games.js";
import { giveAndClose, hold } from "../giving.js";
import { canOrder, isReferee } from "../me.js";
import { preview } from "../orders.js";
import { openSheet } from "../sheets.js";
import { words } from "../words.js";
import { formOf, formsOf } from "./forms.js";
import { confirm, meant, tellSheet } from "./sheet.js";

// What is offered on the sheet of an entry.
export function setRight(sheet, story, entry) {
  if (!canOrder) return [];
  const page = pageIn(story);
  const note = html("p", { class: "note", role: "status" });
  const about = entry.row;
  const readings = entry.event ? page.readings(story, entry) : [];

  // An order that changes no more than its own call counts at once; else people see first what it changes.
  const propose = (what) => async () => {
    const wake = hold(sheet);
    const would = await preview(what);
    wake();
    if (changesMuch(would, entry)) confirm(slot, story, would, { send: what, sheet, back: () => redraw(slot, answers) });
    else send(note, what);
  };
  const send = (where, what) => giveAndClose(sheet, where, what);

  const others = readings.map(({ label, event }) => button(label, propose({ order: "amend", about, event })));
  const form = entry.event && formOf(story.game.game, entry.event.event);
  const cardField = form && form.fields.find(({ kind }) => kind === "card");
  const otherCard = cardField && page.deck ? button(words.right.card, () => askCard(sheet, cardField.label, { face: page.face, codes: page.deck(story.game.options || {}) }, async (code) => {
    const what = { order: "amend", about, event: { ...entry.event, [cardField.name]: code } };
    openSheet(sheet, cardField.label, slot);
    confirm(slot, story, await preview(what), { send: what, sheet });
  })) : null;
  const else_ = form ? button(words.right.otherwise, () => amend(sheet, story, entry, form)) : null;
  const missed = formsOf(story.game.game).length ? button(page.isMeasured ? words.right.missed_shot : words.right.missed, () => missedBefore(sheet, story, entry)) : null;
  const strike = entry.event
    ? button(entry.origin === "vision" && !page.isMeasured ? words.right.touched : words.settle.undo, propose({ order: "undo", about }))
    : button(words.settle.redo, propose({ order: "redo", about }));
  const isOutOfTurn = (entry.rulings || []).some(({ code }) => code === "out_of_turn");
  const inOrder = isOutOfTurn ? [missed, ...others, otherCard, else_, strike] : [...others, otherCard, strike, else_, missed];
  const answers = html("div", { class: "answers" }, inOrder.filter(Boolean));
  const slot = html("div", { class: "result", role: "group", "aria-label": words.settle.otherwise }, answers);
  const why = html("p", { class: "quiet" }, isReferee ? words.settle.otherwise_why : words.settle.otherwise_all);
  const appeal = appealButton(sheet, story, entry, [...readings, { label: words.settle.undo, event: null }], send);
  return [html("h3", {}, words.settle.otherwise), why, note, slot, appeal];
}

async function amend(sheet, story, entry, form) {
  const state = await before(story, entry);
  const as = (event) => ({ order: "amend", about: entry.row, event });
  tellSheet(sheet, story, { title: words.right.otherwise, form, event: entry.event, as, state, calls: callsAfter(story, entry) });
}

// What was missed: a shot at once, since hardly anything else is; of other games people say what.
async function missedBefore(sheet, story, entry) {
  const state = await before(story, entry);
  const as = (event) => ({ order: "insert", about: entry.row, event });
  const calls = callsAfter(story, entry, true);
  const [first] = formsOf(story.game.game);
  if (pageIn(story).isMeasured) tellSheet(sheet, story, { form: first, event: drafted(first, story, state), as, state, calls });
  else menu(sheet, story, { as, state, calls, title: words.right.missed });
}

// Everything that people may tell of now.
export function tellOfNow(sheet, story) {
  const as = (event) => ({ order: "event", event });
  menu(sheet, story, { as, state: story.state, calls: story.calls || {}, title: words.right.tell });
}

function menu(sheet, story, { as, state, calls, title }) {
  const open = (form) => tellSheet(sheet, story, { form, event: drafted(form, story, state), as, state, calls });
  openSheet(sheet, title, html("div", { class: "steps" }, formsOf(story.game.game).map((form) => button(form.label || form.event, () => open(form), "wide"))));
}

// An event to begin with: whose turn it is, nobody hit.
function drafted(form, story, state) {
  const event = { event: form.event };
  for (const field of form.fields) {
    if (field.kind === "player" && field.name === "player") event.player = meant(story, state);
    if (field.kind === "list") event[field.name] = [];
  }
  return event;
}

async function before(story, entry) {
  const answer = await fetch(`/before/${entry.row}`).catch(() => null);
  return answer && answer.ok ? (await answer.json()).state : story.state;
}

// Where each cap lay once an entry was over, or `isBefore` it.
function callsAfter(story, entry, isBefore = false) {
  const found = {};
  for (const one of story.entries) {
    if (isBefore && one === entry) break;
    Object.assign(found, (one.event && one.event.calls) || {});
    if (one === entry) break;
  }
  return found;
}
