// Games that other packages bring: each has a page module of its own, asked for once when such a game is on.
//
// Its default export is {show(place, story, now)}, and where it wants, {turnOf(state), doing(state), verdict(entry)}.

const HOUSE = new Set(["skully", "skull", "skull_king", "skipbo"]);
const modules = new Map(); // game -> its module; null until it has come, or where there is none

// The module of a game from outside, null for one of the house; `then` is called once it has come.
export function outside(game, then = () => {}) {
  if (!game || HOUSE.has(game)) return null;
  if (!modules.has(game)) {
    modules.set(game, null);
    import(`/game/${game}/game.js`).then(({ default: module }) => {
      modules.set(game, module);
      then();
    }, () => {}); // without one its words are told all the same
  }
  return modules.get(game) || {};
}
