// When people must decide: the question, its evidence, the likely answers as large buttons.

import { appealQuestion } from "./appeals.js";
import { askCard } from "./cards/buttons.js";
import { button, html, redraw, sign } from "./dom.js";
import { whenLifted } from "./finger.js";
import { pageIn } from "./games.js";
import { wayBack } from "./focus.js";
import { give, giveAndClose } from "./giving.js";
import { evidence, openSheet } from "./sheets.js";
import { canOrder, isReferee, mayFor, playsFor } from "./me.js";
import { awaited, isSame, motionQuestion, tally } from "./motions.js";
import { answerLabel, whyAsked } from "./doubt.js";
import { band, doubtful } from "./verdict.js";
import { isPhone } from "./watchdog.js";
import { millimetres, name, names, say, words } from "./words.js";

const OPENS_AFTER_MS = 700; // somebody at the board may be quicker

// `onAsked` lets whoever is asked feel and hear it, once a question.
export function makeSettle(sheet, onAsked) {
  let asked = null;
  let felt = null;
  let timer = 0;
  let latest = null;
  let fresh = { about: null, at: 0 }; // the question that slid up last, and when
  const again = html("button", { type: "button", id: "decide", hidden: true, onclick: () => open(latest) }, words.settle.open);
  sheet.after(again);
  sheet.addEventListener("keydown", (event) => event.key === "Escape" && sheet.close());
  sheet.addEventListener("close", () => {
    again.hidden = !(latest && latest.mayAnswer && canOrder); // put off, not forgotten
  });

  function show(story, seated) {
    const question = questionOf(story, seated);
    latest = question;
    const key = question ? question.key : null;
    if (key === asked) {
      if (question && sheet.open) showEvidence(question); // a picture may come after the question
      return;
    }
    asked = key;
    clearTimeout(timer);
    if (!question) {
      again.hidden = true;
      if (sheet.open) sheet.close();
      return;
    }
    if (question.isMine && question.about !== felt) onAsked();
    felt = question.about;
    if (sheet.open) draw(question);
    else timer = setTimeout(() => whenLifted(() => open(question)), OPENS_AFTER_MS);
  }

  // Who may answer is led to it; nobody else's keyboard is taken anywhere.
  function open(question) {
    again.hidden = true;
    draw(question);
    if (sheet.open) return;
    const last = document.activeElement;
    sheet.addEventListener("close", wayBack(), { once: true });
    sheet.show();
    if (!(canOrder && question.mayAnswer)) last.focus({ preventScroll: true });
  }

  // Answers take no tap while their question slides up (sheets.css): told anew what others say of it, they stay awake.
  function awakened(answers, { about }) {
    if (!sheet.open || about !== fresh.about) fresh = { about, at: performance.now() };
    answers.style.animationDelay = `${fresh.at - performance.now()}ms`;
    return answers;
  }

  function draw(question) {
    const answers = html("div", { class: "answers" }, question.answers.map((answer, i) =>
      html("button", { type: "button", class: i === 0 && !question.isBlind ? "first" : "", onclick: () => (answer.ask ? answer.ask(choose) : choose(answer.order)) }, answer.label, answer.tally)));
    const mayAnswer = canOrder && question.mayAnswer;
    const waited = html("p", { class: "waited", role: "status" }, question.waited);
    const note = html("p", { class: "note", role: "status" });
    const close = html("button", { type: "button", class: "close", "aria-label": words.settle.later, onclick: () => sheet.close() }, "✕");
    const title = html("h2", { id: "settle-title", tabindex: "-1", autofocus: true }, question.title);
    redraw(sheet, html("div", { class: "head" }, title, close), html("p", { class: "why", id: "settle-why" }, question.why),
      html("div", { class: "slot" }), waited, note, ...(mayAnswer ? [awakened(answers, question)] : []));
    showEvidence(question);
  }

  function showEvidence(question) {
    const slot = sheet.querySelector(".slot");
    const told = JSON.stringify(question.pictures || {});
    if (slot.dataset.told === told) return;
    slot.dataset.told = told;
    slot.replaceChildren(...question.evidence.filter(Boolean));
  }

  async function choose(what) {
    const note = sheet.querySelector(".note");
    note.textContent = words.settle.sent;
    const fault = await give(sheet, what);
    if (fault) note.textContent = fault;
  }

  const reopen = (story, seated) => {
    const question = questionOf(story, seated);
    if (question) open(question);
  };

  return { show, reopen };
}

export function questionOf(story, seated) {
  const pending = (story.pending || [])[0];
  if (pending) return proposal(story, pending, seated);
  const due = ((story.state && story.state.awaiting) || [])[0];
  if (due && due.what === "choice") return choice(due, story);
  const motion = (story.motions || []).find((one) => one.order !== "settle");
  if (!motion) return null;
  return motion.order === "appeal" ? appealQuestion(story, motion) : motionQuestion(story, motion, seated);
}

function proposal(story, pending, seated) {
  const page = pageIn(story);
  const { word, player, call } = doubtful(pending, page);
  const asked = pending.asked || [];
  const motions = (story.motions || []).filter((motion) => motion.about === pending.about);
  const doubt = call ? `${name(player)} · ±${millimetres(band(call), false)} mm` : name(player);
  const naming = pending.event.card === null && page.deck ? [nameCard(story, pending)] : [];
  return {
    key: `pending-${pending.row}-${JSON.stringify([seated, motions.map((motion) => motion.agreed)])}`,
    about: `pending-${pending.row}`,
    isBlind: pending.blind,
    isMine: isReferee || asked.some(playsFor),
    mayAnswer: isReferee || asked.some(playsFor),
    waited: waited(story, pending, motions, seated),
    title: html("span", { class: "named doubt" }, html("span", { class: "named" }, sign("doubt"), words.call[word]), html("small", {}, doubt)),
    why: whyAsked(pending, { word, player, call }, page),
    pictures: pending.evidence,
    evidence: evidence(story, pending, { player, call }),
    answers: pending.answers.map(({ label, event }) => ({ label: answerLabel(label, event, pending, page), order: { order: "settle", about: pending.row, event }, tally: tally(story, motions, event) })).concat(naming),
  };
}

// Who has said what, and who is awaited: said to each phone as it concerns whoever holds it.
function waited(story, pending, motions, seated) {
  const page = pageIn(story);
  const asked = pending.asked || [];
  const labelOf = (event) => answerLabel((pending.answers.find((answer) => isSame(answer.event, event)) || {}).label, event, pending, page);
  const said = motions.map((motion) => say(words.settle.says, { players: names(motion.agreed), answer: labelOf(motion.event) }));
  const open = asked.filter((player) => !motions.some((motion) => motion.agreed.includes(player)));
  const isTwo = pending.needed < asked.length;
  const isMine = open.some(playsFor);
  const due = () => {
    if (isMine) return isTwo ? words.settle.two_decide : "";
    if (asked.length) return awaited(open, seated, isTwo);
    if ((story.appeals || {}).settled_by === "referee") return words.settle.for_referee;
    return canOrder && isPhone ? "" : words.settle.watch; // where any phone may decide, this one need not wait
  };
  return [...said, due()].filter(Boolean).join(" ");
}

// A card that could not be read is named by its picture.
function nameCard(story, pending) {
  const { deck, face } = pageIn(story);
  const ask = (choose) => askCard(document.getElementById("sheet"), words.call.doubt_card.replace("\n", " "), { face, codes: deck(story.game.options || {}) }, (card) =>
    choose({ order: "settle", about: pending.row, event: { ...pending.event, card } }));
  return { label: words.settle.name_card, ask };
}

function choice(due, story) {
  const event = (what) => ({ order: "event", event: { event: "choice", player: due.player, choice: what } });
  return {
    key: `choice-${due.player}-${due.by}`,
    mayAnswer: mayFor(due.player),
    about: `choice-${due.player}`,
    isMine: mayFor(due.player),
    waited: mayFor(due.player) ? "" : say(words.settle.waits_for, { players: name(due.player) }),
    title: say(words.settle.choice_title, { player: name(due.player) }),
    why: words.settle.choice_why,
    pictures: [],
    evidence: [],
    answers: [
      { label: words.settle.stay, order: event("stay") },
      { label: words.settle.back, order: event("back") },
    ],
  };
}

// Asks once more before a do-over.
export function askDoOver(sheet, story) {
  const player = story.state && story.state.do_over;
  const note = html("p", { class: "note", role: "status" });
  openSheet(sheet, words.settle.do_over_title, html("p", { class: "big" }, say(words.settle.do_over_why, { player: name(player) })), note,
    html("div", { class: "answers" },
      button(words.settle.yes_do_over, () => giveAndClose(sheet, note, { order: "event", event: { event: "do_over" } }), "first"),
      button(words.settle.no, () => sheet.close())));
}
