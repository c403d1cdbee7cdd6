// How things stand on all boards: one card a board, redrawn whenever the hub has news and no finger is on it.

import { button, element } from "./dom.js";
import { door } from "./door.js";
import { follow } from "./feed.js";
import { whenLifted } from "./finger.js";
import { tell } from "./ticker.js";
import { begun, names, say, words } from "./words.js";

const heard = document.getElementById("heard");
const boards = document.getElementById("boards");
const called = document.getElementById("called");
const ticker = document.getElementById("ticker");
const guide = document.getElementById("guide");

let shown = "";

function stateOf(board) {
  if (!board.is_heard) return words.out_of_reach_board;
  if (!board.game) return words.no_game;
  if (board.winners.length) return say(words.won, { players: names(board.winners) });
  return board.turn ? say(words.plays, { player: board.turn }) : words.under_way;
}

function player(name, board) {
  const isOn = board.turn === name && !board.winners.length;
  const made = element("li", board.winners.includes(name) ? "winner" : isOn ? "turn" : "", name);
  if (isOn) made.setAttribute("aria-current", "true");
  return made;
}

const { is_organiser: isOrganiser } = await (await fetch("/organiser.json")).json();

function takeOut({ board, name }) {
  return button(words.take_out, () => {
    if (confirm(say(words.sure_take_out, { name }))) fetch(`/boards/${board}/leave`, { method: "POST" });
  });
}

const link = (text, href) => Object.assign(element("a", "", text), { href });

// What whoever films the evening lays over the picture.
const overlay = ({ board }) => element("p", "", link(words.overlay, `/boards/${board}/overlay`));

function card(board) {
  const title = element("h2", "", link(board.name, `/boards/${board.board}/screen`));
  const where = element("p", "where", [board.place, board.title].filter(Boolean).join(" · "));
  const people = element("ul", "players", ...board.players.map((name) => player(name, board)));
  const asked = board.asked ? element("p", "asked", words.people_asked) : null;
  const made = element("article", board.is_heard ? "" : "silent", title, where, element("p", "state", stateOf(board)), people, board.last && element("p", "last", board.last.text[words.language]), asked, isOrganiser ? overlay(board) : null, isOrganiser ? takeOut(board) : null);
  made.dataset.board = board.board;
  made.dataset.row = board.row;
  return made;
}

// How a board joins, for the organiser; a code serves one board, and is another one after it.
async function joining(number) {
  const answer = await fetch("/joining.json").catch(() => null);
  if (!answer?.ok) return guide.replaceChildren();
  const { code } = await answer.json();
  const typed = `linesies join ${location.origin} ${code} --name "${say(words.a_board, { number })}"`;
  guide.replaceChildren(element("p", "", words.joins), element("p", "goes-to", `${code.slice(0, 3)} ${code.slice(3)}`), element("p", "where", words.joins_how), element("code", "", typed));
}

// Which match goes where: what people look for on the big screen. Once its players play, their board shows them.
function call({ players, title, match, head_starts: starts }, board) {
  return element("li", "", element("strong", "", begun(players, starts).join(" – ")), element("span", "goes-to", `→ ${board.name}`), element("span", "where", [board.place, title, match].filter(Boolean).join(" · ")));
}

function draw({ boards: told, newest, calls }) {
  const on = told.filter((board) => board.is_heard).length;
  heard.textContent = told.length ? say(told.length === 1 ? words.one_board : words.boards, { count: told.length, on }) : words.no_board;
  document.documentElement.style.setProperty("--boards", told.length);
  tell(ticker, newest);
  const text = JSON.stringify(told);
  if (text !== shown) boards.replaceChildren(...told.map(card));
  shown = text;
  if (isOrganiser) joining(told.length + 1);
  const awaited = calls.map((one) => [one, told.find((board) => board.board === one.board)]).filter(([, board]) => board);
  called.hidden = !awaited.length;
  called.replaceChildren(...awaited.map(([one, board]) => call(one, board)));
}

if (!isOrganiser) guide.replaceChildren(element("details", "", element("summary", "", words.who_runs), element("p", "where", words.who_runs_how), door(() => location.reload())));

follow((told) => whenLifted(() => draw(told)), () => {
  heard.textContent = words.no_answer;
});
