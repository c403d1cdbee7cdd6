"""The drawing as a graph: every painted line once, cut where lines meet, its ends shared with its neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.board import Board
from linesies.calibration.standard_boards import line_classes

Array = NDArray[np.float64]
SAME_PLACE = 0.25  # of a line's width: corners of the drawing nearer than this are one


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """A straight line from one node to another, with the class of the regions that it bounds."""

    start: int
    end: int
    line_class: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """All lines of a board: `nodes_mm` (N, 2) are where they end or meet, `rings` each region's nodes in order."""

    nodes_mm: Array
    lines: tuple[DrawnLine, ...]
    rings: dict[str, tuple[int, ...]]


def draw(board: Board) -> Drawing:
    """Cut the board's outlines, its outer border included where it is painted, into lines between nodes."""
    outlines = [(region.name, region.polygon_mm) for region in board.regions]
    if has_border(board):
        outlines.append(("", corners_mm(board)))
    tolerance_mm = SAME_PLACE * board.line_width_mm
    nodes_mm = _nodes(outlines, tolerance_mm)
    rings = {name: _ring(polygon, nodes_mm, tolerance_mm) for name, polygon in outlines}
    classes = line_classes(board)
    lines: dict[tuple[int, int], str] = {}
    for name, ring in rings.items():
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            key = (min(a, b), max(a, b))
            lines[key] = lines.get(key, "") or classes.get(name, "")
    rings.pop("", None)
    drawn = tuple(DrawnLine(start=a, end=b, line_class=line_class) for (a, b), line_class in lines.items())
    return Drawing(nodes_mm=nodes_mm, lines=drawn, rings=rings)


def corners_mm(board: Board) -> Array:
    """Give the outer corners (4, 2), clockwise from the corner of box 1."""
    width, height = board.size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def has_border(board: Board) -> bool:
    """Tell a board whose boxes reach its corners from one whose zones lie apart, such as a card table."""
    points = np.vstack([region.polygon_mm for region in board.regions])
    gaps = np.hypot(*(points[:, None] - corners_mm(board)[None]).T)
    return bool((gaps.min(axis=1) < SAME_PLACE * board.line_width_mm).all())


def _nodes(outlines: list[tuple[str, Array]], tolerance_mm: float) -> Array:
    nodes: list[Array] = []
    for point in [p for _, polygon in outlines for p in polygon]:
        if all(np.hypot(*(point - other)) > tolerance_mm for other in nodes):
            nodes.append(point)
    return np.array(nodes)


def _ring(polygon: Array, nodes_mm: Array, tolerance_mm: float) -> tuple[int, ...]:
    """Walk round a polygon and list every node on the way, each side's start but not its end."""
    ring: list[int] = []
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        length = max(float(np.hypot(*(b - a))), 1e-9)
        along = (b - a) / length
        reach = (nodes_mm - a) @ along
        aside = np.abs((nodes_mm - a) @ np.array([-along[1], along[0]]))
        on_side = np.flatnonzero((aside < tolerance_mm) & (reach > -tolerance_mm) & (reach < length - tolerance_mm))
        ring += [int(i) for i in on_side[np.argsort(reach[on_side])]]
    return tuple(ring)
