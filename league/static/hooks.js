// The organiser's list of webhooks: who is told of each result, what waits for them, and why.

import { post } from "./asking.js";
import { button, element } from "./dom.js";
import { say, words } from "./words.js";

export async function hooks() {
  const list = element("ul", "hooks");
  const secret = element("p", "secret");
  const draw = async () => list.replaceChildren(...(await (await fetch("/webhooks")).json()).map((one) => hook(one, draw)));
  await draw();
  return element("details", "round", element("summary", "", element("h2", "", words.hooks)), list, adding(secret, draw), secret);
}

function hook({ hook: number, url, waiting, fault }, draw) {
  const state = waiting ? say(words.hook_waits, { count: waiting, why: fault || "" }) : words.hook_told;
  return element("li", "", element("span", "url", url), element("span", "where", ` ${state} `), button(words.hook_end, async () => {
    if (await post(`/webhooks/${number}/end`, {})) await draw();
  }));
}

// The secret by which an address knows that the hub has told it is shown this once.
function adding(secret, draw) {
  const url = Object.assign(element("input", ""), { type: "url", ariaLabel: words.hook_url, placeholder: "https://" });
  return element("form", "door", url, button(words.hook_add, async () => {
    const made = await post("/webhooks", { url: url.value });
    if (!made) return;
    secret.textContent = say(words.hook_secret, made);
    url.value = "";
    await draw();
  }));
}
