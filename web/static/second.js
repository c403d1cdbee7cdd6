// Whoever was second with an order is told who decided what; nobody else sees a refusal.

import { pageIn } from "./games.js";
import { me } from "./me.js";
import { lastOrder } from "./orders.js";
import { callText } from "./verdict.js";
import { who } from "./voices.js";
import { say, words } from "./words.js";

const LATE = ["settled_already", "nobody_waits"];
const meant = new Map(); // the row of each question and motion that was shown -> that of the entry it is about

// Notes what may be answered: once it is decided, the story no longer tells what it was about.
export function noteAsked({ pending = [], motions = [] }) {
  for (const { row, about } of [...pending, ...motions]) meant.set(row, about);
}

// Why the order that this phone gave last was not taken; nothing where its own players had decided that already.
export function refusalTold(story, refusal) {
  const isLate = LATE.includes((refusal.said || {}).code);
  const entry = isLate && decided(story, (lastOrder() || {}).about);
  if (!entry) return say(words.settle.refused, { why: refusal.message });
  const by = entry.corrected_by ? entry.corrections.at(-1).by : entry.settled_by;
  if (isOwn(by)) return "";
  return say(words.settle.second, { who: who(by), call: callText(pageIn(story).verdict(entry)).replace("\n", " ") });
}

// The entry that an order was about, where somebody has decided on it.
function decided(story, about) {
  const row = meant.get(about) ?? about;
  return story.entries.find((one) => (one.row === row || one.about === row) && one.event && (one.settled_by || one.corrected_by));
}

const isOwn = (by) => /^players?:/.test(by) && by.replace(/^players?:/, "").trim().split(", ").some((player) => me.seats.includes(player));
