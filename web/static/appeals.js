// Appeals: a player has a call looked at again; what each costs, who has said what, and how it ended.

import { button, html } from "./dom.js";
import { pageIn } from "./games.js";
import { isReferee, me, playsFor } from "./me.js";
import { evidence, openSheet } from "./sheets.js";
import { appealsLeft } from "./voices.js";
import { name, names, say, words } from "./words.js";

// What somebody says an entry should be read as: another place of the shooter's cap, or nothing at all.
const reading = (page, event) => (event ? page.reading((event.rest || {})[event.player] || "open") : words.settle.undo);

const said = (page, by, event) =>
  event ? say(words.appeals.says, { player: name(by), reading: reading(page, event) }) : say(words.appeals.strikes, { player: name(by) });

// For whom this phone may appeal against an entry, if anybody.
function appellant(story, entry) {
  if (isReferee || !entry.event || (entry.appeals || []).some(({ by }) => playsFor(by))) return null;
  const own = me.seats.filter((seat) => appealsLeft(story, seat) > 0);
  return own.includes(entry.event.player) ? entry.event.player : own[0];
}

// The button that leads to it; `readings` are what the entry may be read as instead, {label, event}, null for nothing.
export function appealButton(sheet, story, entry, readings, send) {
  const player = appellant(story, entry);
  if (!player) return null;
  const left = appealsLeft(story, player);
  const label = say(left === 1 ? words.appeals.one_left : words.appeals.left, { n: left });
  return button(label, () => ask(sheet, story, { player, entry, readings, send }), "wide");
}

function ask(sheet, story, { player, entry, readings, send }) {
  const note = html("p", { class: "note", role: "status" });
  const buttons = readings.map(({ label, event }) => button(label, () => send(note, { order: "appeal", seat: player, about: entry.row, event })));
  openSheet(sheet, words.appeals.title, html("p", {}, words.appeals.how, " ", words.appeals.costs[story.appeals.wrong]),
    html("h3", {}, words.appeals.instead), note, html("div", { class: "answers" }, buttons));
}

// The question to the others, as settle.js shows questions.
export function appealQuestion(story, motion) {
  const page = pageIn(story);
  const [by, ...yes] = motion.agreed;
  const no = motion.declined || [];
  const entry = story.entries.find((one) => one.row === motion.about) || { event: null, rulings: [] };
  const missing = motion.asked.filter((player) => player !== by && !yes.includes(player) && !no.includes(player));
  const answer = (order) => ({ order, about: motion.row });
  const isOwn = !isReferee && playsFor(by) && !missing.concat(yes, no).some(playsFor);
  const sides = [[words.appeals.for_it, yes], [words.appeals.against, no]].filter(([, players]) => players.length);
  const choices = isOwn ? [{ label: words.appeals.take_back, order: { ...answer("decline"), seat: by } }]
    : [{ label: reading(page, motion.event), order: answer("agree") }, { label: words.appeals.call_stands, order: answer("decline") }];
  return {
    key: `appeal-${motion.row}-${JSON.stringify([yes, no])}`,
    about: `appeal-${motion.row}`,
    isMine: missing.some(playsFor),
    title: say(words.appeals.appeals, { player: name(by) }),
    why: said(page, by, motion.event) + (motion.why ? ` ${motion.why}` : ""),
    mayAnswer: isReferee || motion.asked.some(playsFor),
    waited: missing.length ? say(words.settle.waits_for, { players: names(missing) }) : "",
    pictures: [motion.row, yes, no],
    evidence: [...evidence(story, entry, page.verdict(entry)), ...sides.map(([label, players]) => html("p", { class: "quiet" }, say(label, { players: names(players) })))],
    answers: choices,
  };
}
