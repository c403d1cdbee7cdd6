// Joins the feed to what is seen and heard.

import { makeAnnouncer } from "./announcing.js";
import { makeAwake } from "./awake.js";
import { fetchBook, meaningIn, ruleSheet } from "./book.js";
import { makeCall } from "./call.js";
import { makeControls } from "./controls.js";
import { button } from "./dom.js";
import { listen, merged } from "./feed.js";
import { whenLifted } from "./finger.js";
import { stayAt } from "./focus.js";
import { admit, fetchPage, pageIn } from "./games.js";
import { makeGuide } from "./guide.js";
import { showHistory } from "./history.js";
import { hostSheet } from "./host/host.js";
import house from "./house.js";
import { wakeButtons } from "./idle.js";
import { canOrder, isReferee, mayFor, me } from "./me.js";
import { joinFromAddress, moreSheet, myLabel, myTitle } from "./more.js";
import { lastOrder } from "./orders.js";
import { noteAsked, refusalTold } from "./second.js";
import { askDoOver, makeSettle } from "./settle.js";
import { showPlayers } from "./scoreboard.js";
import { shareButtons } from "./sharing.js";
import { makeShow } from "./show.js";
import { entrySheet } from "./sheets.js";
import { makeSound } from "./sound.js";
import { isAwaited, makeStrip } from "./strip.js";
import { fetchForms } from "./telling/forms.js";
import { setRight } from "./telling/right.js";
import { themeButton } from "./theme.js";
import { isMain } from "./verdict.js";
import { makeWatchdog } from "./watchdog.js";
import { say, words } from "./words.js";

const part = (id) => document.getElementById(id);
const sheet = part("sheet");
const view = { story: null, now: null, connection: "connecting", silent: null };
let nudged = "";
let presented = ""; // the call that the show was last about
let refusedRow = 0; // the newest thing seen that the rules would not have
const BUZZ_MS = 120;
const ASKED_MS = [200, 100, 200];
const NOTICE_MS = 6000;
const PULL_PX = 50;
const SILENT_S = 12;
const tick = { t: null, at: 0 };

const watchdog = makeWatchdog();
const sound = makeSound();
const announcer = makeAnnouncer(part("spoken"), sound);
const strip = makeStrip(part("strip"), themeButton(), announcer.hearTrouble);
const settle = makeSettle(part("settle"), () => {
  if (navigator.vibrate) navigator.vibrate(ASKED_MS);
  sound.play("doubt");
});
const show = makeShow(part("show"));
const open = { sheet, current: () => view.story, onPlayer: openPlayer }; // what a game's page may open on a tap
const guide = makeGuide();
const awake = makeAwake();
const controlsOf = makeControls(part("own"), sheet, (text) => warn(text));
const call = makeCall(part("call"), sheet, {
  onLine: (line) => ruleSheet(sheet, view.story, line),
  onBegin: () => (isReferee ? hostSheet(sheet, view.story) : moreSheet(sheet, view.story)),
  onCall: (current) => (current.entry ? showEntry(current.entry) : settle.reopen(view.story, seated())),
});

function showEntry(entry) {
  const watch = button(words.show.again, () => {
    sheet.close();
    show.play(view.story, entry, part("board"));
  });
  entrySheet(sheet, view.story, entry, {
    shown: [shareButtons(view.story, entry, watch)],
    more: setRight(sheet, view.story, entry),
    meaning: meaningIn(sheet, view.story),
  });
  Object.assign(sheet.dataset, { entry: entry.row, told: JSON.stringify(entry) });
}

// What happens to an entry while its sheet is open is shown there too: a picture that comes, a call undone by another.
function refreshEntry(story) {
  if (!sheet.open || !sheet.dataset.entry) return;
  const entry = story.entries.find((one) => String(one.row) === sheet.dataset.entry);
  if (entry && JSON.stringify(entry) !== sheet.dataset.told) showEntry(entry);
}

function openPlayer(player) {
  const { playerSheet } = pageIn(view.story);
  if (playerSheet) playerSheet(sheet, view.story, player);
}

// Stories are shown one after the other, each once its game's page has come.
const heard = { last: Promise.resolve(), game: undefined };
function hear(news) {
  if (news.game !== undefined) heard.game = news.game ? news.game.game : undefined;
  const { game } = heard;
  heard.last = heard.last.then(() => fetchPage(game)).then(() => whenLifted(() => showStory(news)));
}

function showStory(news) {
  const isFirst = !view.story || news.whole;
  view.story = merged(view.story, news);
  const { story } = view;
  if (story.game) fetchBook(story.game.game);
  if (story.game) fetchForms(story.game.game).then(askPeople); // what is wished is told by its form
  showHistory(part("history"), story, showEntry);
  showPlayers(part("players"), story, openPlayer);
  askPeople();
  controlsOf.show(story);
  part("do-over").hidden = !(canOrder && story.state && story.state.do_over);
  refreshEntry(story);
  document.dispatchEvent(new CustomEvent("story", { detail: story }));
  document.body.dataset.row = String(story.row);
  document.body.dataset.phase = (story.state && story.state.phase) || "none";
  showNow(view.now);
  announcer.hear(story, isFirst);
  nudge(story);
  sayRefused(story, isFirst);
  showCall(story, isFirst);
  guide.show(story);
  awake.show(story);
  if (!isFirst && news.refusal && lastOrder()) warn(refusalTold(story, news.refusal));
  noteAsked(story);
}

const seated = () => (view.now && view.now.seated) || null;

// Asked anew when a story comes, and when somebody's phone comes or goes: who is awaited may then be another.
function askPeople() {
  if (document.documentElement.dataset.mode !== "overlay") settle.show(view.story, seated());
}

// What the camera saw and the rules would not have is said to whoever did it, and to the referee's phone.
function sayRefused({ entries }, isFirst) {
  const last = entries.findLast((one) => one.origin === "vision" && one.refused);
  const isNew = last && last.row > refusedRow;
  if (isNew) refusedRow = last.row;
  if (isNew && !isFirst && last.event && mayFor(last.event.player)) warn(say(words.settle.not_counted, { why: last.refused.message }));
}

// The page may be served while the referee itself has stopped: then its clock stands still.
function silenceOf(now) {
  if (!now || now.t !== tick.t) Object.assign(tick, { t: now && now.t, at: Date.now() });
  const seconds = Math.round((Date.now() - tick.at) / 1000);
  const isPlaying = view.story && view.story.state && view.story.state.phase !== "over";
  return tick.t && isPlaying && seconds > SILENT_S ? seconds : 0;
}

function showNow(now) {
  const before = String(seated());
  view.now = now;
  if (view.story && String(seated()) !== before) askPeople();
  document.body.dataset.camera = (now && now.t && now.camera) || "";
  view.silence = silenceOf(now);
  strip.show(view);
  if (!view.story) return;
  const page = pageIn(view.story);
  document.body.classList.toggle("cards", page.look === "cards");
  part("board").setAttribute("aria-label", page.label || words.page.board);
  showGame(page);
  call.show(view.story, now);
}

// A close call or a hit that has just been ruled on is shown as it was seen, once; a new one takes the place of the last.
function showCall(story, isFirst) {
  const entry = story.entries.findLast(isMain);
  const key = entry ? `${entry.row}-${entry.corrected_by || 0}` : "";
  const isNew = !isFirst && key !== presented;
  presented = key;
  if (isNew && !(entry && !sheet.open && show.play(story, entry, part("board")))) show.stop();
}

// A game draws itself; what it does wrong there costs nobody the call.
function showGame(page) {
  try {
    if (page.show) page.show(part("board"), view.story, view.now, open);
  } catch (fault) {
    console.error(fault);
  }
}

// The phone of whoever's turn it has become gives one short buzz.
function nudge(story) {
  const { state } = story;
  const due = state ? pageIn(story).turnOf(state) : [];
  const mine = [...due, ...(isAwaited(story) ? story.match.players : [])].filter((player) => me.seats.includes(player)).join();
  if (mine && mine !== nudged && navigator.vibrate) navigator.vibrate(BUZZ_MS);
  nudged = mine;
}

// An order of this phone that the referee did not take: said for a while.
function warn(text) {
  if (!text) return;
  const notice = part("notice");
  notice.textContent = text;
  notice.hidden = false;
  announcer.tell(text);
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => {
    notice.hidden = true;
  }, NOTICE_MS);
}

function showConnection(connection, silent) {
  Object.assign(view, { connection, silent });
  watchdog(connection);
  document.body.dataset.connection = connection;
  strip.show(view);
}

function controls() {
  const [soundButton, doOver] = [part("sound"), part("do-over")];
  soundButton.textContent = words.page.sound_on;
  soundButton.addEventListener("click", () => {
    const isOn = sound.toggle();
    soundButton.textContent = isOn ? words.page.sound_off : words.page.sound_on;
    soundButton.setAttribute("aria-pressed", String(isOn));
  });
  doOver.textContent = words.page.do_over;
  doOver.addEventListener("click", () => askDoOver(sheet, view.story));
  document.title = myTitle();
  part("more").textContent = myLabel();
  part("more").addEventListener("click", () => moreSheet(sheet, view.story));
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", words.page[element.dataset.label]);
  for (const link of document.querySelectorAll("#skip a")) skipTo(link, part(link.hash.slice(1)));
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
}

// What comes first for Tab: past the board to what matters.
function skipTo(link, place) {
  link.textContent = words.page[link.dataset.text];
  link.addEventListener("click", (event) => {
    event.preventDefault();
    stayAt(place);
  });
}

// The history is pulled up from the bar and pushed down again, or opened by its button.
function historyDrawer() {
  const [button, bar, section] = [part("open-history"), part("bar"), part("history")];
  const turn = (isOpen) => {
    document.body.classList.toggle("history", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  const pull = (element, way, may) => {
    let from = null;
    element.addEventListener("touchstart", (event) => {
      from = may() ? event.touches[0].clientY : null;
    }, { passive: true });
    element.addEventListener("touchend", (event) => {
      if (from !== null && (event.changedTouches[0].clientY - from) * way > PULL_PX) turn(way < 0);
    }, { passive: true });
  };
  button.textContent = words.page.history;
  button.addEventListener("click", () => {
    turn(!document.body.classList.contains("history"));
    if (document.body.classList.contains("history")) stayAt(section);
  });
  section.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    turn(false);
    button.focus();
  });
  pull(bar, -1, () => true);
  pull(section, 1, () => section.scrollTop <= 0);
}

admit(house);
controls();
joinFromAddress(warn);
historyDrawer();
wakeButtons();
strip.show(view);
setInterval(() => view.now && view.now.doing && strip.show(view), 1000); // it counts down
listen({ onStory: hear, onNow: (now) => whenLifted(() => showNow(now)), onConnection: showConnection });
