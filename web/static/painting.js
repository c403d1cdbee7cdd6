// Paints a drawing of the page onto a canvas as it is shown, shape by shape; for pictures and films that are shared.

const POINTS = /-?[\d.]+(?:e-?\d+)?/g;
const numbers = (text) => (String(text || "").match(POINTS) || []).map(Number);

// Fills a square of the canvas with what the drawing's viewBox shows.
export function paint(context, drawing, side) {
  const [left, top, width] = numbers(drawing.getAttribute("viewBox"));
  context.save();
  context.beginPath();
  context.rect(0, 0, side, side);
  context.clip();
  context.scale(side / width, side / width);
  context.translate(-left, -top);
  for (const child of drawing.children) shape(context, child);
  context.restore();
}

const SHAPES = {
  polygon: (context, one) => outline(context, one, true),
  polyline: (context, one) => outline(context, one, false),
  circle: (context, one) => context.arc(...["cx", "cy", "r"].map((key) => Number(one.getAttribute(key) || 0)), 0, 2 * Math.PI),
  line: (context, one) => {
    const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((key) => Number(one.getAttribute(key)));
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  },
};

function outline(context, one, isClosed) {
  const spots = numbers(one.getAttribute("points"));
  for (let i = 0; i < spots.length; i += 2) context.lineTo(spots[i], spots[i + 1]);
  if (isClosed) context.closePath();
}

function shape(context, one) {
  const style = getComputedStyle(one);
  context.save();
  context.globalAlpha *= Number(style.opacity);
  const [dx = 0, dy = 0, scale = 1] = numbers(one.getAttribute("transform"));
  context.translate(dx, dy);
  context.scale(scale, scale);
  if (one.tagName === "g") for (const child of one.children) shape(context, child);
  else if (one.tagName === "text") letters(context, one, style);
  else if (one.tagName in SHAPES) {
    context.beginPath();
    SHAPES[one.tagName](context, one);
    ink(context, style, "fill", () => context.fill());
    pen(context, style);
    ink(context, style, "stroke", () => context.stroke());
  }
  context.restore();
}

// Fills or strokes in the colour that the page shows, where it shows any.
function ink(context, style, kind, draw) {
  if (style[kind] === "none") return;
  context.save();
  context[`${kind}Style`] = style[kind];
  context.globalAlpha *= Number(style[`${kind}Opacity`]);
  draw();
  context.restore();
}

function pen(context, style) {
  const fixed = style.vectorEffect === "non-scaling-stroke" ? context.getTransform().a : 1;
  context.lineWidth = parseFloat(style.strokeWidth) / fixed;
  context.lineCap = style.strokeLinecap;
  context.lineJoin = style.strokeLinejoin;
  context.setLineDash(style.strokeDasharray === "none" ? [] : numbers(style.strokeDasharray));
  context.lineDashOffset = parseFloat(style.strokeDashoffset) || 0;
}

const ALIGNED = { start: "left", middle: "center", end: "right" };

function letters(context, one, style) {
  const size = Number(one.getAttribute("font-size"));
  if (!size || !one.textContent) return;
  context.font = `${style.fontWeight} ${size}px ${style.fontFamily}`;
  context.textAlign = ALIGNED[style.textAnchor];
  context.textBaseline = style.dominantBaseline === "central" ? "middle" : "alphabetic";
  const [x, y, dy] = ["x", "y", "dy"].map((key) => Number(one.getAttribute(key) || 0));
  pen(context, style);
  ink(context, style, "stroke", () => context.strokeText(one.textContent, x, y + dy));
  ink(context, style, "fill", () => context.fillText(one.textContent, x, y + dy));
}
