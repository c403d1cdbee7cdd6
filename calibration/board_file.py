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

BOWED = 0.25  # of a line's width: so far an arc may rise above the side that stands for it; the survey bows it again
MOST_MM = 20_000.0  # of a side; the largest painted boards are 3 m, so a longer one has its point in the wrong place
MOST_BULGE = 100.0  # nearly a whole circle
LEAST_SIDES = 12  # of a whole circle
MOST_CORNERS = 2000  # of all regions together; circles may be drawn as polygons
BEYOND = 0.5  # of the board's size: so far outside it a region may reach
SAME_CORNER_MM = 0.01
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
        regions=tuple(
            Region(name=r.name, polygon_mm=outline_mm(r, BOWED * file.line_width), line_class=r.line_class)
            for r in file.regions
        ),
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


def outline_mm(region: RegionFile, bowed_mm: float) -> Points:
    """Draw a region's outline as a polygon (N, 2) from whose sides no arc rises farther than that."""
    if region.circle is not None:
        radius = region.circle.radius
        turn = np.linspace(0.0, 2 * math.pi, _steps(2 * math.pi, radius, bowed_mm), endpoint=False)
        return np.array(region.circle.centre) + radius * np.column_stack([np.cos(turn), np.sin(turn)])
    corners = np.array(region.polygon, float)
    bulges = region.bulges or [0.0] * len(corners)
    sides = zip(corners, np.roll(corners, -1, axis=0), bulges, strict=True)
    return np.vstack([_arc(start, end, bulge, bowed_mm) for start, end, bulge in sides])


def _steps(angle: float, radius_mm: float, bowed_mm: float) -> int:
    """Count the sides that an arc needs."""
    step = 2 * math.acos(max(1 - bowed_mm / radius_mm, 0.0))
    return max(math.ceil(angle / min(step, 2 * math.pi / LEAST_SIDES)), 1)


def _arc(start: Points, end: Points, bulge: float, bowed_mm: float) -> Points:
    """Draw a side's start and the points of its arc up to its end, which is not among them."""
    if bulge == 0:
        return start[None]
    angle = 4 * math.atan(bulge)
    chord = end - start
    to_centre = np.array([-chord[1], chord[0]]) * (1 - bulge**2) / (4 * bulge)
    centre = (start + end) / 2 + to_centre
    spoke = start - centre
    steps = _steps(abs(angle), float(np.hypot(*spoke)), bowed_mm)
    turns = np.arange(steps) / steps * angle
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
    if not all(0 < v <= MOST_MM for v in file.size):
        faults.append(f"`size` must be two lengths above 0, in millimetres, of {MOST_MM / 1000:.0f} m at most")
    if not 0 < file.line_width <= MOST_MM:
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
        fault = _fault_of_region(region, file.line_width) or _fault_of_corners(region.polygon, size)
        if fault:
            faults.append(f"`regions[{i}]{fault[0]}` ({region.name}) {fault[1]}")
    if file.start_line is not None and (len(file.start_line) != 2 or not _are_near(file.start_line)):
        faults.append("`start_line` must be two points")
    return faults


def _fault_of_region(region: RegionFile, line_width: float) -> tuple[str, str] | None:
    """Say which key of a region is wrong and why, or None."""
    if region.line_class is not None and not region.line_class.isidentifier():
        return ".class", "must be one word, such as skull"
    if region.circle is not None:
        numbers = (*region.circle.centre, region.circle.radius)
        is_right = all(abs(v) <= MOST_MM for v in numbers) and region.circle.radius > 0 and not region.polygon
        return None if is_right else (".circle", "needs a `centre` and a `radius` above 0, and no `polygon` beside it")
    if region.bulges and (
        len(region.bulges) != len(region.polygon) or not all(abs(b) <= MOST_BULGE for b in region.bulges)
    ):
        return ".bulges", "needs one number for each point of the polygon"
    if len(region.polygon) < (2 if any(region.bulges) else 3):
        return ".polygon", "needs at least three points"
    if not _are_near(region.polygon) or _is_crossing_itself(_pairs(outline_mm(region, abs(line_width)))):
        return ".polygon", f"crosses itself, or reaches farther than {MOST_MM / 1000:.0f} m"
    return None


def _fault_of_corners(polygon: list[Point], size: tuple[float, float]) -> tuple[str, str] | None:
    """Say which corner lies far off a board of a size or stands twice, or None."""
    for (x, y), after in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        if not all(-BEYOND * wide <= v <= (1 + BEYOND) * wide for v, wide in zip((x, y), size, strict=True)):
            return ".polygon", f"has the corner ({x:g}, {y:g}), far off a board of {size[0]:g} x {size[1]:g} mm"
        if math.hypot(x - after[0], y - after[1]) < SAME_CORNER_MM:
            return ".polygon", f"repeats the corner ({x:g}, {y:g}); write each corner once"
    return None


def _are_near(points: list[Point]) -> bool:
    """Tell whether all points lie about where a board can lie; one that is no number does not."""
    return all(abs(v) <= MOST_MM for point in points for v in point)


def _is_crossing_itself(polygon: list[Point]) -> bool:
    n = len(polygon)
    sides = list(pairwise([*polygon, polygon[0]]))
    return any(
        _is_crossing(*sides[i], *sides[j]) for i in range(n) for j in range(i + 2, n) if not (i == 0 and j == n - 1)
    )


def _is_crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
