// The league that this board belongs to, and leaving it: two taps, and what the hub says to it.

import { button, html, redraw } from "../dom.js";
import { during } from "../giving.js";
import { send } from "../orders.js";
import { say, words } from "../words.js";

export function leaguePlace() {
  const place = html("div", { id: "league" });
  draw(place);
  return place;
}

async function draw(place) {
  const answer = await fetch("/league");
  const { league } = answer.ok ? await answer.json() : {};
  redraw(place, league ? [html("p", { class: "quiet" }, say(words.host.league, league)), leaving(league, place)] : []);
}

function leaving(league, place) {
  const note = html("p", { class: "note", role: "status" });
  const leave = async () => {
    const { ok, told } = await during(place, () => send("/league/leave", {}));
    if (!ok) note.textContent = told.why ? `${told.message} (${told.why})` : told.message;
    else redraw(place, html("p", { class: "note", role: "status" }, say(told.trouble ? words.host.left_untold : words.host.left, league)));
  };
  const ask = button(words.host.leave, () => {
    redraw(going, button(words.host.really_leave, leave, "first"), button(words.settle.no, () => redraw(going, ask)));
  }, "wide");
  const going = html("div", { class: "answers", role: "group", "aria-label": words.host.leave }, ask);
  return html("div", {}, note, going);
}
