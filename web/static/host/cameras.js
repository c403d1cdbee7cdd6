// Which camera looks: those that the box has, by name; a tap opens another one.

import { html } from "../dom.js";
import { give } from "../giving.js";
import { openSheet } from "../sheets.js";
import { words } from "../words.js";
import { makeStage, showPicture } from "./loupe.js";

export async function camerasSheet(sheet, back) {
  const answer = await fetch("/cameras");
  const { cameras } = answer.ok ? await answer.json() : { cameras: [] };
  const note = html("p", { class: "note steady", role: "status" }, cameras.length ? words.host.cameras_more : words.host.no_cameras);
  const choose = async (source) => {
    note.textContent = words.settle.sent;
    note.textContent = (await give(choices, { order: "camera", source })) || words.host.camera_sent;
  };
  const choices = html("div", { class: "steps" }, cameras.map(({ source, name, is_chosen: isChosen }) =>
    html("button", { type: "button", class: `wide preset ${isChosen ? "first" : ""}`, "aria-pressed": String(isChosen), onclick: () => choose(source) },
      html("strong", {}, name), html("small", {}, source))));
  const stage = makeStage("stays");
  openSheet(sheet, words.host.cameras, stage, note, choices, html("div", { class: "answers" }, html("button", { type: "button", class: "first", onclick: back }, words.host.camera_right)));
  showPicture(stage, () => {
    if (!cameras.length) note.textContent = "";
  });
}
