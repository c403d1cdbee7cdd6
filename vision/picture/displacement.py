"""How a picture lies against the ground as it was calibrated, and the same pixels brought back to where they belong.

A pole sways: shift, roll, scale and shear are linear in the place. A rolling shutter takes the rows one after the
other, so that what the pole does meanwhile bends the picture along its rows: a cubic of the row. Places are counted
from the middle in half widths and half heights, so that the same coefficients serve every resolution.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.layout import Image

Points = NDArray[np.float64]
Window = tuple[slice, slice]  # rows, columns

TERMS = 5  # 1, u, v, v^2, v^3
NEGLIGIBLE_SMALL = 0.08  # small pixels: a sixth of a full one, below which resampling costs more than it mends


@dataclass(frozen=True)
class Displacement:
    """By how much the ground is seen beside its calibrated place: coefficients (2, TERMS) in small pixels."""

    coefficients: NDArray[np.float64]
    size_small: tuple[int, int]

    def at(self, xy_small: Points) -> Points:
        """Tell the displacement (N, 2) at points (N, 2) of the calibrated small picture."""
        return terms_at(xy_small, self.size_small) @ self.coefficients.T

    @cached_property
    def at_corners(self) -> Points:
        """The displacement (5, 2) in the corners and in the middle."""
        w, h = self.size_small
        return self.at(np.array([[0, 0], [w, 0], [0, h], [w, h], [w / 2, h / 2]], float))

    @cached_property
    def is_negligible(self) -> bool:
        """Whether the picture lies as calibrated."""
        return float(np.abs(self.at_corners).max()) < NEGLIGIBLE_SMALL

    def undone(self, plane: Image, window: Window | None = None) -> Image:
        """Bring a plane or picture (H, W) or (H, W, 3) of any resolution back, or a window of it.

        What lies beyond the border is shown as the border.
        """
        if self.is_negligible:
            return plane if window is None else plane[window]
        maps = self._maps(plane.shape[:2], window)
        return cv2.remap(plane, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)

    def undone_small(self, small: Image) -> Image:
        """Bring the small picture (h, w, 3) back: its luma sharply, its colours as fast as can be."""
        if self.is_negligible:
            return small
        maps = self._maps(small.shape[:2])
        y, u, v = cv2.split(small)
        colours = cv2.remap(cv2.merge([u, v]), *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        luma = cv2.remap(y, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return cv2.merge([luma, *cv2.split(colours)])

    def _maps(self, shape: tuple[int, ...], window: Window | None = None) -> tuple[NDArray[np.int16], Image]:
        """Tell where the pixels of a plane of that shape, or of its window, are seen."""
        height, width = shape
        rows, columns = window or (slice(0, height), slice(0, width))
        rows, columns = slice(*rows.indices(height)), slice(*columns.indices(width))
        xs, ys = np.arange(columns.start, columns.stop), np.arange(rows.start, rows.stop)
        u, v = (2 * xs + 1) / width - 1, (2 * ys + 1) / height - 1
        scale = width / self.size_small[0]
        along = [scale * c[1] * u for c in self.coefficients]
        down = [scale * np.polynomial.polynomial.polyval(v, [c[0], *c[2:]]) for c in self.coefficients]
        map_x = (xs + along[0]).astype(np.float32)[None] + down[0].astype(np.float32)[:, None]
        map_y = along[1].astype(np.float32)[None] + (ys + down[1]).astype(np.float32)[:, None]
        return cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)


def none_of(size_small: tuple[int, int]) -> Displacement:
    """Make the displacement of a picture that lies as calibrated."""
    return Displacement(np.zeros((2, TERMS)), size_small)


def terms_at(xy_small: Points, size_small: tuple[int, int]) -> NDArray[np.float64]:
    """Reckon the terms (N, TERMS) by which a displacement is made up at points (N, 2)."""
    u, v = ((2 * np.asarray(xy_small, float) + 1) / np.array(size_small) - 1).T
    return np.stack([np.ones_like(u), u, v, v**2, v**3], axis=1)
