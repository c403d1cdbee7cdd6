// A game's own cards, photographed one by one with this phone and then learned; those taken already have a tick.

import { card } from "../cards/card.js";
import { button, html, redraw, sign } from "../dom.js";
import { lessons, pageOf } from "../games.js";
import { give } from "../giving.js";
import { sendPicture } from "../orders.js";
import { openSheet } from "../sheets.js";
import { say, words } from "../words.js";

const LONGEST_PX = 1100; // of what is sent; a card needs no more
const QUALITY = 0.85;
const LOOK_MS = 1000;

export function cardsSheet(sheet) {
  const games = lessons();
  const chosen = { game: games[0], code: null };
  const note = html("p", { class: "note", role: "status" });
  const body = html("div", {});
  let known = { cards: [], is_learning: false, learned: null };

  const ask = async () => {
    const answer = await fetch(`/deck/${chosen.game}`);
    if (answer.ok) known = await answer.json();
  };

  const draw = () => {
    const page = pageOf(chosen.game);
    const missing = page.lesson.filter((code) => !known.cards.includes(code));
    chosen.code = chosen.code || missing[0] || null;
    redraw(body, games.length > 1 ? html("div", { class: "segments", role: "group", "aria-label": words.host.which }, games.map((game) =>
      button(words.past.games[game], () => turn(game), game === chosen.game ? "on" : ""))) : null,
    chosen.code ? taking(page) : null,
    html("div", { class: "answers" }, button(words.host.learn_cards, learn, chosen.code ? "" : "first", { disabled: !known.cards.length || known.is_learning })),
    html("p", { class: "quiet" }, say(words.host.cards_taken, { n: known.cards.length, all: page.lesson.length }), known.learned ? ` ${words.host.cards_learned}` : ""),
    html("div", { class: "picks" }, page.lesson.map((code) => pick(page, code))));
  };

  // The next card: drawn, and the button that opens the camera of this phone.
  function taking(page) {
    const { code } = chosen;
    const input = html("input", { type: "file", accept: "image/*", capture: "environment", hidden: true, onchange: () => input.files.length && take(code, input.files[0]) });
    const label = html("label", { class: "button first wide" }, say(words.host.photograph, { card: nameOf(page, code) }), input);
    return html("div", { class: "taking" }, drawn(page, code), label);
  }

  function pick(page, code) {
    const tick = known.cards.includes(code) ? html("span", { class: "done", role: "img", "aria-label": words.host.done }, sign("good")) : null;
    return html("button", { type: "button", class: `pick ${code === chosen.code ? "chosen" : ""}`, "aria-label": nameOf(page, code), onclick: () => {
      chosen.code = code;
      draw();
    } }, drawn(page, code), tick);
  }

  async function turn(game) {
    Object.assign(chosen, { game, code: null });
    await ask();
    draw();
  }

  async function take(code, file) {
    note.textContent = words.settle.sent;
    const { ok, told } = await sendPicture(`/deck/${chosen.game}/${code}`, await smaller(file));
    note.textContent = ok ? "" : told.message;
    if (ok) {
      known = told;
      chosen.code = null;
    }
    draw();
  }

  async function learn() {
    const before = known.learned;
    known.is_learning = true; // until it is asked anew
    const fault = await give(body, { order: "learn_cards", game: chosen.game });
    note.textContent = fault || words.host.learning_cards;
    known.is_learning = !fault;
    draw();
    if (fault) return;
    const hear = ({ detail }) => {
      const trouble = (detail.troubles || {}).cards;
      if (trouble) note.textContent = trouble.message;
    };
    document.addEventListener("story", hear);
    do {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await ask();
    } while (sheet.open && body.isConnected && known.is_learning);
    setTimeout(() => document.removeEventListener("story", hear), LOOK_MS);
    if (known.learned !== before) note.textContent = words.host.cards_learned;
    draw();
  }

  openSheet(sheet, words.host.cards, html("p", {}, words.host.cards_how), note, body);
  turn(chosen.game);
}

const nameOf = (page, code) => (code === "back" ? words.cards.face_down : code.startsWith("die/") ? say(words.host.die_face, { face: words.cards.faces[code.slice(4)] }) : page.face(code).label);

const drawn = (page, code) => card(code === "back" || code.startsWith("die/") ? { top: code === "back" ? "▒" : code.slice(4).replace("DISCARD", "−").replace("DRAW", "+"), colour: "black", label: nameOf(page, code) } : page.face(code));

// The photograph no larger than it need be, so that it is soon sent.
async function smaller(file) {
  const picture = await createImageBitmap(file);
  const share = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
  const canvas = html("canvas", { width: Math.round(picture.width * share), height: Math.round(picture.height * share) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
