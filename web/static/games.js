// The page of each game: how it is drawn, told and played on a phone. What its module's default export leaves out is as in
// plain.js. No other code asks which game is on.
//
// The modules of the house are joined with the page, as each game's own value names them (`house.js` is made by
// web/bundle.py); that of a game from outside is fetched when one of its stories comes.

import { plain } from "./plain.js";

const addresses = new Map(JSON.parse(document.documentElement.dataset.pages || "[]")); // of games from outside
const pages = new Map();

// Lets the games of the house in, {game: page}; the first draws the board while no game is on.
export function admit(house) {
  for (const [game, page] of Object.entries(house)) pages.set(game, { ...plain, ...page });
}

// The games that are played on a printed mat, with how many sit at it at most: [game, seats].
export const mats = () => [...pages].filter(([, page]) => page.matSeats).map(([game, page]) => [game, page.matSeats]);

// The games whose own cards are learned from photographs.
export const lessons = () => [...pages].filter(([, page]) => page.lesson).map(([game]) => game);

// The page of a game; a plain one until its module has come, or where there is none.
export const pageOf = (game) => (game ? pages.get(game) : [...pages.values()][0]) || plain;

// The page of the game that a story is of.
export const pageIn = (story) => pageOf(story && story.game && story.game.game);

// Fetches the module of a game from outside, once; resolves when its page is the one to use.
export async function fetchPage(game) {
  if (!game || pages.has(game) || !addresses.has(game)) return;
  try {
    pages.set(game, { ...plain, ...(await import(addresses.get(game))).default });
  } catch (fault) {
    console.error(fault); // its words are told all the same
  }
}
