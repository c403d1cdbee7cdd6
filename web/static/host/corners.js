// The board's four corners, dragged on the live picture under a loupe; without them the referee seeks the board itself.

import { html, redraw, svg } from "../dom.js";
import { mats } from "../games.js";
import { allow } from "../giving.js";
import { openSheet } from "../sheets.js";
import { say, words } from "../words.js";
import { makeLoupe, makeStage, showPicture } from "./loupe.js";
import { countUp, giveSetUp } from "./waiting.js";

const LEAST_SHARE = 0.06; // of the longest side: corners nearer to one another, or to the line of two others, are a slip
const REACH = 16; // of the longest side: 44 px across on a phone 360 px wide
const STEP_PX = 1; // of the camera's picture, a press of an arrow key
const START = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];

const KINDS = { street: 183, table: 60, mat: null }; // sides of the whole board, cm; a mat is as it was printed

export function boardSheet(sheet, story, done) {
  const [firstMat] = mats().map(([game]) => game);
  const board = { kind: "street", side: KINDS.street, is_five_at_top: false, game: firstMat, seats: 4, isAnother: false };
  const isNew = !(story.set_up && story.set_up.board);
  const note = html("p", { class: "note steady", role: "status" }, words.host.no_picture);
  const stage = makeStage();
  const learn = html("button", { type: "button", class: "first", disabled: true }, words.host.learn);
  const seek = html("button", { type: "button" }, words.host.seek);
  const answers = html("div", { class: "answers" }, learn, seek);
  const send = async (corners) => {
    const wrong = corners && wrongWith(corners);
    if (wrong) {
      note.textContent = words.host.corners_wrong[wrong];
      return;
    }
    const stop = countUp(note, corners ? words.host.learning : words.host.seeking);
    const which = isNew || board.isAnother ? told(board) : {};
    const { next, fault } = await giveSetUp(answers, story, "board", { order: "calibrate", corners, ...which });
    stop();
    if (fault) note.textContent = fault;
    else if (next) done(next);
  };
  seek.addEventListener("click", () => send(null));
  openSheet(sheet, words.host.board, note, isNew ? boards(board) : another(board), stage, answers);
  showPicture(stage, (image) => {
    note.textContent = words.host.drag;
    allow(learn, true);
    const handles = overlay(stage, image);
    learn.addEventListener("click", () => send(handles()));
  });
}

// Which board or mat it is, as an order says it.
const told = ({ kind, side, is_five_at_top: isFiveAtTop, game, seats }) =>
  kind === "mat" ? { mat: { game, seats } } : { board: { kind, side: side * 10, is_five_at_top: isFiveAtTop } };

// Where a board is known already, another may lie there now.
function another(board) {
  const more = html("details", { ontoggle: () => (board.isAnother = more.open) }, html("summary", {}, words.host.another_board), boards(board));
  return more;
}

// What is wrong with four corners that should go round the board clockwise: "equal", "anticlockwise", "crossed", or null.
export function wrongWith(corners) {
  const sides = corners.map(([x, y], i) => [corners[(i + 1) % 4][0] - x, corners[(i + 1) % 4][1] - y]);
  const lengths = sides.map(([x, y]) => Math.hypot(x, y));
  const least = LEAST_SHARE * Math.max(...lengths);
  if (!(Math.min(...lengths) > least)) return "equal";
  const turns = sides.map(([x, y], i) => (x * sides[(i + 1) % 4][1] - y * sides[(i + 1) % 4][0]) / lengths[i]);
  if (turns.every((turn) => turn < -least)) return "anticlockwise";
  return turns.every((turn) => turn > least) ? null : "crossed";
}

// Which board it is, and how long its outer side is.
function boards(board) {
  const pick = (change) => {
    Object.assign(board, change);
    redraw(part, parts());
  };
  const kind = (name) => html("button", { type: "button", class: board.kind === name ? "on" : "", "aria-pressed": String(board.kind === name), onclick: () => pick({ kind: name, side: KINDS[name] }) }, words.host.boards[name]);
  const turn = (change, label, text) => html("button", { type: "button", "aria-label": label, onclick: () => pick(change) }, text);
  const count = (label, shown, less, more) => html("div", { class: "segments", role: "group", "aria-label": label }, html("small", {}, label),
    turn(less, words.host.fewer, "−"), html("output", {}, shown), turn(more, words.host.more, "+"));
  const sided = (side) => ({ side: Math.min(600, Math.max(20, side)) });
  const most = new Map(mats());
  const seated = (seats) => ({ seats: Math.min(most.get(board.game), Math.max(2, seats)) });
  const game = (name) => html("button", { type: "button", class: board.game === name ? "on" : "", "aria-pressed": String(board.game === name), onclick: () => pick({ game: name, seats: Math.min(most.get(name), board.seats) }) }, words.past.games[name]);
  const five = () => html("button", { type: "button", class: board.is_five_at_top ? "on" : "", "aria-pressed": String(board.is_five_at_top), onclick: () => pick({ is_five_at_top: !board.is_five_at_top }) }, words.host.five_at_top);
  const parts = () => [
    html("div", { class: "segments", role: "group", "aria-label": words.host.board_kind }, Object.keys(KINDS).map(kind)),
    ...(board.kind === "mat"
      ? [html("div", { class: "segments", role: "group", "aria-label": words.host.mat_game }, [...most.keys()].map(game)),
        count(words.host.mat_seats, String(board.seats), seated(board.seats - 1), seated(board.seats + 1))]
      : [html("div", { class: "segments" }, five()), count(words.host.board_side, `${board.side} cm`, sided(board.side - 1), sided(board.side + 1))]),
  ];
  const part = html("div", { class: "boards" }, parts());
  return part;
}

// Four handles over the picture; returns what reads them, in pixels of the camera's picture.
function overlay(stage, image) {
  const size = [image.naturalWidth, image.naturalHeight];
  const spots = START.map(([x, y]) => [x * size[0], y * size[1]]);
  const outline = svg("polygon", { class: "outline" });
  const dots = spots.map((_, i) => handle(i));
  const picture = svg("svg", { viewBox: `0 0 ${size[0]} ${size[1]}` }, outline, dots);
  stage.append(picture);
  const loupe = makeLoupe(stage, image);

  const draw = () => {
    outline.setAttribute("points", spots.map((spot) => spot.join(",")).join(" "));
    dots.forEach((dot, i) => dot.setAttribute("transform", `translate(${spots[i][0]} ${spots[i][1]})`));
  };

  const place = (i, spot) => {
    spots[i] = spot.map((value, axis) => Math.min(size[axis], Math.max(0, value)));
    draw();
    loupe.show(spots[i]);
  };

  dots.forEach((dot, i) => {
    dot.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      dot.setPointerCapture(event.pointerId);
      loupe.show(spots[i]);
    });
    dot.addEventListener("pointermove", (event) => {
      if (!dot.hasPointerCapture(event.pointerId)) return;
      place(i, loupe.spotOf(event));
    });
    dot.addEventListener("pointerup", () => {
      loupe.hide();
    });
    dot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      place(i, spots[i].map((value, axis) => value + step[axis] * STEP_PX * (event.shiftKey ? 10 : 1)));
    });
  });
  draw();
  return () => spots.map((spot) => spot.map((value) => Math.round(value * 10) / 10));

  function handle(i) {
    const radius = Math.max(...size) / 26;
    const reach = Math.max(...size) / REACH; // for thumbs
    return svg("g", { class: "handle", tabindex: "0", role: "button", "aria-label": say(words.host.corner, { n: i + 1 }) },
      svg("circle", { r: reach, class: "reach" }), svg("circle", { r: radius, class: "grip" }), svg("circle", { r: radius / 8, class: "point" }),
      svg("text", { y: -radius * 1.15, "font-size": radius }, String(i + 1)));
  }
}
