// Hosting: five steps to a game, each with a tick once it is done; then what is used now and then.

import { button, html, redraw, sign } from "../dom.js";
import { give } from "../giving.js";
import { openSheet } from "../sheets.js";
import { number, say, words } from "../words.js";
import { accuracySheet, advice, isMeasured } from "./accuracy.js";
import { camerasSheet } from "./cameras.js";
import { capsSheet } from "./caps.js";
import { cardsSheet } from "./cards.js";
import { boardSheet } from "./corners.js";
import { gameSheet } from "./game.js";
import { leaguePlace } from "./league.js";
import { isMat } from "./mat.js";
import { proofSheet } from "./proof.js";

const GIGABYTE = 1e9;

export function hostSheet(sheet, story) {
  const note = html("p", { class: "note", role: "status" });
  const tell = async (what, done) => {
    note.textContent = words.settle.sent;
    note.textContent = (await give(seldom, what)) || done;
  };
  const off = button(words.host.shut_down, () => {
    redraw(going, button(words.host.really, () => tell({ order: "shut_down" }, words.host.wait_dark), "first"), button(words.settle.no, () => redraw(going, off)));
  }, "wide");
  const going = html("div", { class: "answers", role: "group", "aria-label": words.host.shut_down }, off);
  const seldom = html("div", { class: "steps" },
    isMat(story) ? button(words.host.cards, () => cardsSheet(sheet), "wide") : null,
    isMeasured(story) ? button(words.host.accuracy, () => accuracySheet(sheet, story), "wide") : null,
    hasCaps(story) ? button(words.proof.title, () => proofSheet(sheet, () => hostSheet(sheet, story)), "wide") : null,
    button(words.host.test, () => tell({ order: "test" }, words.host.tested), "wide"),
    going);
  openSheet(sheet, words.host.title, note, html("ol", { class: "steps" }, steps(sheet, story)), story.game ? null : advice(story), seldom, leaguePlace(), storage());
}

// [what it is called, whether it is done, what opens, whether it can be opened yet]; at a mat nobody needs caps
function steps(sheet, story) {
  const back = (next) => hostSheet(sheet, next);
  const setUp = story.set_up || {};
  const hasBoard = Boolean(setUp.lines && setUp.lines.length);
  const all = [
    [words.host.cameras, ["ok", "slow"].includes(document.body.dataset.camera), () => camerasSheet(sheet, () => back(story)), true],
    [words.host.board, hasBoard, () => boardSheet(sheet, story, back), true],
    isMat(story) ? null : [words.host.caps, (setUp.caps || []).length > 0, () => capsSheet(sheet, story, back), hasBoard],
    [words.host.game, false, () => gameSheet(sheet, story), true],
    [words.more.invite, false, () => window.open(`/join?lang=${words.language}`, "_blank", "noopener"), Boolean(story.game)],
  ].filter(Boolean);
  const next = story.game ? all.findIndex(([label]) => label === words.host.game) : all.findIndex(([, isDone]) => !isDone);
  return all.filter(([, , , isOpen]) => isOpen || !story.game).map(([label, isDone, open, isOpen], i) => {
    const done = isDone ? html("span", { class: "done", role: "img", "aria-label": words.host.done }, sign("good")) : null;
    const one = button([html("b", { class: "number", "aria-hidden": "true" }, String(i + 1)), label, done], open, `wide ${label === all[next][0] ? "first" : ""}`);
    one.disabled = !isOpen;
    return html("li", {}, one);
  });
}

const hasCaps = ({ set_up: setUp }) => Boolean(setUp && setUp.lines && setUp.lines.length && (setUp.caps || []).length);

function storage() {
  const place = html("p", { class: "quiet" });
  fetch("/storage").then(async (answer) => {
    if (!answer.ok) return;
    const { free, whole } = await answer.json();
    const amount = (bytes) => number(bytes / GIGABYTE);
    if (whole) place.textContent = say(words.host.storage, { free: amount(free), whole: amount(whole) });
  });
  return place;
}
