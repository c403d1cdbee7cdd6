"""How far pixels lie beyond convex outlines that slide over the picture together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.solid import DIRECTIONS

Array = NDArray[np.float64]


FAR_PX = 0.4  # moved farther than this, a pixel's nearest side may be another
SHAPE = 4  # how an outline may change: its place along x and y in mm, its radius in mm, its height as a share


class Hulls:
    """Remembers the nearest side of each pixel for each of H outlines, so that small moves cost little.

    An outline is its points (N, 2), and how far each of them would move if the body were twice as tall (N, 2);
    `px_a_mm` (2, 2) is how far all of them move for a millimetre.
    """

    beyond: Array  # (H, P), negative inside
    slopes: Array  # (H, SHAPE, P), how far the nearest side moves out for each change of SHAPE

    def __init__(self, pixels: Array, outlines: Sequence[tuple[Array, Array]], px_a_mm: Array) -> None:
        self._px_a_mm = px_a_mm
        self._away = np.empty((len(outlines), len(pixels), len(DIRECTIONS)), np.float32)
        self._sides = np.empty((len(outlines), SHAPE, len(DIRECTIONS)))
        self._sides[:, :2] = (DIRECTIONS @ px_a_mm).T
        self._sides[:, 2] = np.hypot(*self._sides[0, :2])  # a wider circle reaches farther on all sides
        along = pixels @ DIRECTIONS.T
        for away, sides, (points_px, rises_px) in zip(self._away, self._sides, outlines, strict=True):
            reaches = DIRECTIONS @ points_px.T
            farthest = reaches.argmax(axis=1)
            np.subtract(along, reaches[np.arange(len(farthest)), farthest], out=away)
            sides[3] = (rises_px[farthest] * DIRECTIONS).sum(axis=1)
        self._settle(np.zeros(2))

    def move(self, move_mm: Array) -> None:
        """Measure anew for outlines moved by (2,) from where they were at first."""
        move = move_mm - self._settled_mm
        if np.hypot(*(self._px_a_mm @ move)) > FAR_PX:
            self._settle(move_mm)
        else:
            self.beyond = self._settled - move @ self.slopes[:, :2]

    def _settle(self, move_mm: Array) -> None:
        away = self._away - (DIRECTIONS @ (self._px_a_mm @ move_mm)).astype(np.float32)
        nearest = away.argmax(axis=2)
        of_each = np.arange(nearest.size) * len(DIRECTIONS) + nearest.ravel()
        self._settled_mm, self._settled = move_mm, away.ravel()[of_each].astype(float).reshape(nearest.shape)
        self.beyond = self._settled
        self.slopes = np.stack([sides[:, side] for sides, side in zip(self._sides, nearest, strict=True)])
