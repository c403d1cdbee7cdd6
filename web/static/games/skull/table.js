// The table of Skull: piles, points, and which card may be turned over next.

import { html } from "../../dom.js";
import { back, card, gap } from "../../cards/card.js";
import { fact, score as scored } from "../../cards/table.js";
import { name, say, words } from "../../words.js";
import { face } from "./faces.js";

const TO_WIN = 2;

// A star for each point, those that lack yet empty.
export const score = ({ points }) => scored("★".repeat(points) + "☆".repeat(Math.max(0, TO_WIN - points)), say(words.cards.points, { n: points }));

export function middle(state) {
  const bid = state.bid ? [fact(say(words.cards.bid_of, { player: name(state.bid.player) }), state.bid.number)] : [];
  const flipped = state.phase === "reveal" ? [fact(words.cards.flipped, `${state.flipped}/${state.bid.number}`)] : [];
  return html("div", { class: "middle" }, fact(words.cards.round, state.round), bid, flipped);
}

export function seat(player, state) {
  const isOpen = mayFlip(player, state);
  const top = isOpen ? player.pile.lastIndexOf(null) : -1; // the next to be turned over
  const pile = player.pile.map((code, i) => {
    const drawn = code === null ? back() : card(face(code));
    if (i === top) drawn.classList.add("next");
    return drawn;
  });
  const passed = state.passed.includes(player.name) ? html("span", { class: "tag" }, words.cards.passed) : null;
  const bid = state.bid && state.bid.player === player.name ? html("span", { class: "tag bid" }, String(state.bid.number)) : null;
  return html("div", { class: "pile" }, html("div", { class: "stack" }, pile.length ? pile : gap(words.cards.no_card)),
    html("div", { class: "facts" }, fact(words.cards.hand, player.hand), bid, passed));
}

// The piles whose top card may be turned over now: one's own whole pile first.
export function mayFlip(player, state) {
  if (state.phase !== "reveal" || !player.pile.includes(null)) return false;
  const own = state.players.find((one) => one.name === state.turn);
  return player.name === state.turn || !own.pile.includes(null);
}
