// Crokinole on the page: the board from above, every disc where it lies, and what each player counts.

const COLOURS = ["#1f5fae", "#e8c21e"];

function made(name, keys, ...inner) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(keys)) element.setAttribute(key, value);
  element.append(...inner);
  return element;
}

function show(place, { state, set_up: setUp, entries }) {
  const last = [...entries].reverse().find((entry) => entry.event && entry.event.xy && !entry.refused);
  const lines = setUp.lines.map(({ outline }) => made("polygon", { points: outline.join(" "), fill: "currentColor" }));
  const discs = state.players.flatMap(({ name }, i) => ((last && last.event.xy[name]) || []).map(([cx, cy]) => made("circle", { cx, cy, r: 16, fill: COLOURS[i], "data-player": name })));
  const scores = state.players.map(({ name, score, points }, i) => made("text", { x: 20 + 500 * i, y: 40, "font-size": 36, fill: "currentColor", class: "score", "data-player": name }, `${name} ${score} (${points})`));
  place.replaceChildren(made("svg", { viewBox: `0 0 ${setUp.board.size.join(" ")}`, role: "img", "aria-label": "Crokinole", class: "crokinole" }, ...lines, ...discs, ...scores));
}

export default { show };
