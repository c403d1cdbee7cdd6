// The table of Skip-Bo: building piles, the die, stocks and discards.

import { html } from "../../dom.js";
import { back, card, gap } from "../../cards/card.js";
import { counted, fact } from "../../cards/table.js";
import { say, words } from "../../words.js";
import { face } from "./faces.js";

export function score(player, state) {
  const side = state.sides.find((one) => one.players.includes(player.name));
  return counted(side.score);
}

const DIE = { SB: "★", DISCARD2: "2×↓", DRAW1: "+1" };

export function middle(state) {
  const piles = state.building.map((pile, i) =>
    html("figure", {}, pile.top ? card(face(String(pile.top))) : gap(words.cards.no_card), html("figcaption", {}, say(words.cards.pile, { n: i + 1 }))));
  const die = state.die.face ? [fact(words.cards.die, `${DIE[state.die.face] || state.die.face}${state.die.used ? " ✓" : ""}`)] : [];
  return html("div", { class: "middle" }, html("div", { class: "trick" }, piles), html("div", { class: "facts" }, fact(words.cards.draw_pile, state.draw), die));
}

export function seat(player) {
  const stock = html("figure", {}, player.stock.top ? card(face(player.stock.top)) : player.stock.cards ? back() : gap(words.cards.no_card),
    html("figcaption", {}, say(words.cards.stock, { n: player.stock.cards })));
  const discards = player.discards.map((pile) =>
    html("figure", {}, pile.length ? card(face(pile[pile.length - 1])) : gap(words.cards.no_card), html("figcaption", {}, pile.length > 1 ? `${pile.length}` : "\u00a0")));
  return html("div", { class: "row" }, stock, discards, fact(words.cards.hand, player.hand));
}
