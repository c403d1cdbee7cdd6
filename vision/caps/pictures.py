"""The two pictures of one moment: what is seen now and the empty board, and how they lie on one another."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, View
from linesies.calibration.grid import on_grid
from linesies.vision.caps.registering import Alignment
from linesies.vision.caps.veil import Clear
from linesies.vision.picture.displacement import Displacement, shifted
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]

PixelWindow = tuple[int, int, int, int]  # first column and row, and those after the last

LEAST_SHIFT_PX = 0.02  # less is not worth blurring the empty picture for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeforeAndNow:
    """Pictures (H, W, 3) of now and of the empty board, and by how much that of now is displaced; None: unknown.

    `kept_px` are the parts of them that are kept; None: they are whole.
    """

    now: Image
    empty: Image
    displacement: Displacement | None = None
    kept_px: tuple[PixelWindow, ...] | None = None

    def shows(self, window_px: PixelWindow) -> bool:
        """Tell whether all of a part is kept."""
        return self.kept_px is None or any(_is_within(window_px, kept) for kept in self.kept_px)

    def shift_px(self, at_px: Array) -> Array:
        """Tell how far (2,) the picture of now is shifted about a pixel (2,)."""
        shift: Array = self.shifts_px(at_px[None])[0]
        return shift

    def shifts_px(self, at_px: Array) -> Array:
        """Tell how far (N, 2) the picture of now is shifted about pixels (N, 2)."""
        shifts = np.zeros(at_px.shape) if self.displacement is None else self.displacement.at(at_px)
        shifts = on_grid(shifts)
        return np.where(np.abs(shifts).max(axis=1, keepdims=True) > LEAST_SHIFT_PX, shifts, 0.0)

    def view_now(self, view: View, near_mm: Array) -> View:
        """Give the view (of the empty picture) as it is now about a board point (2,)."""
        shift_px = self.shift_px(view.mm_to_px(near_mm[None])[0])
        if not shift_px.any():
            return view
        matrix = view.lens.camera_matrix.copy()
        matrix[:2, 2] += shift_px
        return replace(view, lens=replace(view.lens, camera_matrix=matrix))

    def empty_window(self, rows: slice, columns: slice) -> Image:
        """Cut a window of the picture of now out of the empty one, moved to lie under it."""
        middle_px = np.array([columns.start + columns.stop - 1, rows.start + rows.stop - 1]) / 2
        dx, dy = self.shift_px(middle_px)
        if not (dx or dy):
            return self.empty[rows, columns]
        size = (columns.stop - columns.start, rows.stop - rows.start)
        return shifted(self.empty, (columns.start - dx, rows.start - dy), size)


def pair(clear: Clear, alignment: Alignment, calibration: Calibration) -> BeforeAndNow:
    """Put the picture of now beside the empty one; what it lies off is minded where a cap is measured."""
    left = alignment.displacement if alignment.is_near else None
    return BeforeAndNow(now=clear.bgr, empty=calibration.empty_bgr, displacement=left)


def _is_within(one_px: PixelWindow, other_px: PixelWindow) -> bool:
    (x0, y0, x1, y1), (left, top, right, bottom) = one_px, other_px
    return left <= x0 and top <= y0 and x1 <= right and y1 <= bottom
