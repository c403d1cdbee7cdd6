// The games as the page tells them apart: on a painted board with caps, at a table with cards, or brought from outside.
//
// A game that another package brings has a page module of its own, asked for once when such a game is on.
// Its default export is {show(place, story, now)}, and where it wants, {turnOf(state), doing(state), verdict(entry)}.

export const FIRST_GAME = "skully"; // what is offered to whoever has not played yet
const STREET = new Set([FIRST_GAME]);
const TABLE = new Set(["skull", "skull_king", "skipbo"]);
const modules = new Map(); // game -> its module; null until it has come, or where there is none

// Whether a game is played with one cap a player on a painted board.
export const isStreet = (game) => STREET.has(game);

// The module of a game from outside, null for one of the house; `then` is called once it has come.
export function outside(game, then = () => {}) {
  if (!game || STREET.has(game) || TABLE.has(game)) return null;
  if (!modules.has(game)) {
    modules.set(game, null);
    import(`/game/${game}/game.js`).then(({ default: module }) => {
      modules.set(game, module);
      then();
    }, () => {}); // without one its words are told all the same
  }
  return modules.get(game) || {};
}
