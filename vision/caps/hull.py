"""How far pixels lie beyond a convex outline that slides over the picture."""

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.solid import DIRECTIONS, reach

Array = NDArray[np.float64]


FAR_PX = 0.4  # moved farther than this, a pixel's nearest side may be another


class Hull:
    """Remembers the nearest side of each pixel, so that small moves cost little.

    `rises_px` (N, 2) is how far each of the points (N, 2) would move if the body were twice as tall.
    """

    beyond: Array  # (P,), negative inside
    outward: Array  # (P, 2), the way out of the nearest side
    rise: Array  # (P,), how far that side would move out if the body were twice as tall

    def __init__(self, pixels: Array, points_px: Array, rises_px: Array) -> None:
        self._all = (pixels @ DIRECTIONS.T - reach(points_px)).astype(np.float32)
        farthest = (points_px @ DIRECTIONS.T).argmax(axis=0)
        self._rises = (rises_px[farthest] * DIRECTIONS).sum(axis=1)
        self._settle(np.zeros(2))

    def move(self, move_px: Array) -> None:
        """Measure anew for the outline moved by (2,) from where it was at first."""
        if np.hypot(*(move_px - self._settled_px)) > FAR_PX:
            self._settle(move_px)
        else:
            self.beyond = self._distance - self.outward @ (move_px - self._settled_px)

    def _settle(self, move_px: Array) -> None:
        beyond = self._all - (DIRECTIONS @ move_px).astype(np.float32)
        nearest = beyond.argmax(axis=1)
        self._settled_px = move_px
        self._distance = beyond[np.arange(len(beyond)), nearest].astype(float)
        self.beyond = self._distance
        self.outward = DIRECTIONS[nearest]
        self.rise = self._rises[nearest]
