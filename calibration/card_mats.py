"""Mats for card tables: a zone before each player and what lies between them, as a board file has them (mm)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Region
from linesies.calibration.errors import BadInput

Rectangle = tuple[float, float, float, float]  # x0, y0, x1, y1

LINE_MM = 4.0
EDGE_MM = 20.0  # from the mat's edge to a zone
SEAT_MM = {"skull": (240.0, 210.0), "skull_king": (220.0, 110.0), "skipbo": (420.0, 115.0)}
GAP_MM = 45.0  # between neighbours, at least
MIDDLE_MM = {
    "skull": (500.0, 60.0),
    "skull_king": (560.0, 260.0),
    "skipbo": (570.0, 150.0),
}  # between the rows of seats
MOST = {"skull": 8, "skull_king": 8, "skipbo": 6}
PILE_MM = (84.0, 116.0)


def mat(seats: Sequence[str], game: str) -> Board:
    """Lay out a mat for these players, named clockwise: half of them on the near side, from right to left.

    In Skip-Bo a player's zone holds five places side by side, from that player's left: stock, discard piles 1 to 4.
    Raises BadInput for too few, too many or equal names, and for a game that is not played with cards.
    """
    _check(seats, game)
    wide, tall = SEAT_MM[game]
    near = len(seats) // 2
    most = len(seats) - near
    width = max(most * wide + (most - 1) * GAP_MM, MIDDLE_MM[game][0]) + 2 * EDGE_MM
    height = 2 * (EDGE_MM + tall) + MIDDLE_MM[game][1]
    zones: dict[str, Rectangle] = {}
    for names, y in ((seats[:near][::-1], height - EDGE_MM - tall), (seats[near:], EDGE_MM)):
        step = (width - 2 * EDGE_MM - wide) / max(most - 1, 1)
        left = (width - wide - (len(names) - 1) * step) / 2
        zones |= {
            f"seat:{name}": (left + i * step, y, left + i * step + wide, y + tall) for i, name in enumerate(names)
        }
    ordered = {f"seat:{name}": zones[f"seat:{name}"] for name in seats} | _between(game, width, height)
    return Board(
        name=f"card-table-{game}-{len(seats)}",
        size_mm=(width, height),
        line_width_mm=LINE_MM,
        regions=tuple(Region(name=name, polygon_mm=_corners(zone)) for name, zone in ordered.items()),
    )


def _check(seats: Sequence[str], game: str) -> None:
    if game not in SEAT_MM:
        raise BadInput(f"there is no mat for {game!r}; choose from {', '.join(SEAT_MM)}")
    if not 2 <= len(seats) <= MOST[game]:
        raise BadInput(f"a mat for {game} has 2 to {MOST[game]} seats, not {len(seats)}")
    if len(set(seats)) < len(seats) or not all(seats):
        raise BadInput("every seat of a mat needs a name of its own")


def _between(game: str, width: float, height: float) -> dict[str, Rectangle]:
    """Lay out what all players share, in the mat's middle."""
    if game == "skull_king":
        return {"trick": (width / 2 - 270, height / 2 - 110, width / 2 + 270, height / 2 + 110)}
    if game == "skipbo":
        wide, tall = PILE_MM
        left = width / 2 - 3 * wide - 30
        names = ("draw", "pile1", "pile2", "pile3", "pile4", "die")
        xs = [left + i * (wide + 12) for i in range(6)]
        return {
            name: (x, height / 2 - tall / 2, x + wide, height / 2 + tall / 2) for name, x in zip(names, xs, strict=True)
        }
    return {}


def _corners(zone: Rectangle) -> NDArray[np.float64]:
    x0, y0, x1, y1 = zone
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]).round(1)
