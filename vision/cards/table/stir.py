"""Where something stirs: small pictures compared in time, place by place."""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.calibration.set_by_hand import by_hand_in
from linesies.vision.cards.spots import SMALL, TableSpot
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.picture.frame import Frame, Image


@dataclass(frozen=True)
class StirTuning(Tuning):
    """When something moves."""

    lag_s: float = tuned(
        0.07,
        title="frames so far apart are compared",
        unit="s",
        low=0.01,
        high=0.5,
        source=BY_HAND,
    )
    least_levels: float = tuned(
        5.0,
        title="least change of a small pixel that moves",
        unit="levels",
        low=1.0,
        high=40.0,
        source=BY_HAND,
    )
    sigmas: float = tuned(
        6.0,
        title="how many times the noise that change is",
        unit="1",
        low=2.0,
        high=20.0,
        source=BY_HAND,
    )
    few: int = tuned(
        3,
        title="small pixels that stir, for something to move",
        unit="px",
        low=1,
        high=50,
        source=BY_HAND,
    )
    follows: float = tuned(
        0.1,
        title="of a change of the noise, what is followed from frame to frame",
        unit="1",
        low=0.005,
        high=1,
        source=by_hand_in("d942027"),
    )
    least_noise_levels: float = tuned(
        0.3,
        title="noise that is added to what is measured, for levels are whole",
        unit="levels",
        low=0,
        high=3,
        source=by_hand_in("d942027"),
    )


STIR = StirTuning()


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
        while len(self._last) > 1 and frame.t_s - self._last[1][0] >= STIR.lag_s:
            self._last.popleft()
        self.moving = np.zeros(small.shape, bool)
        if self._last:
            change = cv2.absdiff(small, self._last[0][1])
            noise = 1.48 * float(np.median(change[::2, ::2])) + STIR.least_noise_levels
            self._sigma += STIR.follows * (noise - self._sigma)
            self.moving = change > max(STIR.least_levels, STIR.sigmas * self._sigma)
        self._last.append((frame.t_s, small))
        if self._moved_s is None or np.count_nonzero(self.moving) >= STIR.few:
            self._moved_s = frame.t_s
        self.still_s = frame.t_s - self._moved_s

    def is_stirring(self, spot: TableSpot) -> bool:
        """Tell whether anything moves there."""
        assert self.moving is not None
        return int(np.count_nonzero(self.moving & spot.small_mask)) >= STIR.few
