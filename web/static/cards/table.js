// The table from above: each player's place, piles as numbers, what lies face up, whose turn it is.

import { html, redraw } from "../dom.js";
import { disc } from "../strip.js";
import { name, say, words } from "../words.js";
import { back, card, gap } from "./card.js";
import { turnOf } from "./turns.js";

const ROOMY = 4; // so many places have room for larger cards and numbers
const MIDDLES = { skull: skullMiddle, skull_king: trick, skipbo: building };
const PLACES = { skull: skullPlace, skull_king: kingPlace, skipbo: skipboPlace };

export function makeTable(place, { onPlayer }) {
  let shown = "";

  function show(story) {
    const key = JSON.stringify([story.state, story.game]);
    if (key === shown && place.firstChild) return;
    shown = key;
    const { state } = story;
    const game = story.game.game;
    const seats = state.players.map((player) => {
      const isTurn = turnOf(state).includes(player.name);
      const head = html("button", { type: "button", class: "who", onclick: () => onPlayer(player.name) },
        disc(story, player.name, 30), html("strong", {}, name(player.name)), ...marks(state, player));
      return html("li", { class: `seat ${isTurn ? "turn" : ""} ${player.out ? "out" : ""}`, "data-player": player.name, "aria-current": isTurn ? "true" : null },
        head, PLACES[game](player, state));
    });
    redraw(place, html("div", { class: `table ${game} ${state.players.length > ROOMY ? "" : "roomy"}` }, MIDDLES[game](state, story), html("ul", { class: "seats" }, seats)));
  }

  const forget = () => {
    shown = "";
  };

  return { show, forget };
}

function marks(state, player) {
  if (state.game === "skull") return [html("span", { class: "score", "aria-label": say(words.cards.points, { n: player.points }) }, "●".repeat(player.points) || "○")];
  if (state.game === "skull_king") return [html("span", { class: "score" }, String(player.score))];
  const side = state.sides.find((one) => one.players.includes(player.name));
  return [html("span", { class: "score" }, String(side.score))];
}

const fact = (text, value) => html("span", { class: "fact" }, html("small", {}, text), html("b", {}, String(value)));

function skullMiddle(state) {
  const bid = state.bid ? [fact(say(words.cards.bid_of, { player: name(state.bid.player) }), state.bid.number)] : [];
  const flipped = state.phase === "reveal" ? [fact(words.cards.flipped, `${state.flipped}/${state.bid.number}`)] : [];
  return html("div", { class: "middle" }, fact(words.cards.round, state.round), bid, flipped);
}

function skullPlace(player, state) {
  const isOpen = mayFlip(player, state);
  const top = isOpen ? player.pile.lastIndexOf(null) : -1; // the next to be turned over
  const pile = player.pile.map((code, i) => {
    const drawn = code === null ? back() : card(code, "skull");
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

function trick(state) {
  const cards = state.table.map((played) => html("figure", {}, card(played.card, "skull_king", played.as || ""), html("figcaption", {}, name(played.player))));
  const facts = [fact(words.cards.round, state.round), fact(words.cards.trick, state.trick || "–")];
  if (state.suit) facts.push(fact(words.cards.suit, words.cards.flags[state.suit]));
  const empty = cards.length ? cards : [html("p", { class: "quiet" }, words.cards.phases[state.phase] || "")];
  return html("div", { class: "middle" }, html("div", { class: "facts" }, facts), html("div", { class: "trick" }, empty));
}

function kingPlace(player, state) {
  const isSecret = ["bid", "load"].includes(state.phase);
  const own = state.phase === "load" ? player.load : player.bid;
  const told = isSecret && own === null ? (player.ready ? "✓" : "…") : state.phase === "load" ? words.cards[player.load] || "…" : player.bid ?? "–";
  const bids = fact(isSecret && state.phase === "load" ? words.cards.load : words.cards.bid, told);
  const won = isSecret ? [] : [fact(words.cards.tricks, player.tricks)];
  const fit = player.bid !== null && !isSecret ? (player.tricks === player.bid ? "even" : player.tricks > player.bid ? "over" : "under") : "";
  return html("div", { class: `facts ${fit}` }, bids, won, player.bonus ? fact(words.cards.bonus, `+${player.bonus}`) : null, fact(words.cards.hand, player.hand));
}

const DIE = { SB: "★", DISCARD2: "2×↓", DRAW1: "+1" };

function building(state) {
  const piles = state.building.map((pile, i) =>
    html("figure", {}, pile.top ? card(String(pile.top), "skipbo") : gap(words.cards.no_card), html("figcaption", {}, say(words.cards.pile, { n: i + 1 }))));
  const die = state.die.face ? [fact(words.cards.die, `${DIE[state.die.face] || state.die.face}${state.die.used ? " ✓" : ""}`)] : [];
  return html("div", { class: "middle" }, html("div", { class: "trick" }, piles), html("div", { class: "facts" }, fact(words.cards.draw_pile, state.draw), die));
}

function skipboPlace(player) {
  const stock = html("figure", {}, player.stock.top ? card(player.stock.top, "skipbo") : player.stock.cards ? back() : gap(words.cards.no_card),
    html("figcaption", {}, say(words.cards.stock, { n: player.stock.cards })));
  const discards = player.discards.map((pile) =>
    html("figure", {}, pile.length ? card(pile[pile.length - 1], "skipbo") : gap(words.cards.no_card), html("figcaption", {}, pile.length > 1 ? `${pile.length}` : "\u00a0")));
  return html("div", { class: "row" }, stock, discards, fact(words.cards.hand, player.hand));
}
