// What an entry of the history means to a player: one call, and the story of it line by line. Pure.

import { name, names, parts, target, place, say, words } from "./words.js";
import { isStreet, outside } from "./games.js";

export const BAND = 1.96; // standard errors either side that the band of doubt spans
const LONG_SHOTS = new Set(["shot", "foul", "do_over", "correct"]);

export const band = (call) => BAND * (call.sigma || 0);
export const isMain = (entry) => entry.event && LONG_SHOTS.has(entry.event.event);

// {word, kind, player, at, call} with kind good | bad | doubt | plain; a call only where its gap decided.
export function verdict(entry) {
  const event = entry.event || {};
  const player = event.player;
  const call = event.calls && player ? event.calls[player] : undefined;
  const codes = new Map();
  for (const ruling of entry.rulings || []) {
    const isOwn = ruling.player === undefined || ruling.player === player;
    if (isOwn || ruling.code === "game_won") codes.set(ruling.code, ruling);
  }
  const [word, kind] = headline(event, codes, entry.rulings || []);
  const at = event.rest && player ? event.rest[player] : undefined;
  const isMeasured = call !== undefined && at === call.location && ["in", "line"].includes(word);
  return { word, kind, player, at, call: isMeasured ? call : undefined };
}

// What a call is announced as: of a mere miss, where the cap lies; *out* is who is out of the game.
export function callText({ word, at, ...more }) {
  const box = String(at || "");
  const key = word !== "out" ? word : box.startsWith("skull") ? "out_skull" : /^\d/.test(box) ? "out_in" : box === "off" ? "out_off" : "out";
  return say(words.call[key], { box, ...more });
}

// What a card game's ruling is announced as, the weightiest first: [code, word, kind].
const OF_CARDS = [
  ["match_won", "winner", "good"], ["game_won", "winner", "good"], ["contradiction", "wait", "doubt"], ["revoke", "wait", "doubt"],
  ["skull_shown", "skull", "bad"], ["challenge_won", "point", "good"], ["card_lost", "lost_card", "bad"], ["challenge", "challenge", "plain"],
  ["bidding_opened", "bid", "plain"], ["bids_revealed", "bids", "plain"], ["loads_revealed", "bids", "plain"], ["round_scored", "scored", "plain"],
  ["trick_won", "trick", "good"], ["trick_destroyed", "nobody", "bad"], ["trick_discarded", "nobody", "bad"], ["ability_ready", "power", "plain"],
  ["out_of_turn_stopped", "stop", "bad"], ["cheating_penalty", "stop", "bad"], ["pile_completed", "twelve", "good"], ["round_started", "round", "plain"],
];

// The headline of a card game's entry: {word, kind, player, n}.
export function cardVerdict(entry, game) {
  const own = outside(game);
  if (own && own.verdict) return own.verdict(entry);
  const rulings = entry.rulings || [];
  for (const [code, word, kind] of OF_CARDS) {
    const ruling = rulings.find((one) => one.code === code);
    if (!ruling) continue;
    const player = ruling.player || (ruling.players || [])[0];
    return { word, kind, player, n: ruling.bid ?? ruling.round };
  }
  const event = entry.event || {};
  if (event.event === "bid" && event.number) return { word: "bid", kind: "plain", player: event.player, n: event.number };
  return { word: "other", kind: "plain", player: event.player };
}

function headline(event, codes, rulings) {
  const isIn = rulings.some((r) => r.player === event.player && ((r.code === "box_made" && r.by === "shot") || r.code === "word_made"));
  if (event.event === "do_over") return ["do_over", "plain"];
  if (event.event === "correct") return ["corrected", "plain"];
  if (codes.has("game_won")) return ["winner", "good"];
  if (codes.has("foul")) return ["foul", "bad"];
  if (codes.has("out_of_turn")) return ["turn", "bad"];
  if (codes.has("early_hit")) return ["early", "bad"];
  if (codes.has("killer_made")) return ["killer", "good"];
  if (codes.has("eliminated")) return ["dead", "bad"];
  if (isIn) return ["in", "good"];
  if (["hit_bonus", "hit_into_target", "skull_hit", "killer_hit"].some((code) => codes.has(code))) return ["hit", "good"];
  if (rulings.some((r) => r.code === "eliminated")) return ["hit", "good"];
  if (codes.has("stuck_in_skull")) return ["stuck", "bad"];
  const at = event.rest && event.rest[event.player];
  if (at === "line" || at === "skull_line") return ["line", "bad"];
  return at === undefined ? ["other", "plain"] : ["out", "plain"];
}

// What waits for people: {word, player, call}. A line is in doubt, a hit, who shot or whether anybody did: where the
// answers differ.
export function doubtful(pending) {
  const event = pending.event || {};
  const answers = (pending.answers || []).map((answer) => answer.event || {});
  if (event.card === null) return { word: "doubt_card", player: event.player || event.owner };
  if (event.card === "TIGRESS" && !event.as) return { word: "doubt_tigress", player: event.player };
  if (event.player === null) return { word: "doubt_hand", player: event.owner };
  if (answers.some((one) => one.event === "nothing")) return { word: "doubt_shot", player: event.player };
  const readings = answers.filter((one) => one.event === event.event);
  const differ = (part) => new Set(readings.map((one) => JSON.stringify(part(one)))).size > 1;
  if (differ((one) => one.player)) return { word: "doubt_shooter", player: event.player };
  if (differ((one) => one.hits)) return { word: "doubt_hit", player: event.player };
  const calls = Object.entries(event.calls || {});
  const found = calls.find(([, call]) => call.certain === false) || calls.find(([player]) => player === event.player);
  return { word: "close", player: found ? found[0] : event.player, call: found ? found[1] : undefined };
}

const SILENT = new Set(["turn_over"]);

// [{text, plus, rule, ruling}], in the order in which they add up.
export function lines(entry, game) {
  const rulings = entry.rulings || [];
  const told = rulings.filter((ruling) => !SILENT.has(ruling.code) || rulings.length === 1);
  return joined(told).map((ruling) => ({ text: line(ruling, game), plus: plus(ruling), rule: ruling.rule, heading: words.headings[ruling.rule] || ruling.rule, ruling }));
}

// "makes 9" and "shoots again, for 10" are one line, or "stands in 12, goes for 13" after bonuses.
function joined(rulings) {
  const next = rulings.find((ruling) => ruling.code === "shoot_again" && ruling.going_for !== "killer");
  if (!next) return rulings;
  const awarded = rulings.find((ruling) => ruling.code === "box_awarded" && ruling.player === next.player);
  const isMade = (ruling) => (ruling.code === "box_made" && ruling.by === "shot") || ruling.code === "word_made";
  const made = rulings.find((ruling) => isMade(ruling) && ruling.player === next.player);
  const last = awarded || made;
  if (!last) return rulings;
  return rulings.filter((ruling) => ruling !== next).map((ruling) => (ruling === last ? { ...ruling, going_for: next.going_for } : ruling));
}

function plus(ruling) {
  if (ruling.code === "box_made" && ruling.by === "shot") return "+1";
  if (ruling.code === "box_awarded" || !Number.isInteger(ruling.boxes) || ruling.boxes === 0) return "";
  return `+${ruling.boxes}`;
}

function line(ruling, game) {
  const template = isStreet(game) ? words.lines[lineKey(ruling)] : undefined;
  if (!template) return withNames(ruling);
  return say(template, {
    ...ruling,
    player: name(ruling.player),
    victim: name(ruling.victim),
    players: names(ruling.players || []),
    box: ["placed", "box_awarded"].includes(ruling.code) ? spot(parts(ruling.box).box) : target(ruling.box),
    going_for: target(ruling.going_for),
    from: place(ruling.from).replace(say(words.places.in, { box: "" }), ""),
    at: spot(ruling.at),
    word: words.spoken_words[ruling.word] || ruling.word,
    kind: words.kinds[ruling.kind],
  });
}

const PEOPLE = ["player", "owner", "leader", "with", "opponent", "dealer", "due"];

// The rules' own sentence, with names as people write them.
function withNames(ruling) {
  const tables = ["bids", "loads", "scores"].flatMap((key) => Object.keys(ruling[key] || {}));
  const by = ruling.code === "card_lost" ? [ruling.by] : [];
  const all = [...PEOPLE.map((key) => ruling[key]), ...by, ...(ruling.players || []), ...tables].filter((one) => typeof one === "string");
  const alone = (player) => new RegExp(`(?<![\\p{L}\\p{N}])${player.replace(/[^\p{L}\p{N}]/gu, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");
  return all.reduce((text, player) => text.replace(alone(player), name(player)), ruling.text || ruling.code);
}

const spot = (code) => (String(code || "").startsWith("skull") ? words.places.skull : code);

function lineKey(ruling) {
  if (["box_made", "box_awarded", "word_made"].includes(ruling.code) && ruling.going_for) return `${ruling.code}_next`;
  if (ruling.code === "box_made") return `box_made_${ruling.by}`;
  if (ruling.code === "shoot_again" && ruling.going_for === "killer") return "shoot_again_killer";
  return ruling.code;
}

export function meaning(rule, game) {
  const meanings = words.meanings[game] || {};
  return meanings[rule] || "";
}

// The regions that a player goes for, as names of the board.
export function targetRegions(player, start) {
  const { box, way } = parts(player.going_for);
  if (way === "killer" || !["playing", "killer"].includes(player.status)) return [];
  const anyOrder = ((start && start.options) || {}).killer_round === "any_order";
  if (way !== "word" || !anyOrder) return [box];
  return ["skull1", "skull2", "skull3", "skull4"].filter((region) => !(player.words || []).includes(region));
}
