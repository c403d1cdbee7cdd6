// What a player of Skull may say: his card is down, a bid, a pass, whose card he turned over, which card is lost.

import { askCard, asked, hint, numbers, row } from "../../cards/buttons.js";
import { button } from "../../dom.js";
import { say, name, words } from "../../words.js";
import { deck, face } from "./faces.js";
import { mayFlip } from "./table.js";

export function controls({ state, game, mine, due, tell, sheet }) {
  const texts = words.cards;
  const player = due[0];
  const options = (game && game.options) || {};
  if (state.phase === "bid" && !player) return openBid(state, options, mine, tell);
  if (!player) return [];
  if (state.phase === "first") return asked(texts.put_down, button(texts.is_down, () => tell({ event: "placed", player })));
  if (state.phase === "place") return [...placing(state, player, tell), bids(state, player, tell)];
  if (state.phase === "bid") return [bids(state, player, tell), row(button(texts.pass, () => tell({ event: "pass", player }), "first"))];
  if (state.phase === "reveal") return flips(state, options, player, tell, sheet);
  if (state.phase === "loss") return loss(state, tell);
  return [];
}

const onTable = (state) => state.players.reduce((sum, player) => sum + player.pile.length, 0);

function bids(state, player, tell) {
  const least = state.bid ? state.bid.number + 1 : 1;
  return numbers(1, onTable(state), { least, label: words.cards.your_bid, tap: (number) => tell({ event: "bid", player, number }) });
}

function placing(state, player, tell) {
  const hand = state.players.find((one) => one.name === player).hand;
  if (!hand) return [hint(words.cards.must_bid)];
  return asked(words.cards.place_or_bid, button(words.cards.is_down, () => tell({ event: "placed", player })));
}

// With open bid everyone may shout a bid at any time.
function openBid(state, options, mine, tell) {
  const player = mine.find((one) => {
    const found = state.players.find((other) => other.name === one);
    return found && !found.out && state.bid.player !== one;
  });
  return options.open_bid && player ? [hint(words.cards.open_bid), bids(state, player, tell)] : [];
}

function flips(state, options, player, tell, sheet) {
  const piles = state.players.filter((one) => mayFlip(one, state));
  const ask = (owner) => askCard(sheet, say(words.cards.which_card, { player: name(owner) }), { face, codes: deck(options) }, (code) =>
    tell({ event: "flip", player, owner, card: code }));
  return asked(words.cards.flip_at_table, ...piles.map((one) => button(say(words.cards.flip_of, { player: name(one.name) }), () => ask(one.name))));
}

function loss(state, tell) {
  const { player, by } = state.loss;
  const text = player === by ? words.cards.lose_own : say(words.cards.lose_theirs, { player: name(player) });
  return asked(text, button(words.cards.is_lost, () => tell({ event: "card_lost", player, by }), "first"));
}
