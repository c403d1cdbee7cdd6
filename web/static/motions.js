// What players want that needs the others: who wants it, who has agreed, and the two answers.

import { html } from "./dom.js";
import { pageIn } from "./games.js";
import { isReferee, playsFor } from "./me.js";
import { evidence } from "./sheets.js";
import { disc } from "./strip.js";
import { isMain } from "./verdict.js";
import { either, name, names, say, words } from "./words.js";

export const isSame = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

function sorted(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
}

// The tokens of those who have chosen this answer.
export function tally(story, motions, event) {
  const motion = motions.find((one) => isSame(one.event, event));
  if (!motion) return null;
  const label = say(words.motions.agreed, { players: names(motion.agreed) });
  return html("span", { class: "tally", role: "img", "aria-label": label }, motion.agreed.map((player) => disc(story, player, 26)));
}

// Who is awaited; who has no phone here can't be, so the referee's phone says it for him.
export function awaited(players, seated, isAny = false) {
  const absent = seated ? players.filter((player) => !seated.includes(player)) : [];
  const here = players.filter((player) => !absent.includes(player));
  return [
    here.length ? say(isAny ? words.settle.waits_for_one : words.settle.waits_for, { players: isAny ? either(here) : names(here) }) : "",
    absent.length && !(isAny && here.length) ? say(words.settle.no_phone, { players: names(absent) }) : "",
  ].filter(Boolean).join(" ");
}

export function motionQuestion(story, motion, seated) {
  const missing = motion.asked.filter((player) => !motion.agreed.includes(player));
  const isMine = missing.some(playsFor);
  const answer = (kind) => ({ order: kind, about: motion.row });
  const isDoOver = motion.event && motion.event.event === "do_over";
  const reported = motion.order === "event" || isDoOver ? words.motions[motion.event.event] : null;
  const wants = reported || words.motions[motion.order] || words.motions.event;
  const entry = entryMeant(story, motion, isDoOver);
  const page = pageIn(story);
  return {
    key: `motion-${motion.row}-${JSON.stringify([motion.agreed, seated])}`,
    about: `motion-${motion.row}`,
    isMine,
    title: say(wants, { player: name(motion.agreed[0]), who: name((motion.event || {}).player || "") }),
    why: [motion.why, entry ? change(entry, motion, page) : ""].filter(Boolean).join(" "),
    mayAnswer: isReferee || motion.asked.some(playsFor),
    waited: [say(words.motions.agreed, { players: names(motion.agreed) }), awaited(missing.filter((player) => !playsFor(player)), seated)].filter(Boolean).join(". "),
    pictures: [motion.agreed, entry && entry.evidence],
    evidence: entry ? evidence(story, entry, page.verdict(entry)) : [],
    answers: [
      ...(isReferee || isMine ? [{ label: isReferee ? words.motions.agree_all : words.motions.agree, order: answer("agree") }] : []),
      { label: words.motions.decline, order: answer("decline") },
    ],
  };
}

// The call that a motion is about: of a do-over the last shot.
function entryMeant(story, motion, isDoOver) {
  const entries = story.entries || [];
  return isDoOver ? entries.findLast((entry) => isMain(entry)) : entries.find((entry) => entry.row === motion.about);
}

// What is voted on, in a line: whose shot, what it was called, what it would be.
function change(entry, motion, page) {
  const event = entry.event || entry.seen_as || {};
  const was = (event.rest || {})[event.player];
  const is = motion.event && (motion.event.rest || {})[event.player];
  const shot = say(words.motions.of_shot, { player: name(event.player) });
  if (!was || !event.player) return event.player ? `${shot}.` : "";
  return is ? `${shot}: ${page.reading(was)} → ${page.reading(is)}.` : `${shot}: ${page.reading(was)}.`;
}
