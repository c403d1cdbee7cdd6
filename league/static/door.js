// Where whoever runs the evening types the organiser's code, to arrange it from this phone.

import { post } from "./asking.js";
import { button, element } from "./dom.js";
import { words } from "./words.js";

export function door(after) {
  const code = element("input", "");
  Object.assign(code, { inputMode: "numeric", autocomplete: "one-time-code", ariaLabel: words.code, placeholder: words.code });
  return element("form", "door", code, button(words.am_organiser, async () => {
    if (await post("/organiser", { code: code.value })) await after();
  }));
}
