// The live feed: one EventSource, watched over; says when it is lost and comes back by itself.

import { words } from "./words.js";

const RETRY_MS = 1500;
const { home } = document.documentElement.dataset; // a board's place at a league's hub; nothing at the referee itself
const { whole } = document.documentElement.dataset; // where the whole story is, if the feed tells only what is new
const LOST_AFTER_MS = whole ? 20000 : 8000; // the referee's page is heard from every 5 s at least, nginx every 15

export function listen({ onStory, onNow, onConnection }) {
  let source = null;
  let row = null;
  let asked = 0;
  let heardAt = 0;
  let retry = 0;
  let state = "connecting";

  const become = (next) => {
    state = next;
    onConnection(state, heardAt ? Math.round((Date.now() - heardAt) / 1000) : null);
  };

  const noteHeard = () => {
    heardAt = Date.now();
    if (state !== "live") become("live");
  };

  const hear = (then) => (event) => {
    noteHeard();
    then(JSON.parse(event.data));
  };

  const take = (news) => {
    row = news.row;
    onStory(news);
  };

  // Asked for with the row that is missing, so that no answer kept from before is given; only the last question counts.
  const ask = async (missing) => {
    asked += 1;
    const mine = asked;
    try {
      const answer = await fetch(`${whole}?lang=${words.language}${missing ? `&row=${missing}` : ""}`);
      const told = await answer.json();
      if (mine !== asked || (row !== null && told.story.row < row)) return;
      noteHeard();
      take(told.story);
      onNow(told.now);
    } catch {
      setTimeout(() => mine === asked && ask(missing), RETRY_MS);
    }
  };

  const takeNew = (news) => {
    if (news.whole || !whole) take(news);
    else if (row === null || news.after > row) ask(news.row);
    else if (news.row > row) take(news);
  };

  const open = () => {
    clearTimeout(retry);
    if (source) source.close();
    source = new EventSource(`${home}/feed?lang=${words.language}${row === null ? "" : `&after=${row}`}`);
    source.addEventListener("story", hear(takeNew));
    if (whole) source.addEventListener("open", () => ask());
    source.addEventListener("now", hear(onNow));
    source.addEventListener("error", () => {
      if (state === "live") become("lost");
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
  };

  const watch = () => {
    const silent = Date.now() - heardAt > LOST_AFTER_MS;
    if (state === "live" && silent) open();
    if (state !== "live" || silent) become(heardAt ? "lost" : "connecting");
  };

  setInterval(watch, 1000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - heardAt > LOST_AFTER_MS) open();
  });
  window.addEventListener("online", open);
  open();
}

// Puts what is new over what is known; entries are one by row, in the game's order; the newest 200 are kept.
export function merged(story, news) {
  if (news.whole || !story) return news;
  const entries = new Map(story.entries.map((entry) => [entry.row, entry]));
  for (const entry of news.entries) entries.set(entry.row, entry);
  const kept = inOrder([...entries.values()]).slice(-200);
  return { ...story, ...news, entries: kept };
}

// As they happened: by row, but one that was missed stands before the entry that it was put before.
function inOrder(entries) {
  const [missed, seen] = [true, false].map((is) => entries.filter(({ before }) => (before !== undefined) === is).sort((a, b) => a.row - b.row));
  for (const entry of missed) {
    const next = seen.findIndex(({ row }) => row === entry.before);
    seen.splice(next < 0 ? seen.length : next, 0, entry);
  }
  return seen;
}
