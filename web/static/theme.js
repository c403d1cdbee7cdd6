// Dark like chalk on asphalt, or black on white for the sun: as the phone prefers, until somebody says otherwise.

import { html, sign } from "./dom.js";
import { recalled, remember } from "./memory.js";
import { words } from "./words.js";

const KEY = "linesies-theme";
const SKY = { dark: "#1f2426", sun: "#ffffff" };
const prefers = window.matchMedia("(prefers-color-scheme: light)");

export function themeButton() {
  const button = html("button", { type: "button", id: "theme" });
  let chosen = recalled(KEY);
  const show = () => {
    const theme = chosen || (prefers.matches ? "sun" : "dark");
    document.documentElement.dataset.theme = theme;
    document.querySelector("meta[name=theme-color]").content = SKY[theme];
    button.replaceChildren(sign(theme === "sun" ? "moon" : "sun"));
    button.setAttribute("aria-label", theme === "sun" ? words.page.to_dark : words.page.to_sun);
  };
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "sun" ? "dark" : "sun";
    remember(KEY, chosen);
    show();
  });
  prefers.addEventListener("change", show);
  show();
  return button;
}
