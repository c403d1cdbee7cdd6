"""Mats for card tables: a zone before each player and what lies between them, as a board file has them (mm)."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Region
from linesies.calibration.errors import BadInput

Rectangle = tuple[float, float, float, float]  # x0, y0, x1, y1

LINE_MM = 4.0  # as printed
EDGE_MM = 20.0  # from the mat's edge to a zone
MARKER_MM = 36.0  # a coin or a bottle cap, with room for fingers
MARKER_OFF_MM = 8.0
WON = "won:"  # how a place for what a player has won is named
GAP_MM = 45.0  # between neighbours, at least


class MatPlan(Protocol):
    """What a game wants of its mat: a player's zone, the room between the rows of seats, and what lies there."""

    @property
    def seat_mm(self) -> tuple[float, float]:
        """How wide and tall a player's zone is."""
        ...

    @property
    def middle_mm(self) -> tuple[float, float]:
        """How wide the mat is at least, and how far apart the rows of seats are."""
        ...

    @property
    def most(self) -> int:
        """How many may sit at it."""
        ...

    @property
    def markers(self) -> int:
        """How many places each player has for what is won."""
        ...

    @property
    def between(self) -> Mapping[str, Rectangle]:
        """What all players share, by name, from the mat's middle."""
        ...


def mat(seats: Sequence[str], game: str, plan: MatPlan) -> Board:
    """Lay out a game's mat for these players, named clockwise: half of them on the near side, from right to left.

    Raises BadInput for too few, too many or equal names.
    """
    _check(seats, game, plan.most)
    wide, tall = plan.seat_mm
    near = len(seats) // 2
    most = len(seats) - near
    width = max(most * wide + (most - 1) * GAP_MM, plan.middle_mm[0]) + 2 * EDGE_MM
    height = 2 * (EDGE_MM + tall) + plan.middle_mm[1]
    zones: dict[str, Rectangle] = {}
    for names, y in ((seats[:near][::-1], height - EDGE_MM - tall), (seats[near:], EDGE_MM)):
        step = (width - 2 * EDGE_MM - wide) / max(most - 1, 1)
        left = (width - wide - (len(names) - 1) * step) / 2
        zones |= {
            f"seat:{name}": (left + i * step, y, left + i * step + wide, y + tall) for i, name in enumerate(names)
        }
    ordered = {f"seat:{name}": zones[f"seat:{name}"] for name in seats} | _shared(plan, width / 2, height / 2)
    for name in seats:
        ordered |= _markers(name, zones[f"seat:{name}"], plan.markers, height)
    return Board(
        name=f"card-table-{game}-{len(seats)}",
        size_mm=(width, height),
        line_width_mm=LINE_MM,
        regions=tuple(Region(name=name, polygon_mm=_corners(zone)) for name, zone in ordered.items()),
    )


def _check(seats: Sequence[str], game: str, most: int) -> None:
    if not 2 <= len(seats) <= most:
        raise BadInput(f"a mat for {game} has 2 to {most} seats, not {len(seats)}")
    if len(set(seats)) < len(seats) or not all(seats):
        raise BadInput("every seat of a mat needs a name of its own")


def _shared(plan: MatPlan, x: float, y: float) -> dict[str, Rectangle]:
    """Lay what all players share round the mat's middle."""
    return {name: (x + x0, y + y0, x + x1, y + y1) for name, (x0, y0, x1, y1) in plan.between.items()}


def _markers(name: str, seat: Rectangle, count: int, height: float) -> dict[str, Rectangle]:
    """Lay places for what a player has won side by side before the player's zone, towards the mat's middle."""
    x0, y0, x1, y1 = seat
    near = y0 - MARKER_OFF_MM - MARKER_MM if y0 > height / 2 else y1 + MARKER_OFF_MM
    left = (x0 + x1) / 2 - count * (MARKER_MM + MARKER_OFF_MM) / 2 + MARKER_OFF_MM / 2
    xs = [left + i * (MARKER_MM + MARKER_OFF_MM) for i in range(count)]
    return {f"{WON}{name}:{i}": (x, near, x + MARKER_MM, near + MARKER_MM) for i, x in enumerate(xs, start=1)}


def _corners(zone: Rectangle) -> NDArray[np.float64]:
    x0, y0, x1, y1 = zone
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]).round(1)
