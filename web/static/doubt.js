// What is in doubt and the likely answers, in the phone's language: the referee writes them in English.

import { band } from "./verdict.js";
import { capital, millimetres, name, say, words } from "./words.js";

const KINDS = {
  doubt_hit: "why_hit", doubt_shooter: "why_shooter", doubt_shot: "why_shot", doubt_card: "why_card", doubt_hand: "why_hand", doubt_touch: "why_touch", your_call: "why_first",
};

export function whyAsked(pending, { word, player, call }, page) {
  const own = page.doubt(pending);
  if (own) return own.why;
  if (isBeforeStart(pending)) return say(words.settle.why_start, { player: name(player) });
  if (word in KINDS) return say(words.settle[KINDS[word]], { player: name(player) });
  if (!call) return words.language === "en" ? capital(pending.why) : "";
  const line = call.gap < 0 ? words.settle.why_over : words.settle.why_clear;
  return say(line, { player: name(player), gap: millimetres(Math.abs(call.gap), false), band: millimetres(band(call), false) });
}

export function answerLabel(label, event, pending, page) {
  if (words.language === "en") return capital(label);
  if (event.event === "do_over") return words.page.do_over;
  const own = page.doubt(pending);
  const ownLabel = own && own.label(event);
  if (ownLabel) return ownLabel;
  if (isBeforeStart(pending)) return event.event === "nothing" ? words.settle.start_again : words.settle.it_counts;
  const isShot = pending.event.event === "shot";
  if (event.event === "nothing") return isShot ? words.settle.nobody_shot : words.settle.nothing;
  if (pending.event.player === null) return name(event.player);
  const others = pending.answers.map((answer) => answer.event).filter((one) => one.event === event.event);
  const isWhose = others.length === 1 || others.some((one) => one.player !== event.player);
  if (isWhose) return say(isShot ? words.settle.shot_by : words.settle.laid_it, { player: name(event.player) });
  return hitLabel(event, others) || restLabel(event, others, page) || capital(label);
}

// Whether it is asked if a shot counts that began before the start line: the answer that says so no longer names the line.
function isBeforeStart({ event, answers }) {
  return event.behind_start === false && answers.some((one) => one.event.event === event.event && one.event.behind_start === undefined);
}

function hitLabel(event, others) {
  const victims = new Set(others.flatMap((one) => (one.hits || []).map(([, victim]) => victim)));
  for (const victim of victims) {
    const isHit = (one) => (one.hits || []).some(([, hit]) => hit === victim);
    if (others.every(isHit)) continue;
    return say(isHit(event) ? words.settle.was_hit : words.settle.was_not_hit, { player: name(victim) });
  }
  return "";
}

function restLabel(event, others, page) {
  if (event.at !== undefined) return page.reading(event.at);
  const players = Object.keys(event.rest || {}).filter((player) => others.some((one) => one.rest[player] !== event.rest[player]));
  const named = (player) => (players.length > 1 ? `${name(player)}: ` : "") + page.reading(event.rest[player]);
  return players.map(named).join(", ");
}
