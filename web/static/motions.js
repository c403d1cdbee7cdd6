// What players want that needs the others: who wants it, who has agreed, and the two answers.

import { html } from "./dom.js";
import { pageIn } from "./games.js";
import { isReferee, me, playsFor } from "./me.js";
import { evidence } from "./sheets.js";
import { disc } from "./strip.js";
import { described, detailed } from "./telling/described.js";
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

// Who is awaited; who has no phone here can't be, so the referee's phone, which may be this one, says it for him.
export function awaited(players, seated, isAny = false) {
  const absent = seated ? players.filter((player) => !seated.includes(player)) : [];
  const here = players.filter((player) => !absent.includes(player));
  return [
    here.length ? say(isAny ? words.settle.waits_for_one : words.settle.waits_for, { players: isAny ? either(here) : names(here) }) : "",
    absent.length && !(isAny && here.length) ? say(isReferee ? words.settle.no_phone_mine : words.settle.no_phone, { players: names(absent) }) : "",
  ].filter(Boolean).join(" ");
}

export function motionQuestion(story, motion, seated) {
  const missing = motion.asked.filter((player) => !motion.agreed.includes(player));
  const isMine = missing.some(playsFor);
  const why = [motion.why, wished(story, motion)].filter(Boolean).join(" ");
  const entry = entryMeant(story, motion);
  return {
    key: `motion-${motion.row}-${JSON.stringify([motion.agreed, seated, why])}`,
    about: `motion-${motion.row}`,
    isMine,
    title: say(titleOf(motion), { player: name(motion.agreed[0]), who: name((motion.event || {}).player || "") }),
    why,
    mayAnswer: isReferee || motion.asked.some(playsFor),
    waited: [say(words.motions.agreed, { players: names(motion.agreed) }), awaited(missing.filter((player) => !playsFor(player)), seated)].filter(Boolean).join(". "),
    pictures: [motion.agreed, entry && entry.evidence],
    evidence: entry ? evidence(story, entry, pageIn(story).verdict(entry)) : [],
    answers: [
      ...(isReferee || isMine ? [{ label: isReferee ? words.motions.agree_all : words.motions.agree, order: { order: "agree", about: motion.row } }] : []),
      { label: words.motions.decline, order: declining(motion) },
    ],
  };
}

// One who is against it is enough: who plays for two says so once.
function declining({ row, asked }) {
  const seat = me.seats.find((one) => asked.includes(one));
  return { order: "decline", about: row, ...(seat ? { seat } : {}) };
}

const isDoOver = (motion) => Boolean(motion.event) && motion.event.event === "do_over";
const REPORTED = ["do_over", "leave", "join"]; // whose titles tell all

const isToldByTitle = (motion) => isDoOver(motion) || (motion.order === "event" && REPORTED.includes(motion.event.event));

const titleOf = (motion) => (isToldByTitle(motion) ? words.motions[motion.event.event] : words.motions[motion.order] || words.motions.event);

// The call that a motion is about: of a do-over the last shot.
function entryMeant(story, motion) {
  const entries = story.entries || [];
  return isDoOver(motion) ? entries.findLast((entry) => isMain(entry)) : entries.find((entry) => entry.row === motion.about);
}

// What is voted on: what somebody reports, what was missed and before which call, what a call was and what it would be.
function wished(story, motion) {
  const page = pageIn(story);
  const game = story.game && story.game.game;
  const entry = entryMeant(story, motion);
  const before = entry && (entry.event || entry.seen_as || {});
  const was = entry ? called(before, game, page) : "";
  const told = () => described(motion.event, game, page);
  const instead = () => (before.event === motion.event.event ? detailed : described)(motion.event, game, page);
  if (motion.order === "insert") return [told(), was ? `${say(words.motions.before, { call: was })}.` : ""].filter(Boolean).join(" ");
  if (motion.order === "event" && !isToldByTitle(motion)) return told();
  if (motion.order !== "amend" || !was) return was && `${was}.`;
  return isOtherPlace(before, motion.event) ? `${was} → ${page.reading(motion.event.rest[before.player])}.` : `${was} → ${instead()}`;
}

// What an entry stands as: whose shot it was and where it ended, or what was done.
function called(event, game, page) {
  const at = (event.rest || {})[event.player];
  if (at) return `${say(words.motions.of_shot, { player: name(event.player) })}: ${page.reading(at)}`;
  return page.event(event) || page.did(event) || (event.event ? described(event, game, page).replace(/\.$/, "") : "");
}

// Whether a shot is as it was but for where its own cap came to rest.
function isOtherPlace(before, after) {
  const { player } = before;
  const others = ({ event, player: by, hits = [], behind_start: start = true, rest = {} }) => [event, by, hits, start, { ...rest, [player]: "" }];
  const [was, is] = [before, after].map(({ rest = {} }) => rest[player]);
  return Boolean(was && is && was !== is) && isSame(others(before), others(after));
}
