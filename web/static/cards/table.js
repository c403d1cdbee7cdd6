// The table from above: each player's place, piles as numbers, what lies face up, whose turn it is.

import { html, redraw } from "../dom.js";
import { disc } from "../strip.js";
import { name, say, words } from "../words.js";

const ROOMY = 4; // so many places have room for larger cards and numbers

// Draws a game's table; `parts` are its `middle(state)`, each player's `seat(player, state)` and `score(player, state)`.
export function tableOf(look, turnOf, parts) {
  let shown = "";

  return (place, { state, game, set_up: setUp }, _now, { onPlayer }) => {
    const key = JSON.stringify([state, game]);
    if (key === shown && place.firstChild && place.firstChild.classList.contains(look)) return;
    shown = key;
    const due = turnOf(state);
    const seats = state.players.map((player) => {
      const isTurn = due.includes(player.name);
      const head = html("button", { type: "button", class: "who", onclick: () => onPlayer(player.name) },
        disc({ game, set_up: setUp }, player.name, 30), html("strong", {}, name(player.name)), player.status ? html("small", {}, words.cards.away[player.status]) : null, parts.score(player, state));
      return html("li", { class: `seat ${isTurn ? "turn" : ""} ${player.out || player.status ? "out" : ""}`, "data-player": player.name, "aria-current": isTurn ? "true" : null },
        head, parts.seat(player, state));
    });
    redraw(place, html("div", { class: `table ${look} ${state.players.length > ROOMY ? "" : "roomy"}` }, parts.middle(state), html("ul", { class: "seats" }, seats)));
  };
}

export const score = (text, label = null) => html("span", { class: "score", "aria-label": label }, text);

// Points as a number, with a star: a bare number beside a name says nothing to a child.
export const counted = (points) => score(`★ ${points}`, say(words.cards.points, { n: points }));

export const fact = (text, value) => html("span", { class: "fact" }, html("small", {}, text), html("b", {}, String(value)));
