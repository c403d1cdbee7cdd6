// What an entry of the history means to a player: one call, {word, kind, player, at, call} with kind good | bad | doubt |
// plain. Pure; a game's own page says of which entry which (games.js).

import { say, words } from "./words.js";

export const BAND = 1.96; // standard errors either side that the band of doubt spans
const MAIN = new Set(["shot", "foul", "do_over", "correct"]); // what the large call and the show are of

export const band = (call) => BAND * (call.sigma || 0);
export const isMain = (entry) => entry.event && MAIN.has(entry.event.event);

// What a call is announced as; `said` is its words where they tell more than the call, such as where a cap lies.
export const callText = ({ word, said = word, at, ...more }) => say(words.call[said], { box: String(at || ""), ...more });

// What was measured of the cap that an entry is about, also where people have put the call right; undefined without.
export function measured(entry) {
  const { player, calls } = entry.event || entry.seen_as || {};
  const call = player && (calls || (entry.seen_as || {}).calls || {})[player];
  return call && Number.isFinite(call.gap) ? call : undefined;
}

const WON = [["match_won", "winner", "good"], ["game_won", "winner", "good"]];
const ROUNDS = [["round_scored", "scored", "plain"], ["round_started", "round", "plain"]];

// Makes what gives an entry's headline by its weightiest ruling, from a game's own [code, word, kind], the weightiest
// first; a word `other` is no call.
export const byWeight = (own) => (entry) => {
  const rulings = entry.rulings || [];
  for (const [code, word, kind] of [...WON, ...own, ...ROUNDS]) {
    const ruling = rulings.find((one) => one.code === code);
    if (!ruling) continue;
    const player = ruling.player || (ruling.players || [])[0];
    return { word, kind, player, n: ruling.bid ?? ruling.round };
  }
  const event = entry.event || {};
  if (event.event === "bid" && event.number) return { word: "bid", kind: "plain", player: event.player, n: event.number };
  return { word: "other", kind: "plain", player: event.player };
};

// What waits for people: {word, player, call}. A line is in doubt, a hit, who shot or whether anybody did: where the
// answers differ; or what the game's own `page` asks.
export function doubtful(pending, page) {
  const event = pending.event || {};
  const own = page.doubt(pending);
  if (own) return { word: own.word, player: event.player || event.owner };
  if (pending.blind) return { word: "your_call", player: event.player };
  const answers = (pending.answers || []).map((answer) => answer.event || {});
  if (event.card === null) return { word: "doubt_card", player: event.player || event.owner };
  if (event.player === null) return { word: "doubt_hand", player: event.owner };
  if (answers.some((one) => one.event === "nothing")) return { word: event.event === "shot" ? "doubt_shot" : "doubt_touch", player: event.player };
  const readings = answers.filter((one) => one.event === event.event);
  const differ = (part) => new Set(readings.map((one) => JSON.stringify(part(one)))).size > 1;
  if (differ((one) => one.player)) return { word: "doubt_shooter", player: event.player };
  if (differ((one) => one.hits)) return { word: "doubt_hit", player: event.player };
  const calls = Object.entries(event.calls || {});
  const found = calls.find(([, call]) => call.certain === false) || calls.find(([player]) => player === event.player);
  return { word: "close", player: found ? found[0] : event.player, call: found ? found[1] : undefined };
}
