// What is said to those who cannot see, and aloud: everything that happens, each once and in its order.

import { faceOf } from "./cards/card.js";
import { html } from "./dom.js";
import { callText, cardVerdict, doubtful, lines, verdict } from "./verdict.js";
import { turnTold } from "./strip.js";
import { name, say, words } from "./words.js";
import { isStreet } from "./games.js";

const KEPT = 12;

const SAYS_THE_SAME = { stuck: "stuck_in_skull" }; // as the headline of that word

// One sentence after the other, each with its full stop.
const sentences = (texts) => texts.filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");

// A log that is read out as it grows; remembers what it has told.
export function makeAnnouncer(log, sound) {
  const known = new Set();
  let turn = "";
  let trouble = "";
  let besides = "";

  function tell(text) {
    if (!text) return;
    log.append(html("p", {}, text));
    while (log.childElementCount > KEPT) log.firstChild.remove();
  }

  // Only what is new is said: not what a phone finds when it comes.
  function hear(story, isFirst) {
    const news = [...entriesTold(story), ...questionsTold(story)].filter(({ key }) => !known.has(key));
    for (const { key } of news) known.add(key);
    const now = turnTold(story);
    const isTurnNew = now !== turn;
    turn = now;
    if (isFirst) return;
    for (const one of news) tell(one.text);
    if (isTurnNew) tell(now);
    const said = news.filter(({ text }) => text);
    if (said.length) sound.tell(said[said.length - 1].kind, sentences(said.map(({ text }) => text)));
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

// Every event that was ruled on, and each correction of it: {key, text, kind}.
function entriesTold(story) {
  return (story.entries || []).map((entry) => {
    const key = `${entry.row}-${entry.corrected_by || 0}-${entry.event ? "" : "undone"}`;
    return { key, ...entryTold(entry, story) };
  });
}

function entryTold(entry, story) {
  const game = story.game && story.game.game;
  const before = entry.seen_as || {};
  if (!entry.event) return { kind: "plain", text: say(words.voice.undone, { player: name(before.player) }) };
  if (entry.refused) return { kind: "plain", text: "" };
  const result = isStreet(game) ? verdict(entry) : cardVerdict(entry, game);
  const call = result.word === "other" ? "" : callText(result).replace("\n", " ");
  const again = entry.corrected_by ? words.call.corrected : "";
  const headline = call ? [name(result.player), call].filter(Boolean).join(": ") : "";
  const told = lines(entry, game).filter(({ ruling }) => ruling.code !== SAYS_THE_SAME[result.word]).map((line) => `${line.text} ${line.plus}`.trim());
  return { kind: result.kind, text: sentences([isStreet(game) ? "" : cardEvent(entry.event, game), again, headline, ...told]) };
}

// What a player did with cards, which the table shows and no ruling says.
function cardEvent(event, game) {
  const of = (code) => (code ? faceOf(code, game).label : words.cards.face_down);
  const as = event.as ? `, ${words.cards[event.as]}` : "";
  const card = event.card === undefined ? "" : of(event.card) + as;
  const n = event.number ?? event.bid ?? event.cards ?? event.pile;
  const template = words.voice.events[["bid", "load"].includes(event.event) && n === undefined ? `${event.event}_secret` : event.event];
  return say(template, { ...event, player: name(event.player), owner: name(event.owner), card, n: n ?? "" });
}

function questionsTold(story) {
  return (story.pending || []).map((pending) => {
    const { word, player } = doubtful(pending);
    const call = say(words.call[word], {}).replace("\n", " ");
    return { key: `pending-${pending.row}`, kind: "doubt", text: sentences([[name(player), call].filter(Boolean).join(": "), words.call.waiting]) };
  });
}
