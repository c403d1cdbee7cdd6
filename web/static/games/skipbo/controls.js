// What a player of Skip-Bo may say: drawn, rolled, which card went where, what the die stands for.

import { askCard, asked, hint, numbers, row } from "../../cards/buttons.js";
import { button } from "../../dom.js";
import { openSheet } from "../../sheets.js";
import { name, say, words } from "../../words.js";
import { deck, face } from "./faces.js";

const FACES = ["1-4", "5-8", "9-12", "SB", "DISCARD2", "DRAW1"];
const OFFERED = { "1-4": [1, 4], "5-8": [5, 8], "9-12": [9, 12], SB: [1, 12] };
const EVERY = { face, codes: deck() };

export function controls({ state, mine, due, tell, sheet }) {
  const texts = words.cards;
  if (state.phase === "between") return mine.length ? [row(button(texts.next_game, () => tell({ event: "next_game" }), "first"))] : [];
  const others = mine.filter((one) => one !== state.out_of_turn);
  const stop = state.out_of_turn && others.length ? [row(button(texts.not_his_turn, () => tell({ event: "notice", player: others[0] })))] : [];
  const hidden = state.players.find((one) => mine.includes(one.name) && one.stock.cards && !one.stock.top);
  if (hidden) {
    const ask = () => askCard(sheet, texts.which_yours, EVERY, (code) => tell({ event: "turn_up", player: hidden.name, card: code }));
    stop.push(...asked(texts.turn_up, button(texts.missed, ask)));
  }
  const player = due[0];
  if (!player || state.phase !== "play") return stop;
  if (state.owed) {
    return [...stop, hint(say(texts.draw_hint, { n: state.owed })), numbers(1, 5, { most: 5, label: texts.drawn, tap: (cards) => tell({ event: "draw", player, cards }) })];
  }
  if (!state.die.face) {
    return [...stop, ...asked(texts.roll, ...FACES.map((face) => button(texts.faces[face], () => tell({ event: "roll", player, face }))))];
  }
  return [...stop, ...turn(state, player, tell, sheet)];
}

function turn(state, player, tell, sheet) {
  const texts = words.cards;
  const own = state.players.find((one) => one.name === player);
  const fromHand = (then) => askCard(sheet, texts.which_yours, EVERY, then);
  const lay = (source) => state.building.flatMap((pile, i) => plays(state, pile, i + 1, source, player, tell));
  const side = state.sides.find((one) => one.players.includes(player)).players; // a partner's piles are one's own, too
  const within = state.players.filter((one) => side.includes(one.name)).sort((a, b) => (b === own) - (a === own));
  const laid = within.flatMap((one) => tops(one, player)).map(([label, source]) => [label, lay(source)]).filter(([, buttons]) => buttons.length);
  const die = state.die.face === "DRAW1" && !state.die.used ? opponents(state, player, tell) : [];
  const hand = own.hand
    ? [row(button(texts.play_hand, () => fromHand((code) => askPile(sheet, state, player, { from: "hand", card: code }, tell))),
        button(texts.discard, () => fromHand((code) => askDiscard(sheet, state, player, code, tell)), "first"))]
    : [row(button(texts.end_turn, () => tell({ event: "end_turn", player }), "first"))];
  return [...laid.flatMap(([label, buttons]) => asked(label, ...buttons)), ...die, ...hand];
}

// What lies on top of somebody's stock and discard piles, each with what it is called and how a play names it.
function tops({ name: owner, stock, discards }, player) {
  const texts = owner === player ? words.cards : words.cards.partner;
  const told = (text, more) => say(text, { player: name(owner), ...more });
  const found = stock.top ? [[told(texts.from_stock, { card: stock.top }), { from: "stock", card: stock.top, owner }]] : [];
  discards.forEach((pile, i) => {
    const card = pile[pile.length - 1];
    if (card) found.push([told(texts.from_discard, { n: i + 1, card }), { from: "discard", n: i + 1, card, owner }]);
  });
  return found;
}

// The ways to lay a card on a pile: as it is, or after the die stands for the number before it.
function plays(state, pile, number, source, player, tell) {
  const wanted = (pile.top % 12) + 1;
  const event = { event: "play", player, pile: number, ...source };
  const found = [];
  if ([String(wanted), "SB"].includes(source.card)) found.push(button(say(words.cards.on_pile, { n: number }), () => tell(event)));
  const [low, high] = state.die.used ? [1, 0] : OFFERED[state.die.face] || [1, 0];
  if (wanted >= low && wanted <= high && [String((wanted % 12) + 1), "SB"].includes(source.card)) {
    found.push(button(say(words.cards.die_on_pile, { n: number, value: wanted }), () => tell({ ...event, die: wanted })));
  }
  return found;
}

function askPile(sheet, state, player, source, tell) {
  const found = state.building.flatMap((pile, i) => plays(state, pile, i + 1, source, player, (event) => {
    sheet.close();
    tell(event);
  }));
  openSheet(sheet, words.cards.which_pile, found.length ? row(...found) : hint(words.cards.fits_nowhere));
}

// Where a card is discarded, and, with the die's two more, whether it is one of these or ends the turn.
function askDiscard(sheet, { die }, player, code, tell) {
  const piles = (more) => [1, 2, 3, 4].map((pile) => button(say(words.cards.on_discard, { n: pile }), () => {
    sheet.close();
    tell({ event: "discard", player, card: code, pile, ...more });
  }));
  const isExtra = die.face === "DISCARD2" && !die.used;
  const extra = isExtra ? asked(words.cards.by_die, ...piles({ die: true })) : [];
  openSheet(sheet, words.cards.which_pile, extra, isExtra ? asked(words.cards.ends_turn, ...piles({})) : row(...piles({})));
}

function opponents(state, player, tell) {
  const side = state.sides.find((one) => one.players.includes(player)).players;
  const others = state.players.filter((one) => !side.includes(one.name) && !one.status);
  return asked(words.cards.who_draws, ...others.map((one) => button(name(one.name), () => tell({ event: "opponent_draws", player, opponent: one.name }))));
}
