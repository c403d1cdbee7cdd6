// Whose cap is which: the camera finds them, people name them; one that it missed is tapped under a loupe.

import { colours, isLight } from "../board.js";
import { button, html, redraw, svg } from "../dom.js";
import { whenLifted } from "../finger.js";
import { allow } from "../giving.js";
import { openSheet } from "../sheets.js";
import { name, say, words } from "../words.js";
import { makeLoupe, makeStage, showPicture } from "./loupe.js";
import { giveSetUp } from "./waiting.js";

const MOST = 8;
const SIZES = { crown: 26, crown_upturned: 26, lid: 38, lid_open: 38, ring: 28, glide: 25 }; // usual diameters, mm
const STEP_MM = 0.5;
const STEP_PX = 4; // of the camera's picture, a press of an arrow key
const OTHER = "+";
const AGAIN_MS = 2000;
const LIKE = 60; // of 255, how far the colours of one cap in two pictures are apart at most

export function capsSheet(sheet, story, whenDone) {
  const note = html("p", { class: "note steady", role: "status" }, words.host.no_picture);
  const stage = makeStage("stays");
  const list = html("ol", { class: "kit" });
  const known = [...new Set([...((story.match || story.game || {}).players || []), ...colours(story).keys()])];
  const caps = []; // {xy, colour, player, kind, diameter}; no diameter: as it looks to the camera
  const done = html("button", { type: "button", class: "first", disabled: true, onclick: () => send() }, words.host.caps_done);
  const answers = html("div", { class: "answers" }, done, button(words.host.look_again, () => look()));
  let pins = () => {};
  let found = null; // what the camera found by itself, null while it doesn't say
  let insisted = null; // where somebody tapped although nothing was found there
  let offered = ""; // what was sent, with the sizes that the camera offered

  const draw = () => {
    pins(caps);
    redraw(list, caps.map((cap, i) => row(cap, i)));
    ready();
  };

  const ready = () => {
    const named = caps.map((cap) => cap.player).filter(Boolean);
    allow(done, caps.length > 0 && new Set(named).size === caps.length);
  };

  const free = () => known.find((player) => !caps.some((cap) => cap.player === player)) || "";

  const add = (cap) => caps.length < MOST && caps.push(cap);

  // A tap takes the cap found there; where nothing was found, only a second tap on the same spot says that one lies there.
  const tap = (picture, xy) => {
    const isTaken = (at) => caps.some((cap) => away(cap.xy, at) < picture.same);
    if (isTaken(xy)) return;
    const spot = (found || []).find((one) => away(one.xy, xy) < picture.reach && !isTaken(one.xy));
    const isSure = !found || spot || (insisted && away(insisted, xy) < picture.reach);
    insisted = isSure ? null : xy;
    note.textContent = isSure ? words.host.whose_caps : words.host.bare;
    if (!isSure) return;
    const middle = spot ? spot.xy : xy;
    add({ ...UNKNOWN, ...spot, xy: middle, colour: picture.colourAt(middle), player: free() });
    draw();
    if (!free() && !caps.at(-1).player) list.lastChild.querySelector("input").focus({ preventScroll: true });
  };

  function row(cap, i) {
    const set = (change) => {
      Object.assign(cap, change);
      draw();
    };
    const who = known.includes(cap.player) ? choice(words.host.whose, [...known.map((player) => [player, name(player)]), [OTHER, words.host.add]], cap.player, (player) => set({ player: player === OTHER ? "" : player })) : nameBox(cap);
    const kind = choice(words.host.kind, Object.entries(words.host.kinds), cap.kind, (next) => set({ kind: next, diameter: null }));
    const turn = (by) => () => set({ diameter: Math.min(60, Math.max(15, (cap.diameter || SIZES[cap.kind]) + by)) });
    const size = html("div", { class: "segments" }, html("button", { type: "button", "aria-label": words.host.fewer, onclick: turn(-STEP_MM) }, "−"),
      html("output", {}, cap.diameter ? `${cap.diameter} mm` : words.host.looks), html("button", { type: "button", "aria-label": words.host.more, onclick: turn(STEP_MM) }, "+"));
    const away = html("button", { type: "button", class: "close", "aria-label": say(words.host.cap_away, { n: i + 1 }), onclick: () => {
      caps.splice(i, 1);
      draw();
    } }, "✕");
    return html("li", {}, pin(cap, i + 1), who, kind, size, away);
  }

  // A name that is not known yet; the only thing here that needs a keyboard.
  function nameBox(cap) {
    const box = html("input", { class: "name", "aria-label": words.host.whose, placeholder: words.host.name, maxlength: "20", value: cap.player || null, autocomplete: "off", autocapitalize: "words" });
    box.addEventListener("input", () => {
      cap.player = box.value.trim();
      ready();
    });
    return box;
  }

  async function send() {
    const told = toldOf(caps);
    if (JSON.stringify(told) === offered) {
      whenDone(story);
      return;
    }
    note.textContent = words.settle.sent;
    const { next, fault } = await giveSetUp(answers, story, "caps", { order: "caps", caps: told }, () => {
      note.textContent = words.host.caps_sent;
    });
    if (fault) note.textContent = fault;
    else if (next) offer(next);
  }

  // The sizes as the camera sees them are shown before the game begins: a ruler knows them better.
  function offer(next) {
    const seen = new Map(next.set_up.caps.map((cap) => [cap.player, cap.diameter]));
    const isOffered = caps.some((cap) => !cap.diameter);
    for (const cap of caps) cap.diameter = cap.diameter || seen.get(cap.player);
    if (!isOffered) {
      whenDone(next);
      return;
    }
    story = next;
    offered = JSON.stringify(toldOf(caps));
    note.textContent = words.host.sizes_offered;
    done.textContent = words.host.sizes_right;
    draw();
  }

  // Looks at the street as it is now: each cap that the camera finds is a row that only needs a name, if it was not named
  // before. While it finds none, because people are still putting them down, it looks again.
  function look() {
    stage.replaceChildren();
    showPicture(stage, async (image) => {
      found = await foundCaps();
      const picture = overlay(stage, image, (xy) => whenLifted(() => tap(picture, xy)));
      pins = picture.pins;
      for (const cap of found || []) cap.colour = picture.colourAt(cap.xy);
      recognised(found || [], caps.splice(0), picture.reach).forEach(add);
      for (const cap of caps) cap.player = cap.player || free();
      note.textContent = !caps.length ? words.host.tap_caps : say(words.host.found_caps, { n: caps.length });
      draw();
      if (found && !caps.length) setTimeout(lookAgain, AGAIN_MS);
    });
  }

  function lookAgain() {
    if (stage.isConnected && !caps.length && !insisted) whenLifted(look);
  }

  openSheet(sheet, words.host.caps, note, stage, list, answers);
  look();
}

const UNKNOWN = { player: "", kind: "crown", diameter: null };

// A cap where one was named is that one; one that was moved is known by its colour; a named one that is not seen stays.
function recognised(seen, before, reach) {
  const named = before.filter((cap) => cap.player);
  const take = (isSame) => {
    const at = named.findIndex(isSame);
    return at < 0 ? null : named.splice(at, 1)[0];
  };
  const near = seen.map((cap) => take((one) => away(one.xy, cap.xy) < reach));
  const known = seen.map((cap, i) => near[i] || take((one) => colourGap(one.colour, cap.colour) < LIKE));
  return [...seen.map((cap, i) => ({ ...cap, ...known[i], xy: cap.xy, colour: cap.colour })), ...named];
}

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

const colourGap = (one, other) => Math.max(...channels(one).map((value, i) => Math.abs(value - channels(other)[i])));

const away = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

async function foundCaps() {
  const answer = await fetch("/caps");
  const { caps } = answer.ok ? await answer.json() : {};
  return caps ? caps.map(({ xy, kind }) => ({ ...UNKNOWN, xy, kind })) : null;
}

const toldOf = (caps) => caps.map(({ xy, player, kind, diameter }) => ({ xy, player, kind, diameter }));

function choice(label, options, value, tap) {
  const box = html("select", { "aria-label": label }, options.map(([key, text]) => html("option", { value: key, selected: key === value }, text)));
  box.addEventListener("change", () => tap(box.value));
  return box;
}

function pin(cap, number) {
  const ink = isLight(cap.colour) ? "#15191a" : "#ffffff";
  return svg("svg", { class: "token", viewBox: "-12 -12 24 24", width: 40, height: 40, role: "img", "aria-label": String(number) },
    svg("circle", { r: 11, fill: cap.colour, class: "disc" }), svg("text", { class: "initial", fill: ink, "font-size": 13, y: 1 }, String(number)));
}

// Takes taps, with the loupe while the finger is down; returns {pins, colourAt, reach, same}: what draws a pin for each
// cap, the picture's colour at a spot, and how far from a cap a tap still means it, where others may lie and where none can.
function overlay(stage, image, tap) {
  const size = [image.naturalWidth, image.naturalHeight];
  const radius = Math.max(...size) / 40;
  const reach = radius * 0.8; // a finger on a phone is no more exact
  const same = radius * 0.35; // so near, with the loupe, it is that very cap and none that touches it
  const marks = svg("g", {});
  const cross = svg("path", { class: "aim", d: `M${-radius} 0H${radius}M0 ${-radius}V${radius}` });
  const picture = svg("svg", { viewBox: `0 0 ${size.join(" ")}`, tabindex: "0", role: "button", "aria-label": words.host.tap_caps }, marks, cross);
  stage.append(picture);
  const loupe = makeLoupe(stage, image);
  const pixels = html("canvas", { width: size[0], height: size[1] }).getContext("2d", { willReadFrequently: true });
  pixels.drawImage(image, 0, 0);
  let spot = size.map((side) => side / 2);

  const aim = (next) => {
    spot = next;
    cross.setAttribute("transform", `translate(${spot.join(" ")})`);
    loupe.show(spot);
  };
  const take = () => {
    loupe.hide();
    tap(spot.map((value) => Math.round(value * 10) / 10));
  };

  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    aim(loupe.spotOf(event));
  });
  picture.addEventListener("pointermove", (event) => picture.hasPointerCapture(event.pointerId) && aim(loupe.spotOf(event)));
  picture.addEventListener("pointerup", take);
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step && event.key !== "Enter") return;
    event.preventDefault();
    if (step) aim(spot.map((value, axis) => value + step[axis] * STEP_PX * (event.shiftKey ? 10 : 1)));
    else take();
  });
  cross.setAttribute("transform", `translate(${spot.join(" ")})`);
  const pins = (caps) => marks.replaceChildren(...caps.map((cap, i) => svg("g", { transform: `translate(${cap.xy.join(" ")})`, class: "pin" },
    svg("circle", { r: radius * 0.6, class: "grip" }), svg("text", { y: -radius, "font-size": radius * 1.3 }, String(i + 1)))));
  return { pins, reach, same, colourAt: (xy) => colourAt(pixels, xy) };
}

// The middle colour of a few pixels, as it is shown; the referee reads it anew from what he sees.
function colourAt(pixels, [x, y]) {
  const { data } = pixels.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
  const channel = (at) => {
    const values = Array.from({ length: 9 }, (_, i) => data[4 * i + at]).sort((a, b) => a - b);
    return values[4].toString(16).padStart(2, "0");
  };
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}
