// What the referee says in words that stay so for as long as it is the same program: kept by the phone for a day, under
// the name of this very script, which is another with another program.

import { words } from "./words.js";

const EDITION = import.meta.url.split("/").pop();

// Fetches what stands at an address, in this phone's language; null where nothing does.
export async function fetchKept(address) {
  const answer = await fetch(`${address}?lang=${words.language}&of=${EDITION}`).catch(() => null);
  return answer && answer.ok ? answer.json() : null;
}
