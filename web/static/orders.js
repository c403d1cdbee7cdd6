// Orders to the referee. `canOrder` says whether this page may give any.

import { say, words } from "./words.js";

const token = document.querySelector("meta[name=linesies-token]").content;
export const canOrder = document.documentElement.dataset.mayOrder === "yes";

// Returns null when it was taken, else a sentence why not.
export async function order(what) {
  try {
    const answer = await fetch("/orders", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Linesies-Token": token },
      body: JSON.stringify(what),
    });
    if (answer.ok) return null;
    const { message } = await answer.json();
    return say(words.settle.failed, { why: message });
  } catch {
    return say(words.settle.failed, { why: words.settle.offline });
  }
}
