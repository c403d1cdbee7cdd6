// What players want that needs the others: who wants it, who has agreed, and the two answers.

import { html } from "./dom.js";
import { isReferee, playsFor } from "./me.js";
import { disc } from "./strip.js";
import { name, names, say, words } from "./words.js";

const isSame = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

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

export function motionQuestion(story, motion) {
  const missing = motion.asked.filter((player) => !motion.agreed.includes(player));
  const answer = (kind) => ({ order: kind, about: motion.row });
  const wants = motion.event && motion.event.event === "do_over" ? words.motions.do_over : words.motions[motion.order] || words.motions.event;
  return {
    key: `motion-${motion.row}`,
    title: say(wants, { player: name(motion.agreed[0]) }),
    why: motion.why || (motion.event && motion.event.event === "do_over" ? "" : words.settle.otherwise_why),
    mayAnswer: isReferee || motion.asked.some(playsFor),
    waited: say(words.settle.waits_for, { players: names(missing) }),
    pictures: motion.agreed,
    evidence: [html("p", { class: "quiet" }, say(words.motions.agreed, { players: names(motion.agreed) }))],
    answers: [
      ...(isReferee || missing.some(playsFor) ? [{ label: isReferee ? words.motions.agree_all : words.motions.agree, order: answer("agree") }] : []),
      { label: words.motions.decline, order: answer("decline") },
    ],
  };
}
