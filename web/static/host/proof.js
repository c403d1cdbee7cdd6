// A guided proof: the printed gauge is laid in five places, photographed alone and with a bank card and caps on it;
// the box measures each as it measures a game, and says how exact calls are here.

import { certificateWords, findingLines, readCertificate } from "../certificate.js";
import { button, html, redraw } from "../dom.js";
import { give } from "../giving.js";
import { openSheet } from "../sheets.js";
import { name, say, words } from "../words.js";
import { livePicture, makeStage } from "./loupe.js";

const PLACES = 5;
const LOOK_MS = 500;

export function proofSheet(sheet, whenDone) {
  const note = html("p", { class: "note", role: "status" });
  const stage = makeStage("stays");
  const body = html("div", { class: "proving" });
  let walk = { seats: [], measured: 0, has_gauge: false, is_measuring: false };
  let fault = null;

  const hear = ({ detail }) => {
    fault = (detail.troubles || {}).proof || null;
    if (fault) note.textContent = fault.message;
  };

  // Has a picture taken, and waits until it is, or is measured, or until it is said why not.
  async function take(shows) {
    const before = walk;
    fault = null;
    note.textContent = words.settle.sent;
    const refused = await give(body, { order: "prove", place: walk.measured, shows });
    note.textContent = refused || "";
    if (refused) return;
    redraw(body, html("p", { class: "quiet" }, shows === "caps" ? words.proof.measuring : words.proof.taking));
    do {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const answer = await fetch("/proof");
      if (answer.ok) walk = await answer.json();
    } while (body.isConnected && !fault && (walk.is_measuring || !isFurther(before)));
    draw();
  }

  const isFurther = (before) => walk.measured !== before.measured || walk.has_gauge !== before.has_gauge;

  function draw() {
    if (walk.measured >= PLACES) finish();
    else redraw(body, html("h3", {}, say(words.proof.place, { n: walk.measured + 1, all: PLACES })), walk.has_gauge ? seating() : laying(),
      walk.measured ? button(words.proof.enough, finish, "wide") : null);
  }

  const laying = () => [html("p", {}, words.proof.where[walk.measured]), html("p", {}, words.proof.lay), button(words.proof.take, () => take("gauge"), "first wide")];

  function seating() {
    const rings = walk.seats[walk.measured].map((player, i) => player && html("li", {}, say(words.proof.ring, { n: i + 1, player: name(player) })));
    return [html("p", {}, words.proof.seat), html("ul", { class: "advice" }, rings.filter(Boolean)), button(words.proof.take, () => take("caps"), "first wide")];
  }

  async function finish() {
    stage.remove();
    await give(body, { order: "prove", shows: "nothing" });
    note.textContent = "";
    const certificate = await readCertificate();
    redraw(body, html("p", { class: "certificate" }, certificateWords(certificate)), certificate && findingLines(certificate),
      certificate && certificate.offers ? button(words.proof.put_right, putRight, "first wide") : null, button(words.proof.close, whenDone, "wide"));
  }

  async function putRight({ target }) {
    const fault = await give(body, { order: "put_right" });
    note.textContent = fault || words.proof.is_right;
    if (!fault) target.remove();
  }

  openSheet(sheet, words.proof.title, html("p", { class: "quiet" }, words.proof.how), stage, note, body);
  document.addEventListener("story", hear);
  sheet.addEventListener("close", () => document.removeEventListener("story", hear), { once: true });
  livePicture(stage);
  draw();
}
