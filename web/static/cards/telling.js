// What was done with cards, as it is read out; what is counted of a card game; what the table has seen of a player.

import { html } from "../dom.js";
import { ranked } from "../ranking.js";
import { facts, openSheet } from "../sheets.js";
import { disc } from "../strip.js";
import { name, names, say, words } from "../words.js";

const SECRET = ["bid", "change_bid", "load"]; // of which others hear only that it was said

// What a player did with cards, which the table shows and no ruling says.
export function eventOf(face) {
  return (event) => {
    const of = (code) => (code ? face(code).label : words.cards.face_down);
    const as = event.as ? `, ${words.cards[event.as]}` : "";
    const card = event.card === undefined ? "" : of(event.card) + as;
    const n = event.number ?? event.bid ?? event.cards ?? event.pile;
    const template = words.voice.events[SECRET.includes(event.event) && n === undefined ? `${event.event}_secret` : event.event];
    return say(template, { ...event, player: name(event.player), owner: name(event.owner), card, n: n ?? "" });
  };
}

// Who has how many points.
export function standings(told) {
  return html("table", {}, ranked(told.state, () => 0).map(({ players, score }) => html("tr", {}, html("th", { scope: "row" }, names(players)), html("td", {}, String(score ?? "")))));
}

// A card player: what the table has seen of him.
export function playerSheet(sheet, story, player) {
  const one = story.state.players.find((other) => other.name === player);
  const texts = words.cards;
  const side = (story.state.sides || []).find((other) => other.players.includes(player));
  const known = [
    [texts.hand, String(one.hand)],
    [texts.bid, one.bid === undefined || one.bid === null ? "" : String(one.bid)],
    [texts.tricks, one.tricks === undefined ? "" : String(one.tricks)],
    [texts.score, one.score !== undefined ? String(one.score) : side ? String(side.score) : one.points !== undefined ? String(one.points) : ""],
    [texts.rounds, one.rounds && one.rounds.length ? one.rounds.join(" · ") : ""],
    [texts.skull, one.skull ? texts.skulls[one.skull] : ""],
    [texts.partner, side && side.players.length > 1 ? names(side.players.filter((other) => other !== player)) : ""],
    [texts.void, one.void && one.void.length ? one.void.map((flag) => texts.flags[flag]).join(", ") : ""],
  ];
  openSheet(sheet, html("span", { class: "named" }, disc(story, player, 36), name(player)), facts(known));
}
