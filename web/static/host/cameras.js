// Which camera looks: those that the box has, by name; a tap opens another one.

import { html } from "../dom.js";
import { order } from "../orders.js";
import { openSheet } from "../sheets.js";
import { words } from "../words.js";

export async function camerasSheet(sheet) {
  const answer = await fetch("/cameras");
  const { cameras } = answer.ok ? await answer.json() : { cameras: [] };
  const note = html("p", { class: "note", role: "status" });
  const choose = async (source) => {
    note.textContent = words.settle.sent;
    note.textContent = (await order({ order: "camera", source })) || words.host.camera_sent;
  };
  const found = cameras.map(({ source, name, is_chosen: isChosen }) =>
    html("button", { type: "button", class: `wide preset ${isChosen ? "first" : ""}`, "aria-pressed": String(isChosen), onclick: () => choose(source) },
      html("strong", {}, name), html("small", {}, source)));
  openSheet(sheet, words.host.cameras, html("p", {}, found.length ? words.host.cameras_more : words.host.no_cameras), note, html("div", { class: "steps" }, found));
}
