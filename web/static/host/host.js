// Hosting: a new game, the board, lamps and buzzer, storage, switching off.

import { html } from "../dom.js";
import { order } from "../orders.js";
import { openSheet } from "../sheets.js";
import { say, words } from "../words.js";
import { accuracySheet, isMeasured } from "./accuracy.js";
import { camerasSheet } from "./cameras.js";
import { capsSheet } from "./caps.js";
import { boardSheet } from "./corners.js";
import { gameSheet } from "./game.js";

const GIGABYTE = 1e9;

export const button = (label, tap, kind = "") => html("button", { type: "button", class: kind, onclick: tap }, label);

export function hostSheet(sheet, story) {
  const note = html("p", { class: "note", role: "status" });
  const tell = async (what, done) => {
    note.textContent = words.settle.sent;
    note.textContent = (await order(what)) || done;
  };
  const off = button(words.host.shut_down, () => {
    off.replaceWith(html("div", { class: "answers" }, button(words.host.really, () => tell({ order: "shut_down" }, words.host.wait_dark), "first"), button(words.settle.no, () => hostSheet(sheet, story))));
  }, "wide");
  openSheet(sheet, words.host.title, note, html("div", { class: "steps" },
    button(words.host.game, () => gameSheet(sheet, story), "wide first"),
    button(words.host.cameras, () => camerasSheet(sheet), "wide"),
    button(words.host.board, () => boardSheet(sheet), "wide"),
    story.set_up && story.set_up.lines && story.set_up.lines.length ? button(words.host.caps, () => capsSheet(sheet, story), "wide") : null,
    isMeasured(story) ? button(words.host.accuracy, () => accuracySheet(sheet, story), "wide") : null,
    button(words.host.test, () => tell({ order: "test" }, words.host.tested), "wide"),
    off), storage());
}

function storage() {
  const place = html("p", { class: "quiet" });
  fetch("/storage").then(async (answer) => {
    if (!answer.ok) return;
    const { free, whole } = await answer.json();
    const amount = (bytes) => new Intl.NumberFormat(words.language, { maximumFractionDigits: 1 }).format(bytes / GIGABYTE);
    if (whole) place.textContent = say(words.host.storage, { free: amount(free), whole: amount(whole) });
  });
  return place;
}
