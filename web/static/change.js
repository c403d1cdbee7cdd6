// What an order would change, before it counts: whose standing, whose turn, which later calls.

import { html } from "./dom.js";
import { name, place, say, target, words } from "./words.js";

// Whether it touches more than the standing of whoever the call is about; only then people are asked once more.
export function changesMuch(would, entry) {
  if (!would) return false;
  const own = (entry.event || entry.seen_as || {}).player;
  return Boolean(would.refused || would.entries || would.players.some((player) => player.name !== own));
}

export function changeTold(story, { players, turn: [before, after], entries, out_of_turn: outOfTurn, refused }) {
  const texts = words.settle;
  if (refused) return html("p", { class: "note", role: "alert" }, say(texts.would_refuse, { why: refused }));
  const lines = [
    ...players.map(playerTold),
    before !== after && after ? say(texts.turn_from, { before: name(before), after: name(after) }) : "",
    entries ? say(entries === 1 ? texts.entries_one : texts.entries, { n: entries }) : "",
    outOfTurn ? say(texts.out_of_turn, { n: outOfTurn }) : "",
  ];
  return html("div", { class: "would", role: "status" }, html("h3", {}, texts.would), html("ul", {}, lines.filter(Boolean).map((line) => html("li", {}, line))));
}

// One line a player: what he goes for where that changes, else the first thing that does.
function playerTold({ name: player, before, after }) {
  const texts = words.settle;
  if ("going_for" in after) return say(texts.goes_from, { player: name(player), before: target(before.going_for), after: target(after.going_for) });
  const [key] = Object.keys(after);
  const told = (value) => (value === null || value === undefined ? "–" : key === "at" ? place(value) : key === "status" ? words.sheets.status[value] || value : String(value));
  return say(texts.stands_from, { player: name(player), before: told(before[key]), after: told(after[key]) });
}
