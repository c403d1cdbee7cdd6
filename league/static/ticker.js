// What was called last, on whichever board: the newest first.

import { element } from "./dom.js";
import { words } from "./words.js";

const KEPT = 12;
const calls = new Map(); // by board and time; a call that was set right since stands as it stands now

export function tell(place, boards) {
  for (const { board, name, last } of boards) if (last) calls.set(`${board} ${last.at}`, { name, ...last });
  const newest = [...calls].sort(([, one], [, other]) => other.at - one.at);
  for (const [key] of newest.splice(KEPT)) calls.delete(key);
  place.hidden = !newest.length;
  place.replaceChildren(...newest.map(([, { name, text }]) => element("li", "", element("strong", "", name), ` ${text[words.language]}`)));
}
