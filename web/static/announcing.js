// What is said to those who cannot see, and aloud: everything that happens, each once and in its order.

import { html } from "./dom.js";
import { pageIn, pageOf } from "./games.js";
import { lines } from "./lines.js";
import { turnTold } from "./strip.js";
import { callText, doubtful } from "./verdict.js";
import { name, say, words } from "./words.js";

const KEPT = 12;

// One sentence after the other, each with its full stop.
const sentences = (texts) => texts.filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");

// A log that is read out as it grows; remembers what it has told.
export function makeAnnouncer(log, sound) {
  const known = new Map(); // what was said of each entry and question
  let turn = "";
  let trouble = "";
  let besides = "";
  let called = "";

  function tell(text) {
    if (!text) return;
    log.append(html("p", {}, text));
    while (log.childElementCount > KEPT) log.firstChild.remove();
  }

  // What is new, or is no longer as it was said.
  function newsOf(story) {
    const news = [...entriesTold(story), ...questionsTold(story)].filter(({ key, said }) => known.get(key) !== said);
    const told = news.map(({ key, kind, text, anew }) => ({ kind, text: known.has(key) ? anew : text }));
    for (const { key, said } of news) known.set(key, said);
    return told;
  }

  // Only what is new is said: not what a phone finds when it comes, but a game that begins before it.
  function hear(story, isFirst) {
    const isNewGame = isFirst && known.size > 0 && !(story.entries || []).length;
    if (isNewGame) known.clear();
    const news = newsOf(story);
    const now = turnTold(story);
    const isTurnNew = now !== turn;
    turn = now;
    if (isFirst) called = story.call ? story.call.key : "";
    if (isNewGame) tell(beginning(story));
    if (isFirst) return;
    for (const one of news) tell(one.text);
    if (isTurnNew) tell(now);
    const said = news.filter(({ text }) => text);
    const isCalled = story.call && story.call.key !== called;
    called = story.call ? story.call.key : "";
    if (said.length) sound.tell(said.at(-1).kind, isCalled ? story.call.sayings.map(({ message }) => message).join(" ") : "", sentences(said.map(({ text }) => text)));
  }

  // What is wrong at the board or with the camera, once; and that it is over.
  function hearTrouble([first = "", more = ""], beside) {
    const isOver = !first && trouble;
    if (first !== trouble) tell(isOver ? words.voice.well : sentences([first, more]));
    if (beside !== besides) tell(beside);
    [trouble, besides] = [first, beside];
  }

  return { hear, hearTrouble, tell };
}

// What is read where nothing has happened yet.
function beginning(story) {
  const first = story.state && story.state.turn;
  return first ? sentences([words.call.none, pageIn(story).nobodyYet(first)]) : "";
}

const told = new WeakMap(); // an entry -> what is told of it, which stays so for as long as the entry does

// Every event that was ruled on, and each correction of it: {key, said, text, anew, kind}. What was `said` changes by a
// correction, also of an earlier call; then it is told `anew`.
function entriesTold(story) {
  return (story.entries || []).map((entry) => {
    if (!told.has(entry)) told.set(entry, newsOfEntry(entry, story));
    return told.get(entry);
  });
}

function newsOfEntry(entry, story) {
  const { rulings, text, ...more } = entryTold(entry, story);
  const isOwn = !entry.event || entry.corrected_by;
  const said = JSON.stringify([entry.corrected_by, !entry.event, rulings]);
  return { key: `entry-${entry.row}`, said, ...more, text, anew: isOwn || !text ? text : sentences([words.call.corrected, text]) };
}

// What is read out of an entry, and what of that is the rules' answer.
function entryTold(entry, story) {
  const game = story.game && story.game.game;
  const before = entry.seen_as || {};
  if (!entry.event) return { kind: "plain", rulings: [], text: say(words.voice.undone, { player: name(before.player) }) };
  if (entry.refused) return { kind: "plain", rulings: [], text: "" };
  const page = pageOf(game);
  const result = page.verdict(entry);
  const call = result.word === "other" ? "" : callText(result).replace("\n", " ");
  const again = entry.corrected_by ? words.call.corrected : "";
  const headline = call ? [name(result.player), call].filter(Boolean).join(": ") : "";
  const told = lines(entry, game).filter(({ ruling }) => ruling.code !== page.saysTheSame[result.word]).map((line) => `${line.text} ${line.plus}`.trim());
  return { kind: result.kind, rulings: [headline, ...told], text: sentences([page.event(entry.event), again, headline, ...told]) };
}

function questionsTold(story) {
  return (story.pending || []).map((pending) => {
    const { word, player } = doubtful(pending, pageIn(story));
    const call = say(words.call[word], {}).replace("\n", " ");
    const text = sentences([[name(player), call].filter(Boolean).join(": "), words.call.waiting]);
    return { key: `pending-${pending.row}`, said: "", kind: "doubt", text, anew: text };
  });
}
