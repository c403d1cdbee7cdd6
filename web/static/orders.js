// What this phone sends: orders to the referee, and whatever else the page's own doors take.

import { say, words } from "./words.js";

const OWN_REFUSAL_MS = 5000;

const sign = document.querySelector("meta[name=linesies-token]").content;

// Returns {ok, told}: the answer, or {message} that says why not.
export const send = (path, body) => post(path, "application/json", JSON.stringify(body));

// Likewise, of a photograph.
export const sendPicture = (path, jpeg) => post(path, "image/jpeg", jpeg);

async function post(path, type, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": type, "X-Linesies-Token": sign, "Accept-Language": words.language },
      body,
    });
    return { ok: answer.ok, told: await answer.json() };
  } catch {
    return { ok: false, told: { message: words.settle.offline } };
  }
}

// What an order would change, null where nobody can say.
export async function preview(what) {
  const { ok, told } = await send("/preview", what);
  return ok ? told : null;
}

const last = { at: -Infinity, what: null };

// What this phone has ordered a moment ago, so that a refusal is most likely of that; else null.
export const lastOrder = () => (Date.now() - last.at < OWN_REFUSAL_MS ? last.what : null);

// Returns null when it was taken, else a sentence why not.
export async function order(what) {
  Object.assign(last, { at: Date.now(), what });
  const { ok, told } = await send("/orders", what);
  return ok ? null : say(words.settle.failed, { why: told.message });
}
