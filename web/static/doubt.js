// What is in doubt and the likely answers, in the phone's language: the referee writes them in English.

import { band } from "./verdict.js";
import { capital, millimetres, name, say, words } from "./words.js";

const KINDS = {
  doubt_hit: "why_hit", doubt_shooter: "why_shooter", doubt_shot: "why_shot", doubt_card: "why_card", doubt_tigress: "why_tigress", doubt_hand: "why_hand", doubt_touch: "why_touch", your_call: "why_first",
};

export function whyAsked(pending, { word, player, call }) {
  if (isBeforeStart(pending)) return say(words.settle.why_start, { player: name(player) });
  if (word in KINDS) return say(words.settle[KINDS[word]], { player: name(player) });
  if (!call) return words.language === "en" ? capital(pending.why) : "";
  return say(words.settle.why_line, { player: name(player), gap: millimetres(call.gap), band: millimetres(band(call), false) });
}

export function answerLabel(label, event, pending, page) {
  if (words.language === "en") return capital(label);
  if (event.event === "do_over") return words.page.do_over;
  if (isBeforeStart(pending)) return event.event === "nothing" ? words.settle.start_again : words.settle.it_counts;
  if (event.event === "nothing") return pending.event.event === "shot" ? words.settle.nobody_shot : words.settle.nothing;
  if (event.card === "TIGRESS" && event.as) return capital(words.cards[event.as]);
  if (pending.event.card === null && event.card) return /\d/.test(event.card) ? words.settle.a_rose : words.settle.a_skull;
  if (pending.event.player === null) return name(event.player);
  const others = pending.answers.map((answer) => answer.event).filter((one) => one.event === event.event);
  if (pending.event.event !== "shot" && others.length === 1) return say(words.settle.laid_it, { player: name(event.player) });
  if (others.some((one) => one.player !== event.player)) return say(words.settle.shot_by, { player: name(event.player) });
  return hitLabel(event, others) || restLabel(event, others, page) || capital(label);
}

const isBeforeStart = (pending) => pending.event.behind_start === false;

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
