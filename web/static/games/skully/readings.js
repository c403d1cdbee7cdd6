// What a shot may have been instead, the likeliest first: a cap beside the line, on it, or in no box; no hit, another victim,
// another shooter.

import { nearestRegion } from "../../lens.js";
import { name, say, words } from "../../words.js";
import { TRAPEZOIDS, targetRegions } from "./targets.js";
import { reading } from "./words.js";

const OTHERS = 2; // so many others are offered, the nearest first

export const lineOf = (region) => (region === "13" || TRAPEZOIDS.includes(region) ? "skull_line" : "line");

export function likely(story, state, player) {
  const one = (state.players || []).find((other) => other.name === player);
  const [region] = one ? targetRegions(one, story.game) : [];
  return [region, lineOf(region), "open", "off"].filter(Boolean);
}

export function readings(story, { event }) {
  if (event.event !== "shot" || !event.calls || !story.set_up || !story.set_up.board.regions.length) return [];
  const { player, hits = [] } = event;
  const victims = [...new Set(hits.map(([, victim]) => victim))].filter((victim) => victim !== player);
  return [...otherPlaces(story, event, player), ...victims.flatMap((victim) => otherHits(story, event, victim)), ...victims.flatMap((victim) => otherPlaces(story, event, victim, true))];
}

function otherPlaces(story, event, player, isNamed = false) {
  const call = event.calls[player];
  if (!call) return [];
  const region = nearestRegion(story.set_up.board.regions, [call.x, call.y]);
  const places = [region, lineOf(region), "open"].filter((at) => at !== event.rest[player]);
  const label = (at) => (isNamed ? `${name(player)}: ${reading(at)}` : reading(at));
  return places.map((at) => ({ label: label(at), event: { ...event, rest: { ...event.rest, [player]: at } } }));
}

// Not hit at all, or another in its place: the others whose caps lay nearest.
function otherHits(story, event, victim) {
  const { [victim]: _at, ...rest } = event.rest;
  const without = { ...event, rest, hits: event.hits.filter((pair) => !pair.includes(victim)) };
  const spot = event.calls[victim] || event.calls[event.player];
  const away = (player) => {
    const call = (story.calls || {})[player];
    return call && spot ? Math.hypot(call.x - spot.x, call.y - spot.y) : Infinity;
  };
  const others = story.game.players.filter((one) => one !== victim && one !== event.player && !event.hits.flat().includes(one));
  const nearest = others.sort((a, b) => away(a) - away(b)).slice(0, OTHERS);
  const swapped = (one) => ({ ...event, hits: event.hits.map((pair) => pair.map((cap) => (cap === victim ? one : cap))), rest: victim in event.rest ? { ...rest, [one]: event.rest[victim] } : rest });
  return [
    { label: say(words.settle.was_not_hit, { player: name(victim) }), event: without },
    ...nearest.map((one) => ({ label: say(words.right.hit_not, { player: name(one), other: name(victim) }), event: swapped(one) })),
  ];
}
