// How things stand on all boards: one card a board, redrawn whenever the hub has news.

import { button, element } from "./dom.js";

const heard = document.getElementById("heard");
const boards = document.getElementById("boards");
const called = document.getElementById("called");

let shown = "";
const GAMES = { skully: "Skully", skull: "Skull", skull_king: "Skull King", skipbo: "Skip-Bo" };

function stateOf(board) {
  if (!board.is_heard) return "out of reach: what it last told";
  if (!board.game) return "no game yet";
  if (board.winners.length) return `${board.winners.join(" and ")} won`;
  return board.turn ? `${board.turn} plays` : "under way";
}

function player(name, board) {
  const isOn = board.turn === name && !board.winners.length;
  const made = element("li", board.winners.includes(name) ? "winner" : isOn ? "turn" : "", name);
  if (isOn) made.setAttribute("aria-current", "true");
  return made;
}

const { is_organiser: isOrganiser } = await (await fetch("/organiser.json")).json();

function takeOut({ board, name }) {
  return button("Take out of the league", () => {
    if (confirm(`Take ${name} out of the league? What was played there stays; it joins again with the code.`)) fetch(`/boards/${board}/leave`, { method: "POST" });
  });
}

function card(board) {
  const title = element("h2", "", board.name);
  const where = element("p", "where", [board.place, GAMES[board.game] || board.game].filter(Boolean).join(" · "));
  const people = element("ul", "players", ...board.players.map((name) => player(name, board)));
  const asked = board.asked ? element("p", "asked", "People are asked about a call") : null;
  const made = element("article", board.is_heard ? "" : "silent", title, where, element("p", "state", stateOf(board)), people, board.last && element("p", "last", board.last), asked, isOrganiser ? takeOut(board) : null);
  made.dataset.board = board.board;
  made.dataset.row = board.row;
  return made;
}

// Which match goes where: what people look for on the big screen. Once its players play, their board shows them.
function call({ players, title, match }, board) {
  return element("li", "", element("strong", "", players.join(" – ")), element("span", "goes-to", `→ ${board.name}`), element("span", "where", [board.place, title, match].filter(Boolean).join(" · ")));
}

function draw({ boards: told, calls }) {
  const on = told.filter((board) => board.is_heard).length;
  heard.textContent = told.length ? `${told.length} ${told.length === 1 ? "board" : "boards"}, ${on} in reach` : "No board has joined yet.";
  const text = JSON.stringify(told);
  if (text !== shown) boards.replaceChildren(...told.map(card));
  shown = text;
  const awaited = calls.map((one) => [one, told.find((board) => board.board === one.board)]).filter(([, board]) => board);
  called.hidden = !awaited.length;
  called.replaceChildren(...awaited.map(([one, board]) => call(one, board)));
}

const feed = new EventSource("/feed");
feed.onmessage = ({ data }) => draw(JSON.parse(data));
feed.onerror = () => {
  heard.textContent = "The hub does not answer; trying again …";
};
