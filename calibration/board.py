"""The board as drawn: named regions and the width of their lines, in millimetres, seen from above."""

import math
import os
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.errors import BadInput
from linesies.calibration.files import read_json, write_whole

Points = NDArray[np.float64]  # (N, 2), x to the right, y down

LEAST_MM, MOST_MM = 50.0, 20_000.0  # a board's width and height: from a matchbox to a playground
MOST_CORNERS = 2000  # of all regions together; circles are drawn as polygons
BEYOND = 0.5  # of the board's size: so far outside it a region may reach
SAME_CORNER_MM = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Region:
    """One named box, trapezoid or zone; its polygon runs along the middle of the painted lines."""

    name: str
    polygon_mm: Points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Board:
    """The nominal drawing of a Skully board or of a card table's zones."""

    name: str
    size_mm: tuple[float, float]
    line_width_mm: float
    regions: tuple[Region, ...]
    start_line_mm: Points | None = None

    def region(self, name: str) -> Region | None:
        """Return the region of that name, or None."""
        return next((region for region in self.regions if region.name == name), None)


class _RegionFile(msgspec.Struct):
    name: str
    polygon: list[tuple[float, float]]


class BoardFile(msgspec.Struct, omit_defaults=True):
    """The contract's board file."""

    name: str
    size: tuple[float, float]
    line_width: float
    regions: list[_RegionFile]
    start_line: list[tuple[float, float]] | None = None


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
        regions=tuple(Region(name=r.name, polygon_mm=np.array(r.polygon, float)) for r in file.regions),
        start_line_mm=None if file.start_line is None else np.array(file.start_line, float),
    )


def board_to_file(board: Board) -> BoardFile:
    """Turn a board back into what its file holds."""
    return BoardFile(
        name=board.name,
        size=board.size_mm,
        line_width=board.line_width_mm,
        regions=[_RegionFile(name=r.name, polygon=_pairs(r.polygon_mm)) for r in board.regions],
        start_line=None if board.start_line_mm is None else _pairs(board.start_line_mm),
    )


def _pairs(points_mm: Points) -> list[tuple[float, float]]:
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
        fault = _polygon_fault(region.polygon, size)
        if fault:
            faults.append(f"`regions[{i}].polygon` ({region.name}) {fault}")
    if file.start_line is not None and len(file.start_line) != 2:
        faults.append("`start_line` must be two points")
    return faults


def _polygon_fault(polygon: list[tuple[float, float]], size: tuple[float, float]) -> str | None:
    """Say what is wrong with a polygon on a board of a size; None if nothing is."""
    if len(polygon) < 3:
        return "needs at least three points"
    for x, y in polygon:
        if not all(-BEYOND * wide <= v <= (1 + BEYOND) * wide for v, wide in zip((x, y), size, strict=True)):
            return f"has the corner ({x:g}, {y:g}), far off a board of {size[0]:g} x {size[1]:g} mm"
    for (x, y), after in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if math.hypot(x - after[0], y - after[1]) < SAME_CORNER_MM:
            return f"repeats the corner ({x:g}, {y:g}); write each corner once"
    return "crosses itself" if _crosses_itself(polygon) else None


def _crosses_itself(polygon: list[tuple[float, float]]) -> bool:
    n = len(polygon)
    sides = [(polygon[i], polygon[(i + 1) % n]) for i in range(n)]
    return any(_cross(*sides[i], *sides[j]) for i in range(n) for j in range(i + 2, n) if not (i == 0 and j == n - 1))


Point = tuple[float, float]


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
