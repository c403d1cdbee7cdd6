"""The board file: the drawing as people write it, with straight sides, arcs and circles, and classes of lines.

A region is a `polygon`, a `circle`, or a polygon with `bulges`: for each side the tangent of a quarter of its arc's
angle, 0 for a straight side, above 0 for an arc to the right of the way, as DXF files have it. Curves become polygons
of many sides as soon as they are read.
"""

import math
import os
from itertools import pairwise

import msgspec
import numpy as np

from linesies.calibration.board import Board, Points, Region
from linesies.calibration.errors import BadInput
from linesies.calibration.files import read_json, write_whole

LEAST_MM, MOST_MM = 10.0, 20_000.0  # a board's width and height: from a matchbox to a playground
MOST_CORNERS = 2000  # of all regions together; circles may be drawn as polygons
BEYOND = 0.5  # of the board's size: so far outside it a region may reach
SAME_CORNER_MM = 0.01
ARC_STEP_RAD = math.pi / 36  # one side of the polygon that stands for an arc: 72 for a circle
Point = tuple[float, float]


class CircleFile(msgspec.Struct):
    """A circle as the board file has it."""

    centre: Point
    radius: float


class RegionFile(msgspec.Struct, omit_defaults=True):
    """A region as the board file has it."""

    name: str
    polygon: list[Point] = []
    bulges: list[float] = []
    circle: CircleFile | None = None
    line_class: str | None = msgspec.field(name="class", default=None)


class BoardFile(msgspec.Struct, omit_defaults=True):
    """The contract's board file; bulges, circles and classes are additions."""

    name: str
    size: tuple[float, float]
    line_width: float
    regions: list[RegionFile]
    start_line: list[Point] | None = None


def read_board(path: str | os.PathLike[str]) -> Board:
    """Read a board file; raises BadInput naming the file and every fault's key."""
    return board_from_file(read_json(path, BoardFile), str(path))


def write_board(board: Board, path: str | os.PathLike[str]) -> None:
    """Write a board file, whole or not at all."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(board_to_file(board))))


def board_from_file(file: BoardFile, where: str) -> Board:
    """Check a decoded board file (named `where` in complaints); raises BadInput with all faults at once."""
    faults = _faults(file)
    if faults:
        raise BadInput(f"{where}: {'; '.join(faults)}")
    return Board(
        name=file.name,
        size_mm=file.size,
        line_width_mm=file.line_width,
        regions=tuple(Region(name=r.name, polygon_mm=outline_mm(r), line_class=r.line_class) for r in file.regions),
        start_line_mm=None if file.start_line is None else np.array(file.start_line, float),
    )


def board_to_file(board: Board) -> BoardFile:
    """Turn a board back into what its file holds."""
    return BoardFile(
        name=board.name,
        size=board.size_mm,
        line_width=board.line_width_mm,
        regions=[RegionFile(name=r.name, polygon=_pairs(r.polygon_mm), line_class=r.line_class) for r in board.regions],
        start_line=None if board.start_line_mm is None else _pairs(board.start_line_mm),
    )


def outline_mm(region: RegionFile) -> Points:
    """Draw a region's outline as a polygon (N, 2)."""
    if region.circle is not None:
        turn = np.arange(0.0, 2 * math.pi, ARC_STEP_RAD)
        return np.array(region.circle.centre) + region.circle.radius * np.column_stack([np.cos(turn), np.sin(turn)])
    corners = np.array(region.polygon, float)
    bulges = region.bulges or [0.0] * len(corners)
    sides = zip(corners, np.roll(corners, -1, axis=0), bulges, strict=True)
    return np.vstack([_arc(start, end, bulge) for start, end, bulge in sides])


def _arc(start: Points, end: Points, bulge: float) -> Points:
    """Draw a side's start and the points of its arc up to its end, which is not among them."""
    angle = 4 * math.atan(bulge)
    steps = max(math.ceil(abs(angle) / ARC_STEP_RAD), 1)
    if steps == 1:
        return start[None]
    chord = end - start
    to_centre = np.array([-chord[1], chord[0]]) * (1 - bulge**2) / (4 * bulge)
    centre = (start + end) / 2 + to_centre
    turns = np.arange(steps) / steps * angle
    spoke = start - centre
    return centre + np.column_stack(
        [
            spoke[0] * np.cos(turns) - spoke[1] * np.sin(turns),
            spoke[0] * np.sin(turns) + spoke[1] * np.cos(turns),
        ]
    )


def _pairs(points_mm: Points) -> list[Point]:
    return [(float(x), float(y)) for x, y in points_mm]


def _faults(file: BoardFile) -> list[str]:
    faults = []
    if not all(math.isfinite(v) and v > 0 for v in file.size):
        faults.append("`size` must be two lengths above 0")
    elif not all(LEAST_MM <= v <= MOST_MM for v in file.size):
        faults.append(f"`size` must be two lengths of {LEAST_MM:.0f} to {MOST_MM:.0f} mm")
    if not (math.isfinite(file.line_width) and file.line_width > 0):
        faults.append("`line_width` must be above 0")
    if not file.regions:
        faults.append("`regions` is empty; a board has at least one region")
    names = [region.name for region in file.regions]
    faults += [
        f"`regions`: the name {name!r} stands twice" for name in sorted({n for n in names if names.count(n) > 1})
    ]
    corners = sum(len(region.polygon) for region in file.regions)
    if corners > MOST_CORNERS:
        return [*faults, f"`regions` have {corners} corners; at most {MOST_CORNERS} can be surveyed"]
    size = (math.inf, math.inf) if faults else file.size  # one wrong size is one fault
    for i, region in enumerate(file.regions):
        fault = _fault_of_region(region) or _fault_of_corners(region.polygon, size)
        if fault:
            faults.append(f"`regions[{i}]{fault[0]}` ({region.name}) {fault[1]}")
    if file.start_line is not None and len(file.start_line) != 2:
        faults.append("`start_line` must be two points")
    return faults


def _fault_of_region(region: RegionFile) -> tuple[str, str] | None:
    """Say which key of a region is wrong and why, or None."""
    if region.line_class is not None and not region.line_class.isidentifier():
        return ".class", "must be one word, such as skull"
    if region.circle is not None:
        numbers = (*region.circle.centre, region.circle.radius)
        is_right = all(map(math.isfinite, numbers)) and region.circle.radius > 0 and not region.polygon
        return None if is_right else (".circle", "needs a `centre` and a `radius` above 0, and no `polygon` beside it")
    if region.bulges and (len(region.bulges) != len(region.polygon) or not all(map(math.isfinite, region.bulges))):
        return ".bulges", "needs one number for each point of the polygon"
    if len(region.polygon) < (2 if any(region.bulges) else 3):
        return ".polygon", "needs at least three points"
    if _crosses_itself(_pairs(outline_mm(region))):
        return ".polygon", "crosses itself"
    return None


def _fault_of_corners(polygon: list[Point], size: tuple[float, float]) -> tuple[str, str] | None:
    """Say which corner lies far off a board of a size or stands twice, or None."""
    for (x, y), after in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        if not all(-BEYOND * wide <= v <= (1 + BEYOND) * wide for v, wide in zip((x, y), size, strict=True)):
            return ".polygon", f"has the corner ({x:g}, {y:g}), far off a board of {size[0]:g} x {size[1]:g} mm"
        if math.hypot(x - after[0], y - after[1]) < SAME_CORNER_MM:
            return ".polygon", f"repeats the corner ({x:g}, {y:g}); write each corner once"
    return None


def _crosses_itself(polygon: list[Point]) -> bool:
    n = len(polygon)
    sides = list(pairwise([*polygon, polygon[0]]))
    return any(_cross(*sides[i], *sides[j]) for i in range(n) for j in range(i + 2, n) if not (i == 0 and j == n - 1))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
