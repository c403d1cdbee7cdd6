"""Where a footprint lies: its region, and its gap to the nearest edge of paint.

All outlines of a survey are laid out once in flat arrays and boxes round them; one call then looks only at
the lines whose boxes are near.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.locations import line_code
from linesies.calibration.record import Calibration
from linesies.calibration.survey import PaintedLine, Survey

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Located:
    """What the board says about one footprint.

    `location` is a code of the contract; `gap_mm` runs from the footprint's edge to the nearest edge of paint,
    negative by as much as it reaches over; `edge_mm` (2,) is the nearest point of that edge and `edge_sigma_mm`
    its standard error.
    """

    location: str
    gap_mm: float
    edge_mm: Array
    edge_sigma_mm: float


def locate(calibration: Calibration, xy_mm: Array, diameter_mm: float) -> Located:
    """Tell where the footprint of `diameter_mm` round the board point (2,) lies (vision contract, `judge`)."""
    point = np.asarray(xy_mm, float)
    sides = _sides(calibration.survey)
    aside = np.maximum(np.maximum(sides.low_mm - point, point - sides.high_mm), 0.0)
    nearest_possible = np.hypot(aside[:, 0], aside[:, 1])
    best: tuple[float, Array, float, str] | None = None
    for i in np.argsort(nearest_possible):
        if best is not None and nearest_possible[i] > max(best[0], 0.0):
            break
        found = _distance(sides.lines[i], point)
        if best is None or found[0] < best[0]:
            best = found
    if best is None:
        raise ValueError("a survey without lines")
    depth, edge_mm, sigma_mm, line_class = best
    gap_mm = depth - diameter_mm / 2
    location = line_code(line_class) if gap_mm <= 0 else _region_at(calibration, point)
    return Located(location=location, gap_mm=gap_mm, edge_mm=edge_mm, edge_sigma_mm=sigma_mm)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """One line's outline as sides: `start_mm`, `along_mm` (S, 2), and the standard errors at their starts (S,)."""

    start_mm: Array
    along_mm: Array
    length2: Array
    sigma_mm: Array
    line_class: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sides:
    lines: tuple[_Side, ...]
    low_mm: Array
    high_mm: Array


@lru_cache(maxsize=8)
def _sides(survey: Survey) -> _Sides:
    outlines = [line.outline_mm for line in survey.lines]
    return _Sides(
        lines=tuple(_side(line) for line in survey.lines),
        low_mm=np.array([outline.min(axis=0) for outline in outlines]),
        high_mm=np.array([outline.max(axis=0) for outline in outlines]),
    )


def _side(line: PaintedLine) -> _Side:
    start = line.outline_mm
    along = np.roll(start, -1, axis=0) - start
    return _Side(
        start_mm=start,
        along_mm=along,
        length2=np.maximum((along**2).sum(axis=1), 1e-12),
        sigma_mm=np.concatenate([line.sigma_mm, line.sigma_mm[::-1]]),
        line_class=line.line_class,
    )


def _distance(side: _Side, point: Array) -> tuple[float, Array, float, str]:
    """Measure from a point to a line's outline, negative inside the paint."""
    to_point = point - side.start_mm
    share = np.clip((to_point * side.along_mm).sum(axis=1) / side.length2, 0.0, 1.0)
    foot = side.start_mm + share[:, None] * side.along_mm
    apart = foot - point
    distance2 = apart[:, 0] ** 2 + apart[:, 1] ** 2
    i = int(distance2.argmin())
    sign = -1.0 if _is_within(side.start_mm, side.along_mm, point) else 1.0
    return sign * float(np.sqrt(distance2[i])), foot[i], float(side.sigma_mm[i]), side.line_class


def _is_within(start: Array, along: Array, point: Array) -> bool:
    """Tell whether a polygon's outline winds round a point (crossings of a ray to the right)."""
    y0, y1 = start[:, 1], start[:, 1] + along[:, 1]
    crosses = (y0 > point[1]) != (y1 > point[1])
    rise = np.where(crosses, along[:, 1], 1.0)
    reach = start[:, 0] + (point[1] - y0) / rise * along[:, 0]
    return bool((crosses & (reach > point[0])).sum() % 2)


def _region_at(calibration: Calibration, point: Array) -> str:
    for region in calibration.regions:
        polygon = region.polygon_mm
        low, high = polygon.min(axis=0), polygon.max(axis=0)
        is_near = bool((point >= low).all() and (point <= high).all())
        if is_near and _is_within(polygon, np.roll(polygon, -1, axis=0) - polygon, point):
            return region.name
    width, height = calibration.board.size_mm
    outside_x = max(-float(point[0]), float(point[0]) - width, 0.0)
    outside_y = max(-float(point[1]), float(point[1]) - height, 0.0)
    is_far = float(np.hypot(outside_x, outside_y)) > max(width, height)
    return "off" if is_far or not calibration.view.is_in_picture(point) else "open"
