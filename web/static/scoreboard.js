// The scoreboard: everyone by name, with the photo of his cap, and in words what he goes for or how he stands.

import { html, redraw } from "./dom.js";
import { pageIn } from "./games.js";
import { disc } from "./strip.js";
import { name } from "./words.js";

const SIZE_PX = 38;
const RING_PX = 2; // of a picture, people.css

// The newest picture of a player's cap on this board, null while there is none.
function photo(story, player) {
  const entry = (story.entries || []).findLast(({ evidence }) => evidence && evidence.small && evidence.small[player]);
  return entry ? `/evidence/${entry.evidence.small[player]}` : null;
}

// A player's cap as the camera last saw it, marked by his disc; the disc alone while there is no picture.
export function avatar(story, player, size) {
  const address = photo(story, player);
  if (!address) return disc(story, player, size);
  const inner = size - 2 * RING_PX;
  const picture = html("img", { src: address, alt: "", loading: "lazy", width: inner, height: inner });
  picture.addEventListener("error", () => box.replaceWith(disc(story, player, size)), { once: true }); // the oldest pictures go
  const box = html("span", { class: "avatar" }, picture, disc(story, player, Math.round(size * 0.55)));
  return box;
}

export function showPlayers(list, story, onPlayer) {
  const { state } = story;
  const { standing } = pageIn(story);
  const players = (state && state.players) || [];
  document.body.style.setProperty("--rows", String(Math.ceil(players.length / 2)));
  redraw(list, players.map((player) => {
    const classes = `${player.status || ""} ${state.turn === player.name ? "turn" : ""}`;
    const told = html("span", { class: "person" }, html("strong", {}, name(player.name)), html("small", {}, standing(player)));
    const label = [name(player.name), standing(player)].filter(Boolean).join(", ");
    return html("li", {}, html("button", { type: "button", class: classes, "aria-label": label, onclick: () => onPlayer(player.name) }, avatar(story, player.name, SIZE_PX), told));
  }));
}
