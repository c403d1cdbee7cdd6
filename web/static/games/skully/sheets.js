// What opens on a tap at a cap or at a box.

import { button, html } from "../../dom.js";
import { careerSheet } from "../../people.js";
import { avatar } from "../../scoreboard.js";
import { exhibits, facts, magnified, openSheet } from "../../sheets.js";
import { band } from "../../verdict.js";
import { appealsLeft } from "../../voices.js";
import { millimetres, name, names, say, words } from "../../words.js";
import { PATH, parts, targetRegions } from "./targets.js";
import { boxName, place, target } from "./words.js";

export function capSheet(sheet, story, player) {
  const one = ((story.state && story.state.players) || []).find((other) => other.name === player);
  const call = (story.calls || {})[player];
  const texts = words.sheets;
  const title = html("span", { class: "named" }, avatar(story, player, 48), name(player));
  const gap = call ? `${millimetres(call.gap)} mm (${say(words.call.doubt, { band: millimetres(band(call), false) })})` : "";
  const across = button(words.people.history, () => careerSheet(sheet, story, player), "wide");
  const known = one
    ? facts([
        [texts.goes_for, ["eliminated", "left", "winner"].includes(one.status) ? texts.status[one.status] : target(one.going_for)],
        [texts.made, one.made ? target(one.made) : texts.nothing_made],
        [texts.lies, `${place(one.at)}${one.status === "stuck" ? `, ${texts.status.stuck}` : ""}`],
        [texts.gap, gap],
        [texts.skip, one.skip ? String(one.skip) : ""],
        [words.appeals.still, (story.appeals || {}).each ? String(appealsLeft(story, player)) : ""],
      ])
    : facts([[texts.gap, gap]]);
  openSheet(sheet, title, known, one ? path(one) : null, across, exhibits(magnified(story, call, player)));
}

// The way through the boxes: what is made, what is next, what is left.
function path(player) {
  const next = PATH.indexOf(player.going_for);
  const steps = PATH.map((code, i) => {
    const state = i < next ? "done" : i === next ? "next" : "";
    const short = { "13k": "13★", killer: words.targets.killer }[code] || words.spoken_words[code] || parts(code).box;
    return html("li", { class: state, "aria-current": i === next ? "step" : null }, short);
  });
  return [html("h3", {}, words.sheets.path), html("ol", { class: "path" }, steps)];
}

export function boxSheet(sheet, story, region) {
  const players = (story.state && story.state.players) || [];
  const inIt = players.filter((one) => one.at === region).map((one) => one.name);
  const forIt = players.filter((one) => targetRegions(one, story.game).includes(region)).map((one) => one.name);
  const list = (found) => (found.length ? names(found) : words.sheets.nobody);
  openSheet(sheet, boxName(region), facts([[words.sheets.in_it, list(inIt)], [words.sheets.for_it, list(forIt)]]));
}
