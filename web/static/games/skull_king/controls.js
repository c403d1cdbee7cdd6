// What a player of Skull King may say: dealt, his bid, his load, his card, and what a pirate's power does.

import { askCard, asked, hint, numbers, row } from "../../cards/buttons.js";
import { button, html, redraw } from "../../dom.js";
import { name, say, words } from "../../words.js";
import { deck, face } from "./faces.js";

export function controls({ state, game, mine, due, tell, sheet }) {
  const texts = words.cards;
  const player = due[0];
  if (!player) return secret(state, mine, tell);
  if (state.phase === "deal") return [row(button(say(texts.dealt, { n: state.cards }), () => tell({ event: "deal", player, cards: state.cards }), "first"))];
  if (state.phase === "bid") return [hint(texts.bid_secret), numbers(0, state.cards, { label: texts.your_bid, tap: (bid) => tell({ event: "bid", player, bid }) })];
  if (state.phase === "load") {
    return asked(texts.load_secret, ...["grapeshot", "cannonball"].map((load) => button(texts[load], () => tell({ event: "load", player, load }))));
  }
  if (state.phase === "play") return play(player, (game && game.options) || {}, tell, sheet);
  if (state.phase === "ability") return [...power(state, player, tell), row(button(texts.skip, () => tell({ event: "skip_ability", player })))];
  return [];
}

// What he has said himself stays his own until all have.
function secret(state, mine, tell) {
  const own = state.players.filter((player) => mine.includes(player.name) && player.ready && player[state.phase] !== null);
  return own.flatMap((player) => {
    const said = state.phase === "load" ? words.cards[player.load] : player.bid;
    const told = html("p", { class: "hint" }, say(words.cards.you_said, { player: name(player.name), said }));
    const change = (bid) => tell({ event: "change_bid", player: player.name, bid });
    return state.phase === "bid" ? [told, hint(words.cards.change), numbers(0, state.cards, { label: words.cards.your_bid, tap: change })] : [told];
  });
}

function play(player, options, tell, sheet) {
  const texts = words.cards;
  const tigress = (as) => button(say(texts.tigress_as, { as: texts[as] }), () => tell({ event: "play", player, card: "TIGRESS", as }));
  const missed = () => askCard(sheet, texts.which_yours, { face, codes: deck(options).filter((code) => code !== "TIGRESS") }, (code) => tell({ event: "play", player, card: code }));
  const [how, mine] = asked(texts.play_on_table, button(texts.tigress_mine, () => redraw(mine, tigress("pirate"), tigress("escape")), "quiet"));
  return [how, mine, row(button(texts.missed, missed, "quiet"))];
}

function power(state, player, tell) {
  const { pirate } = state.pending;
  const use = (more) => tell({ event: "ability", player, pirate, ...more });
  const texts = words.cards;
  const own = state.players.find((one) => one.name === player);
  const count = Math.min(2, state.deck);
  const all = {
    rosie: () => state.players.filter((one) => !one.status).map((one) => button(name(one.name), () => use({ leader: one.name }))),
    bendt: () => [button(say(texts.drew, { n: count }), () => use({ drawn: count, discarded: count }))],
    rascal: () => [0, 10, 20].map((bet) => button(String(bet), () => use({ bet }))),
    juanita: () => [button(texts.looked, () => use({}))],
    harry: () => [-1, 0, 1].map((change) => button(change > 0 ? "+1" : String(change).replace("-", "−"), () => use({ change }), "", {
      disabled: own.bid + change < 0 || own.bid + change > state.cards,
    })),
  };
  return asked(texts.powers[pirate], ...all[pirate]());
}
