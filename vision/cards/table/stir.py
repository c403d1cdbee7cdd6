"""Where something stirs: small pictures compared in time, place by place."""

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.spots import SMALL, Spot
from linesies.vision.picture.frame import Frame, Image

LAG_S = 0.07  # frames so far apart are compared
LEAST_LEVELS = 5.0
SIGMAS = 6.0
FEW = 3  # small pixels that stir, for something to move


class Stir:
    """Remembers the last small pictures and the noise on them."""

    def __init__(self) -> None:
        self._last: deque[tuple[float, Image]] = deque()
        self._sigma = 1.0
        self.moving: NDArray[np.bool_] | None = None
        self.still_s = 0.0  # for how long nothing has moved anywhere
        self._moved_s: float | None = None

    def see(self, frame: Frame) -> None:
        """Look at the next frame."""
        width, height = frame.size_px
        small = cv2.resize(frame.luma, (width // SMALL, height // SMALL), interpolation=cv2.INTER_AREA)
        while len(self._last) > 1 and frame.t_s - self._last[1][0] >= LAG_S:
            self._last.popleft()
        self.moving = np.zeros(small.shape, bool)
        if self._last:
            change = cv2.absdiff(small, self._last[0][1])
            self._sigma += 0.1 * (1.48 * float(np.median(change[::2, ::2])) + 0.3 - self._sigma)
            self.moving = change > max(LEAST_LEVELS, SIGMAS * self._sigma)
        self._last.append((frame.t_s, small))
        if self._moved_s is None or np.count_nonzero(self.moving) >= FEW:
            self._moved_s = frame.t_s
        self.still_s = frame.t_s - self._moved_s

    def is_stirring(self, spot: Spot) -> bool:
        """Tell whether anything moves there."""
        assert self.moving is not None
        return int(np.count_nonzero(self.moving & spot.small_mask)) >= FEW
