// The close-call show: the cap glides in as it was tracked, the view dives to the line, footprint and band of doubt draw
// themselves, the gap opens with its number, the stamp falls. Skipped by a tap; still where motion is not wanted.

import { capDisc, colours, initials, points } from "./board.js";
import { html, svg } from "./dom.js";
import { stayAt } from "./focus.js";
import { sceneOf, spotAt, squareRound } from "./show_scene.js";
import { band } from "./verdict.js";
import { millimetres, name, say, words } from "./words.js";

const GLIDE_S = 1.6;
const CLOSE_S = { dive: 0.9, footprint: 0.6, gap: 0.8, stamp: 0.3, hold: 1.4 };
const HIT_S = { dive: 0.5, footprint: 0, gap: 0, stamp: 0.3, hold: 1.3 };
const STILL_S = 5;
const LEAST_HALF = 0.35; // of the cap's radius: half of what is seen at the end of the dive, at least,
const GAP_HALF = 4; // and so many gaps
const SEEN_THROUGH = 0.45;
const HIT_HALF_RADII = 6; // half of what is seen of a contact, in caps, at least
const ABOVE_STAMP = 0.25; // of what is seen: so much higher than its middle a hit is shown

const clamp = (value) => Math.min(1, Math.max(0, value));
const eased = (share) => share * share * (3 - 2 * share);

export function makeShow(place) {
  let frame = 0;
  let timer = 0;
  let beneath = null; // what it lies over

  function stop() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    const wasHere = place.contains(document.activeElement);
    place.hidden = true;
    place.replaceChildren();
    if (wasHere) stayAt(document.getElementById("call"));
  }

  // Shows an entry; tells whether there was anything to show.
  function play(story, entry, over) {
    const scene = sceneOf(story, entry);
    if (!scene) return false;
    stop();
    const film = makeFilm(story, scene);
    beneath = over;
    cover(place, beneath);
    place.replaceChildren(film.picture, film.stamp, html("button", { type: "button", class: "skip", onclick: stop }, words.show.skip));
    place.hidden = false;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      film.draw(film.seconds);
      timer = setTimeout(stop, STILL_S * 1000);
      return true;
    }
    const begun = performance.now();
    const step = (now) => {
      const second = Math.max(0, now - begun) / 1000;
      film.draw(second);
      if (second < film.seconds) frame = requestAnimationFrame(step);
      else stop();
    };
    film.draw(0);
    frame = requestAnimationFrame(step);
    return true;
  }

  place.addEventListener("click", stop);
  window.addEventListener("resize", () => !place.hidden && cover(place, beneath)); // a phone may be turned meanwhile
  window.addEventListener("keydown", (event) => event.key === "Escape" && !place.hidden && stop());
  return { play, stop };
}

// Lays the show over the board, where one is seen.
function cover(place, over) {
  const { left, top, width, height } = over.getBoundingClientRect();
  place.classList.toggle("alone", !width);
  if (width) Object.assign(place.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${Math.min(height, innerHeight - top)}px` });
}

// {picture, stamp, seconds, draw(second)}: draws any moment of the show, so that it can be looked at frame by frame.
export function makeFilm(story, scene) {
  const steps = scene.place ? CLOSE_S : HIT_S;
  const glide = Object.keys(scene.ways).length ? GLIDE_S : 0;
  const starts = {};
  const seconds = Object.entries({ glide, ...steps }).reduce((sum, [step, length]) => {
    starts[step] = [sum, length];
    return sum + length;
  }, 0);
  const share = (step, second) => (starts[step][1] ? clamp((second - starts[step][0]) / starts[step][1]) : second >= starts[step][0] ? 1 : 0);
  const paint = svg("g", { class: "paint" }, story.set_up.lines.map((line) => svg("polygon", { points: points(line.outline) })));
  const caps = makeCaps(story, scene);
  const lens = scene.place ? makeMeasure(scene) : { group: svg("g"), draw: () => {} };
  // Of a line nothing is lost at the edges; of a hit both caps stay in sight, whatever shape the picture has.
  const picture = svg("svg", { class: "film", role: "img", "aria-label": stampText(scene), preserveAspectRatio: `xMidYMid ${scene.place ? "slice" : "meet"}` }, paint, caps.group, lens.group);
  const stamp = html("p", { class: `stamp ${scene.kind}` }, stampText(scene));

  const draw = (second) => {
    const dive = eased(share("dive", second));
    const view = between(scene.wide, closeView(scene), dive);
    picture.setAttribute("viewBox", `${view.middle[0] - view.half} ${view.middle[1] - view.half} ${2 * view.half} ${2 * view.half}`);
    caps.draw(glide ? share("glide", second) * scene.seconds : scene.seconds, view.half, dive);
    lens.draw(share("footprint", second), eased(share("gap", second)), view.half);
    const fallen = share("stamp", second);
    stamp.style.opacity = String(clamp(fallen * 2));
    stamp.style.transform = `rotate(-4deg) scale(${3 - 2 * eased(fallen)})`;
  };
  return { picture, stamp, seconds, draw, fallen: (second) => share("stamp", second) };
}

// Each cap on its way, with a trail behind it, a ring where two touched and a mark where the one that was hit had lain.
function makeCaps(story, scene) {
  const known = colours(story);
  const letters = initials([...known.keys()]);
  const radiusOf = (player) => ((story.set_up.caps.find((cap) => cap.player === player) || {}).diameter || 26) / 2;
  const shown = Object.keys(scene.ways).length ? Object.entries(scene.ways) : scene.call ? [[scene.player, [[0, scene.call.x, scene.call.y]]]] : [];
  const drawn = shown.map(([player, way]) => {
    const trail = svg("polyline", { class: "trail", stroke: known.get(player) || "#8a9196" });
    return { way, trail, cap: svg("g", { class: "flyer" }, capDisc(known.get(player) || "#8a9196", letters.get(player) || "", radiusOf(player))) };
  });
  const rings = scene.contacts.map(({ spot, second }) => ({ second, ring: svg("circle", { cx: spot[0], cy: spot[1], class: "contact" }) }));
  const marks = scene.contacts.map(({ victim, from: [cx, cy] }) => svg("circle", { cx, cy, r: radiusOf(victim), class: "lain" }));
  const draw = (second, half, dive) => {
    for (const { way, trail, cap } of drawn) {
      const spot = spotAt(way, second);
      cap.setAttribute("transform", `translate(${spot.join(" ")}) scale(${1 + (1 - dive) * Math.max(0, half / 400)})`);
      cap.firstChild.setAttribute("fill-opacity", String(scene.place ? 1 - SEEN_THROUGH * dive : 1)); // the paint beneath is seen
      trail.setAttribute("points", points([...way.filter(([t]) => t < second).map(([, x, y]) => [x, y]), spot]));
      trail.setAttribute("stroke-width", String(half / 60));
    }
    for (const { second: at, ring } of rings) {
      const since = clamp((second - at) / (scene.seconds * 0.35 || 1));
      ring.setAttribute("r", String(half * (0.05 + 0.16 * since)));
      ring.setAttribute("stroke-width", String(half / 40));
      ring.setAttribute("opacity", second < at ? "0" : String(1 - 0.7 * since));
    }
  };
  return { group: svg("g", {}, drawn.map(({ trail }) => trail), rings.map(({ ring }) => ring), marks, drawn.map(({ cap }) => cap)), draw };
}

// The footprint, the band of doubt and the gap with its number: the ruling's own.
function makeMeasure({ call, place, reach }) {
  const round = 2 * Math.PI * place.radius;
  // Drawn twice, so that it is seen on paint of its own colour too.
  const rounds = ["halo", "outline"].map((kind) => svg("circle", { cx: call.x, cy: call.y, r: place.radius, class: kind, "stroke-dasharray": round }));
  const doubt = segment("band");
  const gap = segment("gap");
  const beside = place.at(call.gap / 2);
  const number = svg("text", { class: "number", x: beside[0], y: beside[1] });
  const draw = (footprint, opened, half) => {
    const pen = half / 40;
    for (const [i, one] of rounds.entries()) {
      one.setAttribute("stroke-dashoffset", String(round * (1 - footprint)));
      one.setAttribute("stroke-width", String(i ? pen : 2 * pen));
    }
    put(doubt, place.at(call.gap - reach * footprint), place.at(call.gap + reach * footprint), pen * 5);
    doubt.setAttribute("opacity", String(footprint));
    put(gap, place.at(0), place.at(call.gap * opened), pen * 2);
    gap.setAttribute("opacity", opened ? "1" : "0");
    number.setAttribute("font-size", String(half * 0.22));
    number.setAttribute("dy", String(-half * 0.16));
    number.textContent = opened ? `${millimetres(call.gap * opened)} mm` : "";
  };
  return { group: svg("g", { class: "measure" }, rounds, doubt, gap, number), draw };
}

const segment = (kind) => svg("line", { class: kind, "stroke-linecap": "round" });

function put(line, [x1, y1], [x2, y2], width) {
  for (const [key, value] of Object.entries({ x1, y1, x2, y2, "stroke-width": width })) line.setAttribute(key, String(value));
}

function closeView({ place, contacts, call, reach }) {
  if (place) return { middle: place.at(call.gap / 2), half: Math.min(place.half, Math.max(place.radius * LEAST_HALF, Math.abs(call.gap) * GAP_HALF + reach)) };
  const [{ spot, from, to }] = contacts;
  const { middle: [x, y], half } = squareRound([spot, from, to], 15 * HIT_HALF_RADII);
  return { middle: [x, y + half * ABOVE_STAMP], half };
}

// Zooms by equal factors in equal times, so that the dive feels even.
function between(wide, close, share) {
  const half = wide.half * (close.half / wide.half) ** share;
  const near = wide.half === close.half ? share : (wide.half - half) / (wide.half - close.half);
  return { half, middle: wide.middle.map((value, axis) => value + (close.middle[axis] - value) * near) };
}

export function stampText(scene) {
  if (!scene.place) {
    const [{ victim, moved }] = scene.contacts;
    return say(words.show.hit, { player: name(victim), cm: Math.round(moved / 10) });
  }
  const by = millimetres(Math.abs(scene.call.gap), false);
  return say(words.show[scene.word] || words.show.close, { mm: by, band: millimetres(band(scene.call), false) });
}
