// A player's own controls under the thumb: what he may say now, the impossible greyed, nothing else.

import { html } from "../dom.js";
import { isReferee, me } from "../me.js";
import { order } from "../orders.js";
import { name, say, words } from "../words.js";
import { kingControls } from "./king.js";
import { skipboControls } from "./skipbo.js";
import { skullControls } from "./skull.js";
import { turnOf } from "./turns.js";

const OF_GAME = { skull: skullControls, skull_king: kingControls, skipbo: skipboControls };

// For whom this phone may speak now: its own players, or for everyone where it is the only one.
function actors(state) {
  const speaksForAll = isReferee && !me.is_open && !me.seats.length;
  return speaksForAll ? state.players.map((player) => player.name) : me.seats;
}

export function makeControls(place, sheet, warn) {
  let shown = "";

  async function tell(event) {
    for (const one of place.querySelectorAll("button")) one.disabled = true;
    const fault = await order({ order: "event", event });
    shown = "";
    if (fault) warn(fault);
  }

  function show(story) {
    const { state } = story;
    const build = state && story.game && OF_GAME[story.game.game];
    const mine = build ? actors(state) : [];
    const key = JSON.stringify([state, mine]);
    if (key === shown) return;
    shown = key;
    const due = build ? turnOf(state).filter((player) => mine.includes(player)) : [];
    const parts = build ? build({ state, game: story.game, mine, due, tell, sheet }) : [];
    const told = parts.flat().filter(Boolean);
    const title = due.length && (mine.length > 1 || speaksForOthers(due)) ? html("p", { class: "for" }, say(words.cards.for_player, { player: name(due[0]) })) : null;
    place.replaceChildren(...(told.length ? [title, ...told].filter(Boolean) : []));
    place.hidden = !told.length;
  }

  return { show };
}

const speaksForOthers = (due) => !me.seats.includes(due[0]);
