// What this phone asks of the hub; what the hub refuses is said at the head of the page.

import { words } from "./words.js";

const heard = document.getElementById("heard");

export const refused = ({ code, message }) => words.refused[code] || message;

export async function post(path, body) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  const told = await answer.json();
  heard.textContent = answer.ok ? "" : refused(told);
  return answer.ok ? told : null;
}
