// What an order would change, before it counts: whose standing, whose turn, which later calls.

import { html } from "./dom.js";
import { pageIn } from "./games.js";
import { name, say, words } from "./words.js";

// Whether it touches more than the standing of whoever the call is about; only then people are asked once more.
export function changesMuch(would, entry) {
  if (!would) return false;
  const own = (entry.event || entry.seen_as || {}).player;
  return Boolean(would.refused || would.entries || would.players.some((player) => player.name !== own));
}

export function changeTold(story, { players, turn: [before, after], entries, out_of_turn: outOfTurn, in_turn: inTurn, refused }) {
  const texts = words.settle;
  if (refused) return html("p", { class: "note", role: "alert" }, say(texts.would_refuse, { why: refused }));
  const lines = [
    ...players.map((player) => playerTold(player, pageIn(story))),
    before !== after && after ? say(texts.turn_from, { before: name(before), after: name(after) }) : "",
    entries ? say(entries === 1 ? texts.entries_one : texts.entries, { n: entries }) : "",
    outOfTurn ? say(texts.out_of_turn, { n: outOfTurn }) : "",
    inTurn ? say(texts.in_turn, { n: inTurn }) : "",
  ];
  const told = lines.filter(Boolean);
  if (!told.length) return html("p", { class: "quiet" }, words.right.nothing);
  return html("div", { class: "would", role: "status" }, html("h3", {}, texts.would), html("ul", {}, told.map((line) => html("li", {}, line))));
}

// One line a player: as the game says it, else the first thing that changes.
function playerTold(change, page) {
  const own = page.changed(change);
  if (own) return own;
  const { name: player, before, after } = change;
  const [key] = Object.keys(after);
  const told = (value) => (value === null || value === undefined ? "–" : key === "at" ? page.place(value) : key === "status" ? words.sheets.status[value] || value : String(value));
  return say(words.settle.stands_from, { player: name(player), before: told(before[key]), after: told(after[key]) });
}
