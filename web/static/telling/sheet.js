// The sheet on which people say an event: its fields, what it would change, and the buttons by which it counts.

import { changeTold } from "../change.js";
import { button, html, redraw } from "../dom.js";
import { pageIn } from "../games.js";
import { giveAndClose } from "../giving.js";
import { me } from "../me.js";
import { preview } from "../orders.js";
import { openSheet } from "../sheets.js";
import { name, words } from "../words.js";
import { control } from "./fields.js";
import { asked, isContacts, isPlace, isPlaces, isWhole } from "./forms.js";
import { groundOf, spotsOf } from "./ground.js";

const SOON_MS = 120; // several taps in a row are asked about once

// `as` makes the order of an event: as something of now, as a reading of an entry, or as one that was missed before it;
// `state` is how things stood then, `calls` where caps lay; without a `title` the form has its own.
export function tellSheet(sheet, story, { title, form, event, as, state, calls = {} }) {
  const page = pageIn(story);
  const people = page.people(state);
  const draft = { ...event };
  const moved = new Map(); // cap -> where it was dragged to
  const places = form.fields.find(isPlaces);
  const contacts = form.fields.find(isContacts);
  const place = form.fields.find(isPlace);
  const hasGround = Boolean((places || place) && story.set_up && story.set_up.board && story.set_up.board.regions.length && page.marks);
  const local = { chosen: draft.player, half: null };
  const result = html("div", { class: "result", role: "status" });
  let asking = 0;

  const about = () => ({
    people: form.fields.length && form.fields[0].kind === "player" ? people : page.people(state),
    newcomers: newcomers(story, state),
    deck: page.deck ? page.deck(story.game.options || {}) : [],
    face: page.face,
    page,
    hasGround,
    half: local.half,
    halve: (player, then = draw) => {
      local.half = player;
      then();
    },
    most: page.most(state),
    likely: likelyOf(draft.player),
    likelyOf,
    standing: (player) => (state.players || []).find((one) => one.name === player),
  });

  const likelyOf = (player) => page.likely(story, state, player);

  function set(field, value) {
    if (field.kind === "player" && field.name === "player" && draft.player) renamed(draft.player, value);
    if (value === undefined) delete draft[field.name];
    else draft[field.name] = value;
    local.chosen = draft.player;
    draw();
  }

  // Who says that another did it means the same caps, with these two exchanged.
  function renamed(old, now) {
    const other = (one) => (one === old ? now : one === now ? old : one);
    if (contacts && draft[contacts.name]) draft[contacts.name] = draft[contacts.name].map((pair) => pair.map(other));
    if (places && draft[places.name]) draft[places.name] = Object.fromEntries(Object.entries(draft[places.name]).map(([cap, at]) => [other(cap), at]));
  }

  function rest(cap, at, spot) {
    if (spot) moved.set(cap, spot);
    if (places) draft[places.name] = { ...(draft[places.name] || {}), [cap]: at };
    else draft[place.name] = at;
    draw();
  }

  function hit(hitter, victim) {
    if (contacts) draft[contacts.name] = [...(draft[contacts.name] || []), [hitter, victim]];
    local.chosen = victim;
    draw();
  }

  function ground() {
    const lies = places ? draft[places.name] || {} : { [draft.player]: draft[place.name] };
    return groundOf(story, { spots: spotsOf(story, people, calls, state, moved), places: lies, chosen: local.chosen, page }, {
      onRest: rest,
      onHit: contacts ? hit : (_, victim) => choose(victim),
      onChosen: choose,
    });
  }

  function choose(cap) {
    local.chosen = cap;
    draw();
  }

  function draw() {
    const isOnGround = (field) => hasGround && field === places;
    const fields = asked(form, draft).filter((field) => !isOnGround(field));
    const part = (field) => html("div", { class: "field", "data-field": field.name }, html("h3", {}, field.label), control(field, draft[field.name], (value) => set(field, value), about()));
    const needed = fields.filter((field) => !field.is_optional || form.fields.every((one) => one.is_optional));
    const others = fields.filter((field) => !needed.includes(field));
    openSheet(sheet, title || form.label || form.event, hasGround ? [html("p", { class: "quiet" }, contacts ? words.right.how : words.right.how_place), ground(), places ? restOf() : null] : null,
      needed.map(part), others.length ? html("details", { open: others.some(({ name }) => draft[name] !== undefined) }, html("summary", {}, words.right.more), others.map(part)) : null, result);
    ask();
  }

  // The place of the cap that was tapped last: likely ones to tap beside the board.
  function restOf() {
    const cap = local.chosen;
    if (!cap) return html("p", { class: "quiet" }, words.right.tap_cap);
    return html("div", { class: "field", "data-field": places.name }, html("h3", {}, name(cap)), control({ ...places.of[0], label: places.label }, (draft[places.name] || {})[cap], (at) => rest(cap, at), { ...about(), likely: likelyOf(cap) }));
  }

  // What it would change is said as soon as everything is; then it may count.
  function ask() {
    asking += 1;
    const number = asking;
    if (!isWhole(form, draft)) {
      redraw(result, html("p", { class: "quiet" }, words.right.not_yet));
      return;
    }
    setTimeout(async () => {
      if (number !== asking) return;
      const would = await preview(as(draft));
      if (number === asking) confirm(result, story, would, { send: as(draft), sheet });
    }, SOON_MS);
  }

  draw();
}

// What an order would change, and the buttons by which it counts: told again from there, or with what came since kept.
export function confirm(place, story, would, { send, sheet, back = null }) {
  const note = html("p", { class: "note", role: "status" });
  const give = (what) => giveAndClose(sheet, note, what);
  const has = would && !would.refused;
  const isLate = has && would.entries > 0;
  const keep = isLate && would.keep ? button(words.right.keep, () => keepIt(place, story, would.keep, give, note), "keep") : null;
  const buttons = [
    would && would.refused ? null : button(isLate ? words.right.again : words.settle.do_it, () => give(send), "first"),
    keep,
    back ? button(words.settle.no, back) : null,
  ];
  redraw(place, would ? changeTold(story, would) : null, note, html("div", { class: "answers" }, buttons.filter(Boolean)));
}

// What came since stays: then only these standings are set right.
function keepIt(place, story, keep, give, note) {
  const would = { ...keep, entries: 0, out_of_turn: 0, in_turn: 0, refused: null };
  redraw(place, changeTold(story, would), note, html("div", { class: "answers" },
    html("button", { type: "button", class: "first", onclick: () => give({ order: "event", event: keep.event }) }, words.right.keep_it)));
}

// Who may join: those who have left, and those whose caps lie here though they don't play.
function newcomers(story, state) {
  const left = (state.players || []).filter(({ status }) => status === "left").map((one) => one.name);
  const names = (state.players || []).map((one) => one.name);
  const caps = ((story.set_up && story.set_up.caps) || []).map(({ player }) => player).filter((player) => !names.includes(player));
  return [...left, ...caps];
}

// Who is meant unless somebody else is tapped: this phone's own player, else whoever's turn it is.
export function meant(story, state) {
  const due = pageIn(story).turnOf(state);
  return me.seats.find((seat) => due.includes(seat)) || due[0] || me.seats[0];
}
