// One short line for a ruling of Skully.

import { name, names, say, words } from "../../words.js";
import { parts } from "./targets.js";
import { place, spot, target } from "./words.js";

export function line(ruling) {
  const template = words.lines[lineKey(ruling)];
  if (!template) return "";
  return say(template, {
    ...ruling,
    player: name(ruling.player),
    victim: name(ruling.victim),
    players: names(ruling.players || []),
    box: ["placed", "box_awarded"].includes(ruling.code) ? spot(parts(ruling.box).box) : target(ruling.box),
    going_for: target(ruling.going_for),
    from: place(ruling.from).replace(say(words.places.in, { box: "" }), ""),
    at: spot(ruling.at),
    word: words.spoken_words[ruling.word] || ruling.word,
    kind: words.kinds[ruling.kind],
  });
}

function lineKey(ruling) {
  if (["box_made", "box_awarded", "word_made"].includes(ruling.code) && ruling.going_for) return `${ruling.code}_next`;
  if (ruling.code === "box_made") return `box_made_${ruling.by}`;
  if (ruling.code === "shoot_again" && ruling.going_for === "killer") return "shoot_again_killer";
  return ruling.code;
}
