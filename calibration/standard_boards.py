"""The book's board, six feet on the street and sixty centimetres on a table, and the classes of its lines."""

from collections.abc import Mapping

import numpy as np

from linesies.calibration.board import Board, Region

STREET = "street"
TABLE = "table"
SKULL = "skull"  # the class of the lines round the trapezoids and round box 13
GRID = 6  # both boards are a grid of six by six boxes
INSET = 0.625  # side of a trapezoid's inner corner, in boxes from the skull's outer one

FIVE_TOP = {"5": "9", "7": "11", "6": "10", "8": "12"}  # 1.6.13: 5 may lie where 9 does; then all pairs change places

# box -> column and row of its upper left corner on the grid; the book's order goes across the board
CELLS = {
    "1": (0, 0),
    "2": (5, 5),
    "3": (5, 0),
    "4": (0, 5),
    "5": (5, 2),
    "6": (0, 3),
    "7": (5, 3),
    "8": (0, 2),
    "9": (3, 0),
    "10": (2, 5),
    "11": (2, 0),
    "12": (3, 5),
}


def nominal_board(kind: str, *, is_five_at_top: bool = False) -> Board:
    """Draw the board of that kind, `street` or `table`; box 5 lies at the right border, or at the top one (1.6.13)."""
    name, box_mm, line_mm = ("street-6ft", 304.8, 12.7) if kind == STREET else ("table-600", 100.0, 4.0)
    cells = _with_five_at_top() if is_five_at_top else CELLS
    regions = [Region(name=name, polygon_mm=_square(*cell) * box_mm) for name, cell in cells.items()]
    regions += [
        Region(name=name, polygon_mm=np.array(points) * box_mm, line_class=SKULL) for name, points in _skull().items()
    ]
    return Board(
        name=name,
        size_mm=(GRID * box_mm, GRID * box_mm),
        line_width_mm=line_mm,
        regions=tuple(regions),
        start_line_mm=np.array([[0.0, -1.0], [1.0, -1.0]]) * box_mm,
    )


def _with_five_at_top() -> Mapping[str, tuple[int, int]]:
    swapped = {**FIVE_TOP, **{other: box for box, other in FIVE_TOP.items()}}
    return {box: CELLS[swapped.get(box, box)] for box in CELLS}


def line_classes(board: Board) -> Mapping[str, str]:
    """Name the class of each region's lines; where a drawing says nothing of classes, they are those of the book."""
    if any(region.line_class is not None for region in board.regions):
        return {region.name: region.line_class or "" for region in board.regions}
    return {region.name: SKULL if region.name in _skull() else "" for region in board.regions}


def _square(column: int, row: int) -> np.ndarray:
    return np.array([[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], float)


def _skull() -> dict[str, list[tuple[float, float]]]:
    near, far = 2.0, 4.0
    low, high = near + INSET, far - INSET
    return {
        "13": [(low, low), (high, low), (high, high), (low, high)],
        "skull1": [(near, near), (far, near), (high, low), (low, low)],
        "skull2": [(far, near), (far, far), (high, high), (high, low)],
        "skull3": [(far, far), (near, far), (low, high), (high, high)],
        "skull4": [(near, far), (near, near), (low, low), (low, high)],
    }
