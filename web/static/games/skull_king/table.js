// The table of Skull King: the trick, bids and what was won of them.

import { html } from "../../dom.js";
import { card } from "../../cards/card.js";
import { counted, fact } from "../../cards/table.js";
import { name, words } from "../../words.js";
import { face } from "./faces.js";

export const score = (player) => counted(player.score);

export function middle(state) {
  const cards = state.table.map((played) => html("figure", {}, card(face(played.card), played.as || ""), html("figcaption", {}, name(played.player))));
  const facts = [fact(words.cards.round, state.round), fact(words.cards.trick, state.trick || "–")];
  if (state.suit) facts.push(fact(words.cards.suit, words.cards.flags[state.suit]));
  const empty = cards.length ? cards : [html("p", { class: "quiet" }, words.cards.phases[state.phase] || "")];
  return html("div", { class: "middle" }, html("div", { class: "facts" }, facts), html("div", { class: "trick" }, empty));
}

export function seat(player, state) {
  const isSecret = ["bid", "load"].includes(state.phase);
  const own = state.phase === "load" ? player.load : player.bid;
  const told = isSecret && own === null ? (player.ready ? "✓" : "…") : state.phase === "load" ? words.cards[player.load] || "…" : player.bid ?? "–";
  const bids = fact(isSecret && state.phase === "load" ? words.cards.load : words.cards.bid, told);
  const won = isSecret ? [] : [fact(words.cards.tricks, player.tricks)];
  const fit = player.bid !== null && !isSecret ? (player.tricks === player.bid ? "even" : player.tricks > player.bid ? "over" : "under") : "";
  return html("div", { class: `facts ${fit}` }, bids, won, player.bonus ? fact(words.cards.bonus, `+${player.bonus}`) : null, fact(words.cards.hand, player.hand));
}
