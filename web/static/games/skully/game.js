// Skully on the page: the board from above, and how shots are told.

import { makeBoard } from "../../board.js";
import { name, say, words } from "../../words.js";
import { controls, more } from "./controls.js";
import { changed, line, plus, repeats, toldOf } from "./lines.js";
import { marks } from "./marks.js";
import { likely, lineOf, readings } from "./readings.js";
import { boxSheet, capSheet } from "./sheets.js";
import { far, standing } from "./standing.js";
import { told, turn } from "./strip.js";
import { summary } from "./summary.js";
import { verdict } from "./verdict.js";
import { place, reading, target } from "./words.js";

let board = null;

function show(where, story, now, { sheet, onPlayer, current }) {
  board = board || makeBoard(where, marks, { onCap: onPlayer, onBox: (region) => boxSheet(sheet, current(), region) });
  board.show(story, now);
}

export default {
  hasFlights: true,
  isMeasured: true,
  show,
  turn,
  told,
  verdict,
  line,
  plus,
  toldOf,
  saysTheSame: { stuck: "stuck_in_skull" },
  repeats,
  changed,
  place,
  reading,
  readings,
  likely,
  lineOf,
  marks,
  target,
  standing,
  far,
  did: (event) => say(words.did[event.event], { player: name(event.player) }),
  playerSheet: capSheet,
  controls,
  more,
  nobodyYet: (player) => say(words.call.none_more, { player: name(player) }),
  summary,
  guide: words.guide.street,
};
