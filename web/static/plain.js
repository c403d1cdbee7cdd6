// What the page says and draws of a game whose own module says nothing else.

import { byWeight } from "./verdict.js";

export const plain = {
  look: "", // the class that the body wears while the game is on
  label: "", // what is drawn in the board's place, as it is read out; none: the board
  hasFlights: false, // one cap flies at a time, so that the call may fade meanwhile
  isMeasured: false, // caps are measured on painted ground: evidence shows them
  show: null, // (place, story, now, open): draws the game; `open` has what opens on a tap
  turnOf, // whose turn it is
  doing: () => "", // and what he is to do
  turn: null, // (story): the strip, where it is more than that
  told: null, // (story): whose turn it is, as it is read out
  verdict: byWeight([]), // the headline of an entry
  line: () => "", // one line for a ruling, where it is not the rules' own sentence
  plus: () => "", // (ruling): what it adds
  toldOf: (rulings) => rulings, // those of an entry that are told, some of them joined
  saysTheSame: {}, // word of a headline -> code of the ruling that says no more
  repeats: () => false, // (entry, last): whether an entry says nothing that its last one has not said
  changed: () => "", // ({name, before, after}): what a correction changes for a player, where it is not the first part named
  event: () => "", // what a player did that no ruling says, as it is read out
  did: () => "", // what a player did that is no call, for the history where nothing else says it
  place: (code) => String(code ?? ""), // where something lies, in a sentence
  doubt: () => null, // (pending): a question that this game alone asks: {word, why, label(event) of an answer}
  readings: () => [], // (story, entry): what an entry may have been instead, {label, event}, the likeliest first
  people: (state) => (state.players || []).map(({ name }) => name), // who may have done something
  likely: () => [], // (story, state, player): where that player's cap may have come to rest, the likeliest first
  most: () => 20, // (state): the largest number that people may have to say
  marks: null, // what is painted in the regions of a board: see games/skully/marks.js
  lineOf: () => "line", // (region): where a cap lies on the paint beside that region
  reading: (code) => String(code ?? ""), // likewise, as an answer to tap
  target: (code) => String(code ?? ""), // what a player goes for
  standing: () => "", // (player): what he goes for or how he stands, as short as people say it
  far: () => 0, // (player): how far he is on his way, for the ranking where there are no points
  playerSheet: null, // (sheet, story, player): what opens on a tap at a player
  more: () => null, // (story, sheet, note): a button of its own on the sheet behind the last one
  controls: null, // ({state, game, mine, due, tell, sheet}): what a player may say now
  matSeats: 0, // how many sit at a printed mat of it at most; 0: it has none
  deck: null, // (options): the code of every card there is
  lesson: null, // the code of each card, `back` and `die/FACE` that are photographed to learn the game's own cards
  face: null, // (code): how a card is drawn
  nobodyYet: () => "", // what to do before anything was played
  guide: null, // what newcomers are told of strip, board and call
  summary: null, // (told): what is counted of a game that is over
};

// Several where all act at once.
function turnOf(state) {
  const turn = state.turn;
  return turn ? [turn] : [];
}
