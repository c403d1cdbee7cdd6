"""The paint as it is: both edges of every painted line, along its length, in millimetres."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaintedLine:
    """One line between two of the board's corners: its two edges at the same stations along it.

    `left_mm` and `right_mm` are (N, 2); `sigma_mm` (N,) is each station's standard error, larger where
    paint is worn. `line_class` is that of the regions which it bounds, empty for a plain line.
    """

    left_mm: Array
    right_mm: Array
    sigma_mm: Array
    line_class: str = ""

    @property
    def middle_mm(self) -> Array:
        """The middle of the paint, (N, 2)."""
        return (self.left_mm + self.right_mm) / 2

    @property
    def outline_mm(self) -> Array:
        """The closed outline of the paint, (2N, 2): up the left edge, down the right one."""
        return np.vstack([self.left_mm, self.right_mm[::-1]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Survey:
    """All lines of one board as painted; `misfit_px` is the RMS of their edges' standard errors in the picture."""

    lines: tuple[PaintedLine, ...]
    misfit_px: float
