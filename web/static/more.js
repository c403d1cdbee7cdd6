// The sheet behind the last button: who this phone is, how to become somebody else, and everything used once a game.

import { bookSheet } from "./book.js";
import { certificateWords, readCertificate } from "./certificate.js";
import { button, html, redraw } from "./dom.js";
import { pageIn } from "./games.js";
import { during } from "./giving.js";
import { canOrder, isReferee, me } from "./me.js";
import { send } from "./orders.js";
import { hostSheet } from "./host/host.js";
import { openSheet } from "./sheets.js";
import { callerChoice } from "./sound.js";
import { disc } from "./strip.js";
import { pastSheet } from "./summary.js";
import { tellOfNow } from "./telling/right.js";
import { name, names, say, turnLanguage, words } from "./words.js";

const link = (label, href) => html("a", { href, target: "_blank", rel: "noopener" }, label);

// Whose phone this is, as a browser names the page: it is the first that is read out of it.
export const myTitle = () => [[isReferee && !me.is_open ? words.more.referee_role : "", names(me.seats)].filter(Boolean).join(", "), "Linesies"].filter(Boolean).join(" · ");

export const myLabel = () => (me.seats.length ? names(me.seats) : me.role === "watcher" ? words.more.join : words.more.title);

export function moreSheet(sheet, story) {
  const note = html("p", { class: "note", role: "status" });
  const host = isReferee ? button(words.host.title, () => hostSheet(sheet, story), "first wide") : null;
  const tell = canOrder && story && story.state && story.state.phase !== "over" ? button(words.right.tell, () => tellOfNow(sheet, story), "wide") : null;
  const book = story && story.game ? button(words.book.title, () => bookSheet(sheet, story), "wide") : null;
  const past = button(words.past.title, () => pastSheet(sheet), "wide");
  const pause = story && story.state && pageIn(story).more(story, sheet, note);
  const doors = html("div", { class: "doors" }, [pause, tell, host, book, past].filter(Boolean));
  const entering = joining(story, note);
  openSheet(sheet, words.more.title, html("p", { class: "quiet" }, whoAmI()), note, ...(me.role === "watcher" ? [entering, doors] : [doors, entering]), callerChoice(), codes(note), proof(), links());
}

function whoAmI() {
  const seats = names(me.seats);
  if (me.is_open) return me.seats.length ? say(words.more.open_seat, { players: seats }) : words.more.open;
  if (isReferee) return me.seats.length ? say(words.more.referee_seat, { players: seats }) : words.more.referee;
  return me.seats.length ? say(words.more.player, { players: seats }) : words.more.watcher;
}

// How exact calls have proved to be here, for whoever wonders whether to believe them.
function proof() {
  const told = html("p", { class: "quiet", id: "proof" });
  readCertificate().then((certificate) => {
    told.textContent = certificateWords(certificate);
  }).catch(() => told.remove());
  return told;
}

async function enter(path, body, note) {
  const { ok, told } = await send(path, body);
  if (ok) window.location.replace("/");
  else note.textContent = told.message;
}

// By code; where phones are trusted, by one's name.
function joining(story, note) {
  const leave = me.seats.length || (isReferee && !me.is_open) ? button(words.more.leave, () => enter("/leave", {}, note)) : null;
  if (me.is_open) return [seats(story, note), leave];
  const box = html("input", {
    id: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: "8", "aria-label": words.more.code, placeholder: "••••",
  });
  const form = html("form", { class: "code" }, box, html("button", { type: "submit", class: "first" }, words.more.enter));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter("/join", { code: box.value }, note);
  });
  return [html("h3", {}, words.more.code), html("p", { class: "quiet" }, words.more.code_more), form, leave];
}

function seats(story, note) {
  const players = (story && story.game && story.game.players) || [];
  const taken = (player) => me.seats.includes(player);
  if (!players.length) return null;
  return [html("h3", {}, words.more.seat), html("div", { class: "answers" }, players.map((player) => {
    const one = button([disc(story, player, 30), html("span", {}, name(player))], () => enter("/seat", { player }, note), taken(player) ? "first seat" : "seat");
    one.setAttribute("aria-pressed", String(taken(player)));
    return one;
  }))];
}

// The referee sees who has paired and what to type next.
function codes(note) {
  if (!isReferee || me.is_open) return null;
  const place = html("div", { class: "phones" });
  const draw = async () => {
    const answer = await fetch("/phones");
    if (!answer.ok) return;
    const told = await answer.json();
    const items = Object.entries(told.codes).map(([player, code]) =>
      html("li", {}, html("span", {}, player ? name(player) : words.more.referee_code), html("code", {}, code)));
    const phones = told.phones.map((phone) => html("li", {},
      html("span", {}, `${phone.role === "referee" ? words.more.referee_role : ""} ${names(phone.seats)}`.trim() || phone.name),
      phone.name === me.phone ? null : button(words.more.revoke, async () => {
        const { ok, told: refused } = await during(place, () => send("/phones/revoke", { phone: phone.name }));
        if (ok) draw();
        else note.textContent = refused.message;
      })));
    redraw(place, html("h3", {}, words.more.codes), html("ul", {}, items), html("h3", {}, words.more.phones), html("ul", {}, phones));
  };
  draw();
  return place;
}

const links = () => html("p", { class: "links" },
  link(words.more.invite, `/join?lang=${words.language}`), button(words.more.language, turnLanguage));

// A seat's QR code leads here with its code: it is taken at once and does not stay in the address.
export async function joinFromAddress(warn) {
  const found = /^#seat=(\d+)$/.exec(window.location.hash);
  if (!found) return;
  window.history.replaceState(null, "", "/");
  const { ok, told } = await send("/join", { code: found[1] });
  if (ok) window.location.replace("/");
  else warn(told.message);
}
