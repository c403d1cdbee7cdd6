// A player's own controls under the thumb: what he may say now, the impossible greyed, nothing else.

import { html, redraw } from "./dom.js";
import { stayAt } from "./focus.js";
import { pageIn } from "./games.js";
import { give } from "./giving.js";
import { isReferee, me } from "./me.js";
import { name, say, words } from "./words.js";

// For whom this phone may speak now: its own players, or for everyone where it is the only one.
function actors(state) {
  const speaksForAll = isReferee && !me.is_open && !me.seats.length;
  return speaksForAll ? state.players.map((player) => player.name) : me.seats;
}

export function makeControls(place, sheet, warn) {
  let shown = "";

  async function tell(event) {
    const fault = await give(place, { order: "event", event });
    if (fault) warn(fault);
  }

  function show(story) {
    const { state } = story;
    const page = pageIn(story);
    const build = state && page.controls;
    const mine = build ? actors(state) : [];
    const key = JSON.stringify([state, mine, story.motions, story.refusal && story.refusal.row]);
    if (key === shown) return;
    shown = key;
    const due = build ? page.turnOf(state).filter((player) => mine.includes(player)) : [];
    const parts = build ? build({ state, game: story.game, mine, due, tell, sheet }) : [];
    const told = parts.flat().filter(Boolean);
    const title = due.length && (mine.length > 1 || speaksForOthers(due)) ? html("p", { class: "for" }, say(words.cards.for_player, { player: name(due[0]) })) : null;
    const wasHere = place.contains(document.activeElement);
    redraw(place, ...(told.length ? [title, ...told] : []));
    place.hidden = !told.length;
    document.body.classList.toggle("acting", !place.hidden); // then the table makes room
    if (wasHere && place.hidden) stayAt(document.getElementById("call"));
  }

  return { show };
}

const speaksForOthers = (due) => !me.seats.includes(due[0]);
