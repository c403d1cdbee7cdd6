// Lays a part of a film flat, as from above: the way from four corners seen aslant to a square. Pure.

// The projection of the unit square onto four corners, clockwise: a row after the other, nine numbers.
function ontoCorners([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = ax * by - bx * ay;
  const [g, h] = [(sx * by - bx * sy) / area, (ax * sy - sx * ay) / area];
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1];
}

// The inverse of such a projection, but for its scale.
const turnedBack = ([a, b, c, d, e, f, g, h, i]) => [
  e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d,
];

// What a style's `transform` needs to lay these corners, in pixels of an element, over a square of that side.
export function flat(corners, side) {
  const [a, b, c, d, e, f, g, h, i] = turnedBack(ontoCorners(corners));
  const columns = [side * a, side * d, 0, g, side * b, side * e, 0, h, 0, 0, 1, 0, side * c, side * f, 0, i];
  return `matrix3d(${columns.map((value) => value / i).join(",")})`;
}
