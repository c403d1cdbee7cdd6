// The story of an entry line by line: one short line a ruling, with what it adds.

import { pageOf } from "./games.js";
import { capital, words } from "./words.js";

// [{text, plus, rule, ruling}], in the order in which they add up.
export function lines(entry, game) {
  const page = pageOf(game);
  return page.toldOf(entry.rulings || []).map((ruling) => ({ text: capital(page.line(ruling) || ruling.text || ruling.code), plus: page.plus(ruling), rule: ruling.rule, heading: words.headings[ruling.rule] || ruling.rule, ruling }));
}
