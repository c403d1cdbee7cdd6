"""The board as drawn: named regions and the width of their lines, in millimetres, seen from above."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]  # (N, 2), x to the right, y down


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Region:
    """One named box, trapezoid or zone; its polygon runs along the middle of the painted lines.

    `line_class` is the class of those lines: empty for plain ones, None where the drawing says nothing of classes.
    Regions may lie in one another; a place belongs to the first in the board's order that it lies in.
    """

    name: str
    polygon_mm: Points
    line_class: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Board:
    """The nominal drawing of a painted board or of a card table's zones."""

    name: str
    size_mm: tuple[float, float]
    line_width_mm: float
    regions: tuple[Region, ...]
    start_line_mm: Points | None = None

    def region(self, name: str) -> Region | None:
        """Return the region of that name, or None."""
        return next((region for region in self.regions if region.name == name), None)
