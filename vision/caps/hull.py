"""How far pixels lie beyond a convex outline that slides over the picture."""

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.solid import DIRECTIONS, reach

Array = NDArray[np.float64]


FAR_PX = 0.4  # moved farther than this, a pixel's nearest side may be another


class Hull:
    """Remembers the nearest side of each pixel, so that small moves cost little."""

    beyond: Array  # (P,), negative inside
    outward: Array  # (P, 2), the way out of the nearest side

    def __init__(self, pixels: Array, points_px: Array) -> None:
        self._all = (pixels @ DIRECTIONS.T - reach(points_px)).astype(np.float32)
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
