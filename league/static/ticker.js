// What was called last, on whichever board: the newest first, as it stands now.

import { element } from "./dom.js";
import { words } from "./words.js";

export function tell(place, calls) {
  place.hidden = !calls.length;
  place.replaceChildren(...calls.map(({ name, text }) => element("li", "", element("strong", "", name), ` ${text[words.language]}`)));
}
