"""How far pixels lie beyond convex outlines that slide over the picture together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.solid import DIRECTIONS

Array = NDArray[np.float64]


FAR_PX = 0.4  # moved farther than this, a pixel's nearest side may be another


class Hulls:
    """Remembers the nearest side of each pixel for each of H outlines, so that small moves cost little.

    An outline is its points (N, 2), and how far each of them would move if the body were twice as tall (N, 2).
    """

    beyond: Array  # (H, P), negative inside
    outward: Array  # (H, P, 2), the way out of the nearest side
    rise: Array  # (H, P), how far that side would move out if the body were twice as tall

    def __init__(self, pixels: Array, outlines: Sequence[tuple[Array, Array]]) -> None:
        along, reaches = pixels @ DIRECTIONS.T, [points_px @ DIRECTIONS.T for points_px, _ in outlines]
        self._all = np.stack([along - reach.max(axis=0) for reach in reaches]).astype(np.float32)
        rises = [rises_px[reach.argmax(axis=0)] for (_, rises_px), reach in zip(outlines, reaches, strict=True)]
        self._rises = (np.stack(rises) * DIRECTIONS).sum(axis=2)
        self._settle(np.zeros(2))

    def move(self, move_px: Array) -> None:
        """Measure anew for outlines moved by (2,) from where they were at first."""
        if np.hypot(*(move_px - self._settled_px)) > FAR_PX:
            self._settle(move_px)
        else:
            self.beyond = self._distance - self.outward @ (move_px - self._settled_px)

    def _settle(self, move_px: Array) -> None:
        beyond = self._all - (DIRECTIONS @ move_px).astype(np.float32)
        nearest = beyond.argmax(axis=2)
        self._settled_px = move_px
        self._distance = np.take_along_axis(beyond, nearest[..., None], axis=2)[..., 0].astype(float)
        self.beyond = self._distance
        self.outward = DIRECTIONS[nearest]
        self.rise = np.take_along_axis(self._rises, nearest, axis=1)
