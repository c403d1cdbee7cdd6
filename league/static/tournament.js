// A tournament for everybody to see; whoever has typed the organiser's code taps who came in first, second ...

import { post, refused } from "./asking.js";
import { button, element } from "./dom.js";
import { door } from "./door.js";
import { follow } from "./feed.js";
import { whenLifted } from "./finger.js";
import { hooks } from "./hooks.js";
import { begun, names, say, words } from "./words.js";

const number = Number(location.pathname.split("/")[2]) || null;
const title = document.getElementById("name");
const heard = document.getElementById("heard");
const place = document.getElementById("place");

// A stage as people call it; groups have letters.
function roundOf(stage, round) {
  const [, letter] = stage.match(/^group (.+)$/) || [];
  return say(words.round, { stage: letter ? say(words.stages.group, { letter }) : words.stages[stage], round });
}

const FORMATS = ["single", "double", "round_robin", "swiss", "groups"]; // as they are offered
const BOXES = Array.from({ length: 13 }, (_, at) => at + 1);
const REST_MS = 700; // between two looks, however fast boards play
const CALLED_MS = [200, 100, 200]; // how a phone buzzes
const tapped = new Map(); // by match: whom the organiser has tapped so far, the first first

const tell = (deed, preview) => post(`/tournaments/${number}/deeds${preview ? "?preview" : ""}`, deed);

// A result that changes others is said only after a second tap, which names what it changes.
async function sayResult(match, ranking) {
  const deed = { deed: "ended", match: match.id, ranking };
  const change = await tell(deed, true);
  const others = change ? [...new Set([...change.matches, ...change.void])] : [];
  const isMeant = change && (!others.length || confirm(say(words.sure_change, { matches: names(others) })));
  if (isMeant) await tell(deed);
  shown = ""; // the card shows what was tapped, also where that was not said
  await draw();
}

function matchCard(match, told) {
  const order = tapped.get(match.id) || [];
  const people = element("ol", "players");
  const card = element("article", match.ranking ? "done" : "", element("h3", "", match.id), people);
  const listed = match.ranking || match.players;
  const show = () => people.replaceChildren(...listed.map((name) => {
    const at = match.ranking ? match.ranking.indexOf(name) : order.indexOf(name);
    const [called] = begun([name], match.head_starts);
    const label = at >= 0 && !match.is_bye ? `${at + 1}. ${called}` : called;
    const kind = match.ranking && at === 0 && !match.is_bye ? "winner" : "";
    const mayTap = told.is_organiser && !match.is_bye && !match.is_walkover;
    return element("li", kind, mayTap ? button(label, () => tap(name)) : label);
  }));
  const tap = (name) => {
    if (!order.includes(name)) order.push(name);
    tapped.set(match.id, order);
    match = { ...match, ranking: null };
    show();
    const left = match.players.filter((one) => !order.includes(one));
    if (left.length > 1) return;
    tapped.delete(match.id);
    sayResult(match, [...order, ...left]);
  };
  if (!match.ranking) card.append(element("p", "where", roundOf(match.stage, match.round)));
  card.append(...placeOf(match, told));
  if (match.is_bye) card.append(element("p", "where", words.bye));
  else if (match.is_walkover) card.append(element("p", "where", words.walkover));
  show();
  return card;
}

// Where a match is played; and what the organiser may do about it.
function placeOf(match, told) {
  const where = told.where[match.id];
  const mayAct = told.is_organiser && !match.is_bye && !match.is_walkover;
  const made = match.missed.map((player) => element("p", "where", say(words.did_not_come, { player })));
  if (where && where.is_on) {
    const state = where.is_begun ? words.playing : say(words.called, { when: minutes(where.called_at) });
    made.push(element("p", "where", `${where.board} · ${where.is_heard ? state : words.out_of_reach}`));
    if (mayAct) made.push(button(words.to_queue, () => post(`/tournaments/${number}/recall`, { match: match.id }).then(draw)));
  }
  if (!match.ranking && !(where && where.is_on)) made.push(element("p", "where", words.no_board_free));
  if (where && where.said) made.push(question(match, where, mayAct));
  if (mayAct && !match.ranking && !(where && where.is_begun)) made.push(absence(match));
  return made;
}

const minutes = (at) => {
  const gone = Math.max(0, Math.round((Date.now() / 1000 - at) / 60));
  return gone ? say(words.minutes_ago, { count: gone }) : words.just_now;
};

// After the match its board was set right: nothing changes here unless the organiser agrees.
function question(match, { said }, mayAct) {
  const others = said.changes.filter((one) => one !== match.id);
  const order = said.ranking.map((name, at) => `${at + 1}. ${name}`).join(", ");
  const changes = others.length ? say(words.would_change, { matches: names(others) }) : words.would_change_none;
  const what = `${say(words.now_says, { board: said.board, ranking: order })} ${changes}`;
  const answer = (is_taken) => post(`/tournaments/${number}/word`, { match: match.id, is_taken }).then(draw);
  return element("div", "said", element("p", "", what), ...(mayAct ? [button(words.take_it, () => answer(true)), button(words.leave_it, () => answer(false))] : []));
}

function absence(match) {
  const left = match.players.filter((one) => !match.missed.includes(one));
  const choice = element("select", "", element("option", "", words.who_did_not_come), ...left.map((name) => Object.assign(element("option", "", name), { value: name })));
  choice.ariaLabel = say(words.who_did_not_come_to, { match: match.id });
  choice.addEventListener("change", () => tell({ deed: "missed", match: match.id, player: choice.value }).then(draw));
  return choice;
}

const FEW = 16; // matches of which all are shown; of more only those to be played, the others by a tap
const WIDE = matchMedia("(min-width: 60rem)"); // a screen for everybody
const unfolded = new Map(); // by heading: whether it was opened or closed here

function folded(heading, isOpen, ...inside) {
  const made = element("details", "round", element("summary", "", element("h2", "", heading)), ...inside);
  made.open = unfolded.get(heading) ?? isOpen;
  made.addEventListener("toggle", () => unfolded.set(heading, made.open));
  return made;
}

const cards = (matches, told) => element("div", "bracket", ...matches.map((match) => matchCard(match, told)));

// What is played now comes first, then what was called and what waits: that is what people look for.
function toPlay(told) {
  const turn = ({ id }) => [(told.where[id] || {}).is_begun, (told.where[id] || {}).is_on].filter(Boolean).length;
  const waiting = told.matches.filter((match) => !match.ranking).sort((one, other) => turn(other) - turn(one));
  return waiting.length ? element("section", "round", element("h2", "", say(words.to_be_played, { count: waiting.length })), cards(waiting, told)) : "";
}

function played(told) {
  const rounds = new Map();
  for (const match of told.matches.filter(({ ranking }) => ranking)) {
    const heading = roundOf(match.stage.startsWith("group") ? "groups" : match.stage, match.round);
    rounds.set(heading, [...(rounds.get(heading) || []), match]);
  }
  const latest = ([, [{ stage, round }]]) => (stage.startsWith("group") ? 0 : 1000) + round;
  return [...rounds].sort((one, other) => latest(other) - latest(one)).map(([heading, matches]) => folded(heading, told.matches.length <= FEW, cards(matches, told)));
}

function ranking(told) {
  const isOpen = Boolean(told.winner) || told.ranking.length <= FEW || WIDE.matches;
  const mayAct = (name) => told.is_organiser && !told.gone.includes(name) && !told.winner;
  return folded(told.winner ? say(words.has_won, { player: told.winner }) : words.so_far, isOpen, element("ol", "ranking", ...told.ranking.map((name) => element("li", "",
    told.gone.includes(name) ? say(words.who_has_left, { player: name }) : mayAct(name) ? name : begun([name], told.head_starts)[0],
    mayAct(name) ? startOf(name, told.head_starts[name], (box) => tell({ deed: "head_start", player: name, box }).then(draw)) : null,
    mayAct(name) ? button(words.has_left, () => tell({ deed: "left", player: name }).then(draw)) : null,
    told.is_organiser && told.winner ? forgetting(name, draw) : null))));
}

// At which box somebody begins: a small player ahead of a big one.
function startOf(player, box = 1, take) {
  const choice = element("select", "", ...BOXES.map((at) => Object.assign(element("option", "", say(words.begins_at, { box: at })), { value: at, selected: at === box })));
  choice.ariaLabel = say(words.where_begins, { player });
  choice.addEventListener("change", () => take(Number(choice.value)));
  return choice;
}

// The name goes, everywhere and for good; what was played stays.
function forgetting(name, after) {
  return button(words.forget, async () => {
    if (!confirm(say(words.sure_forget, { player: name }))) return;
    if (await post("/people/forget", { name })) await after();
  });
}

// Whoever says on this phone who he is sees first where he has to go.
function yours(told) {
  const known = localStorage.getItem("linesies-player") || "";
  const choice = element("select", "", ...[`${words.who_are_you} …`, ...[...told.ranking].sort()].map((name, at) => Object.assign(element("option", "", name), { value: at ? name : "", selected: name === known })));
  choice.ariaLabel = words.who_are_you;
  choice.addEventListener("change", () => {
    localStorage.setItem("linesies-player", choice.value);
    shown = "";
    draw();
  });
  const mine = told.matches.filter(({ players, ranking }) => players.includes(known) && !ranking);
  buzz(known, mine.filter(({ id }) => isCalled(told.where[id])).map(({ id }) => `${id} ${told.where[id].board}`));
  const none = known && told.ranking.includes(known) ? element("p", "state", say(told.gone.includes(known) ? words.you_have_left : words.nothing_for_you, { player: known })) : null;
  return element("section", "yours", choice, ...(mine.length ? mine.map((match) => goTo(match, told.where[match.id])) : [none]));
}

const isCalled = (where) => where && where.is_on && !where.is_begun;

// A phone tells when its player is sent to a board, while the page is on its screen; what stood there at first is no news.
let sent = { known: null, calls: [] };
function buzz(known, calls) {
  const isNews = known === sent.known && calls.some((one) => !sent.calls.includes(one));
  if (isNews && navigator.vibrate) navigator.vibrate(CALLED_MS);
  sent = { known, calls };
}

function goTo({ id, players, head_starts: starts }, where) {
  const place = where && where.is_on ? `→ ${where.is_begun ? say(words.board_playing, where) : where.board}` : words.no_board_free;
  return element("p", "goes", element("strong", "", begun(players, starts).join(" – ")), element("span", "goes-to", place), element("span", "where", id));
}

// Drawn anew only where something has changed, and never under a finger; an older answer is no news.
let asked = 0;
let shown = "";
async function draw() {
  const mine = ++asked;
  const answer = await fetch(`/tournaments/${number}.json`);
  const text = await answer.text();
  whenLifted(() => {
    if (mine !== asked || text === shown) return;
    if (answer.ok) show(text);
    else heard.textContent = refused(JSON.parse(text));
  });
}

function show(text) {
  const told = JSON.parse(text);
  shown = text;
  title.textContent = told.name;
  document.title = told.name;
  const undo = told.is_organiser ? button(words.undo, () => post(`/tournaments/${number}/undo`, {}).then(draw)) : door(draw);
  const how = told.is_organiser && !told.winner ? element("p", "how", words.how_results) : "";
  place.replaceChildren(element("p", "where", words.formats[told.format]), how, yours(told), toPlay(told), ranking(told), ...played(told), undo);
  heard.textContent = told.void.length ? say(words.not_counted, { matches: names(told.void) }) : heard.textContent.replace(words.asking, "");
}

function opening() {
  const name = element("input", "");
  const people = Object.assign(element("textarea", ""), { rows: 8, placeholder: "Ana\nBo\nCy" });
  const format = element("select", "", ...FORMATS.map((key) => Object.assign(element("option", "", words.formats[key]), { value: key })));
  const means = element("p", "where", words.format_means[format.value]);
  format.addEventListener("change", () => means.replaceChildren(words.format_means[format.value]));
  const seats = element("select", "", ...[2, 3, 4, 5, 6].map((n) => Object.assign(element("option", "", say(words.in_a_game, { count: n })), { value: n })));
  const seeded = Object.assign(element("input", ""), { type: "checkbox" });
  const typed = () => people.value.split("\n").map((one) => one.trim()).filter(Boolean);
  const { made: ahead, chosen } = headStarts(typed);
  const labelled = (label, field) => element("label", "", label, field);
  return element("form", "opening", element("h2", "", words.new_tournament), labelled(words.its_name, name), labelled(words.takes_part, people), labelled(words.format, format), means, labelled(words.how_many, seats), element("label", "tick", seeded, ` ${words.by_ratings}`), ahead, button(words.begin, async () => {
    const entrants = typed();
    const made = await post("/tournaments", { name: name.value, is_seeded_by_rating: seeded.checked, head_starts: chosen(), plan: { deed: "opened", format: format.value, entrants, seats: Number(seats.value) } });
    if (made) location.href = `/tournaments/${made.tournament}`;
  }));
}

// Who begins further on, of those who are typed when it is unfolded.
function headStarts(typed) {
  const boxes = new Map();
  const list = element("ul", "starts");
  const made = element("details", "", element("summary", "", words.head_starts), element("p", "where", words.head_starts_why), list);
  made.addEventListener("toggle", () => list.replaceChildren(...typed().map((name) => element("li", "", name, startOf(name, boxes.get(name), (box) => boxes.set(name, box))))));
  return { made, chosen: () => Object.fromEntries(typed().filter((name) => boxes.get(name) > 1).map((name) => [name, boxes.get(name)])) };
}

// What people take along, to count with it elsewhere.
function tables() {
  const table = (key) => Object.assign(element("a", "", words.tables[key]), { href: `/export/${key}.csv` });
  return element("p", "tables", `${words.take_along} `, ...Object.keys(words.tables).flatMap((key, at) => [at ? " · " : "", table(key)]));
}

async function list() {
  const told = await (await fetch("/tournaments.json")).json();
  const links = told.map((one) => Object.assign(element("a", "", one.name), { href: `/tournaments/${one.tournament}` }));
  heard.textContent = told.length ? "" : words.no_tournament;
  const { is_organiser: isOrganiser } = await (await fetch("/organiser.json")).json();
  const rated = await (await fetch("/ratings.json")).json();
  const ratings = folded(words.ratings, rated.length <= FEW || WIDE.matches, element("ol", "ranking", ...rated.map(({ name, level, games, won }) =>
    element("li", "", say(words.rated, { player: name, level: level.toFixed(1), won, games }), isOrganiser ? forgetting(name, list) : null))));
  title.textContent = words.tournaments;
  place.replaceChildren(element("ul", "links", ...links.map((link) => element("li", "", link))), isOrganiser ? opening() : door(list), rated.length ? ratings : "", tables(), isOrganiser ? await hooks() : "");
}

if (number) {
  await draw();
  let isDue = false;
  follow(() => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      draw();
    }, REST_MS);
  });
} else await list();
