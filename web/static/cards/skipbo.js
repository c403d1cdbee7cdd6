// What a player of Skip-Bo may say: drawn, rolled, which card went where, what the die stands for.

import { name, say, words } from "../words.js";
import { askCard, button, hint, numbers, row } from "./buttons.js";

const FACES = ["1-4", "5-8", "9-12", "SB", "DISCARD2", "DRAW1"];
const OFFERED = { "1-4": [1, 4], "5-8": [5, 8], "9-12": [9, 12], SB: [1, 12] };
const CARDS = [...Array.from({ length: 12 }, (_, i) => String(i + 1)), "SB"];

export const deck = () => CARDS;

export function skipboControls({ state, mine, due, tell, sheet }) {
  const texts = words.cards;
  if (state.phase === "between") return mine.length ? [row(button(texts.next_game, () => tell({ event: "next_game" }), { kind: "first" }))] : [];
  const others = mine.filter((one) => one !== state.out_of_turn);
  const stop = state.out_of_turn && others.length ? [row(button(texts.not_his_turn, () => tell({ event: "notice", player: others[0] })))] : [];
  const hidden = state.players.find((one) => mine.includes(one.name) && one.stock.cards && !one.stock.top);
  if (hidden) {
    const ask = () => askCard(sheet, texts.which_yours, "skipbo", CARDS, (code) => tell({ event: "turn_up", player: hidden.name, card: code }));
    stop.push(hint(texts.turn_up), row(button(texts.missed, ask)));
  }
  const player = due[0];
  if (!player || state.phase !== "play") return stop;
  if (state.owed) {
    return [...stop, hint(say(texts.draw_hint, { n: state.owed })), numbers(1, 5, { most: 5, label: texts.drawn, tap: (cards) => tell({ event: "draw", player, cards }) })];
  }
  if (!state.die.face) {
    return [...stop, hint(texts.roll), row(...FACES.map((face) => button(texts.faces[face], () => tell({ event: "roll", player, face }))))];
  }
  return [...stop, ...turn(state, player, tell, sheet)];
}

function turn(state, player, tell, sheet) {
  const texts = words.cards;
  const own = state.players.find((one) => one.name === player);
  const fromHand = (then) => askCard(sheet, texts.which_yours, "skipbo", CARDS, then);
  const lay = (source) => row(...state.building.map((pile, i) => plays(state, pile, i + 1, source, player, tell)).flat());
  const sources = [];
  if (own.stock.top) sources.push([say(texts.from_stock, { card: own.stock.top }), { from: "stock", card: own.stock.top, owner: player }]);
  own.discards.forEach((pile, i) => {
    if (pile.length) sources.push([say(texts.from_discard, { n: i + 1, card: pile[pile.length - 1] }), { from: "discard", n: i + 1, card: pile[pile.length - 1], owner: player }]);
  });
  const laid = sources.map(([label, source]) => [label, lay(source)]).filter(([, buttons]) => buttons.childElementCount);
  const die = state.die.face === "DRAW1" && !state.die.used ? opponents(state, player, tell) : [];
  const hand = own.hand
    ? [row(button(texts.play_hand, () => fromHand((code) => askPile(sheet, state, player, { from: "hand", card: code }, tell))),
        button(texts.discard, () => fromHand((code) => askDiscard(sheet, player, code, tell)), { kind: "first" }))]
    : [row(button(texts.end_turn, () => tell({ event: "end_turn", player }), { kind: "first" }))];
  return [...laid.flatMap(([label, buttons]) => [hint(label), buttons]), ...die, ...hand];
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
  askWith(sheet, words.cards.which_pile, found);
}

function askDiscard(sheet, player, code, tell) {
  askWith(sheet, words.cards.which_pile, [1, 2, 3, 4].map((pile) => button(say(words.cards.on_discard, { n: pile }), () => {
    sheet.close();
    tell({ event: "discard", player, card: code, pile });
  })));
}

function askWith(sheet, title, buttons) {
  askCard(sheet, title, "skipbo", [], () => {});
  sheet.append(buttons.length ? row(...buttons) : hint(words.cards.fits_nowhere));
}

function opponents(state, player, tell) {
  const side = state.sides.find((one) => one.players.includes(player)).players;
  const others = state.players.filter((one) => !side.includes(one.name));
  return [hint(words.cards.who_draws), row(...others.map((one) => button(name(one.name), () => tell({ event: "opponent_draws", player, opponent: one.name }))))];
}
