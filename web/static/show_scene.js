// What a close call's show is drawn from: the tracked ways, the surveyed paint and the ruling's own numbers. Pure.

import { argued } from "./lens.js";
import { pageIn } from "./games.js";
import { band } from "./verdict.js";

const CLOSE_MM = 8; // beyond this nobody argues, and nothing is shown by itself
const ROOM = 1.6; // how much more than the ways themselves is seen round them
const LEAST_ROOM_RADII = 9;

// {kind, word, player, call, place, ways, contacts, seconds, wide}, or null where an entry has nothing to show.
export function sceneOf(story, entry) {
  const { event } = entry;
  if (!event || event.event !== "shot" || !story.set_up || !(story.set_up.lines || []).length) return null;
  const result = pageIn(story).verdict(entry);
  const call = result.call && Math.abs(result.call.gap) < CLOSE_MM ? result.call : null;
  const place = call && argued(story.set_up, call);
  const ways = waysOf(event);
  const contacts = (event.hits || []).map(([by, victim]) => contactOf(by, victim, ways, event.calls)).filter(Boolean);
  if (!place && !contacts.length) return null;
  const seconds = Math.max(0, ...Object.values(ways).map((way) => way.at(-1)[0]));
  return { ...result, call: place ? call : null, place, reach: place ? band(call) : 0, ways, contacts, seconds, wide: wideView(ways, place, contacts) };
}

// Every cap's way, ended where it was ruled to lie.
function waysOf({ ways = {}, calls = {} }) {
  const ended = Object.entries(ways).filter(([player, way]) => way.length > 1 && calls[player]).map(([player, way]) => {
    const rest = calls[player];
    return [player, [...way.slice(0, -1), [way.at(-1)[0], rest.x, rest.y]]];
  });
  return Object.fromEntries(ended);
}

// Where a cap is at a time, straight between sightings.
export function spotAt(way, second) {
  const after = way.findIndex(([t]) => t >= second);
  if (after <= 0) return after < 0 ? way.at(-1).slice(1) : way[0].slice(1);
  const [[t0, x0, y0], [t1, x1, y1]] = [way[after - 1], way[after]];
  const share = (second - t0) / (t1 - t0 || 1);
  return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
}

// The moment of a hit, when the victim is set in motion, and from where to where: {by, victim, second, spot, from, to, moved}.
function contactOf(by, victim, ways, calls) {
  const [hitter, hit] = [ways[by], ways[victim]];
  if (!hitter || !hit || !calls[victim]) return null;
  const second = Math.max(0, hit[0][0]);
  const [struck, from, to] = [spotAt(hitter, second), spotAt(hit, second), [calls[victim].x, calls[victim].y]];
  return { by, victim, second, spot: [(struck[0] + from[0]) / 2, (struck[1] + from[1]) / 2], from, to, moved: Math.hypot(to[0] - from[0], to[1] - from[1]) };
}

// A square that holds all ways: {middle, half}.
function wideView(ways, place, contacts) {
  const spots = [...Object.values(ways).flatMap((way) => way.map(([, x, y]) => [x, y])), ...(place ? [place.middle] : contacts.map(({ spot }) => spot))];
  return squareRound(spots, (place ? place.radius : 15) * LEAST_ROOM_RADII);
}

// A square that holds these spots with some room, no smaller than `least`: {middle, half}.
export function squareRound(spots, least) {
  const [xs, ys] = [0, 1].map((axis) => spots.map((spot) => spot[axis]));
  const middle = [xs, ys].map((values) => (Math.min(...values) + Math.max(...values)) / 2);
  const reach = Math.max(...[xs, ys].map((values) => Math.max(...values) - Math.min(...values))) / 2;
  return { middle, half: Math.max(reach * ROOM, least) };
}
