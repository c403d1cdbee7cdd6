// The page's words, which lie in it in the phone's language; a tap turns to the next one that the hub knows, for a year.

export const words = JSON.parse(document.getElementById("words").textContent);

export const say = (template, values = {}) => template.replace(/\{(\w+)\}/g, (_, key) => String(values[key]));

// Players by name, and behind it from which box whoever is ahead begins.
export const begun = (players, starts = {}) => players.map((player) => player in starts ? say(words.from_box, { player, box: starts[player] }) : player);

export const names = (players) => new Intl.ListFormat(words.language, { type: "conjunction" }).format(players);

const turn = document.getElementById("language");
const { choice, next } = document.documentElement.dataset;
turn.lang = next;
turn.addEventListener("click", () => {
  document.cookie = `${choice}=${next}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
});
