// The end of a game: its results, and the same game again, a tap each.

import { button, html } from "./dom.js";
import { give } from "./giving.js";
import { isReferee } from "./me.js";
import { latestSheet } from "./summary.js";
import { words } from "./words.js";

// The buttons beneath the winner's call.
export function afterGame(story, sheet) {
  const note = html("p", { class: "note", role: "status" });
  const rematch = async () => {
    const { event, game, players, options } = story.game;
    const { left, ...appeals } = story.appeals || {};
    note.textContent = words.settle.sent;
    note.textContent = (await give(place, { order: "new_game", start: { event, game, players, options }, appeals })) || "";
  };
  const place = html("div", { class: "after" }, html("div", { class: "answers" },
    button(words.past.results, () => latestSheet(sheet), "first"), isReferee ? button(words.past.rematch, rematch) : null), note);
  return place;
}
