"""When a cap was first set in motion: its place in the last seconds, frame by frame, at full resolution.

A touch moves a cap by a fraction of a pixel before it moves far enough to be missed, and the order of two touches in
one frame decides who hit whom.
"""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.shift import REACH_RADII, Shift, shift_of_disc
from linesies.vision.picture.small_picture import small_to_px
from linesies.vision.shots.place import Place

Array = NDArray[np.float64]

KEPT_S = 3.0
REACH_PX = 6  # about what a comparison needs
LEAST_FRAMES = 4
EARLIER_S = 0.12  # than the cap was missed, the search begins
LATER_S = 0.04
STIRRED_PX = 0.06
GOES_ON_PX = 0.25  # in the frame after; a shadow or a codec's whim does not go on
CLEAREST = 0.3  # of the disc's contrast may stay unexplained in a frame that counts


class PlaceHistory:
    """Remembers how each cap's place looked in the last seconds."""

    def __init__(self, stand: Place, *, shrink: int) -> None:
        self._centre_px = small_to_px(stand.centre_small[None], shrink)[0]
        self._radius_px = stand.radius_small * shrink
        reach = REACH_RADII * self._radius_px + REACH_PX
        x, y = self._centre_px
        self._rows = slice(max(int(y - reach), 0), int(y + reach) + 1)
        self._columns = slice(max(int(x - reach), 0), int(x + reach) + 1)
        self._seen: deque[tuple[float, Image]] = deque()

    def see(self, frame: Frame) -> None:
        """Keep the place as it looks now."""
        self._seen.append((frame.t_s, frame.luma_at(self._rows, self._columns).copy()))
        while frame.t_s - self._seen[0][0] > KEPT_S:
            self._seen.popleft()

    def set_off_s(self, *, missed_s: float) -> float | None:
        """Find when the cap was set in motion, about when it was missed; None where that cannot be seen."""
        near = [(t, place) for t, place in self._seen if missed_s - EARLIER_S <= t <= missed_s + LATER_S]
        if len(near) < LEAST_FRAMES:
            return None
        first = np.mean([place for _, place in near[:2]], axis=0, dtype=np.float32)
        for i in range(2, len(near) - 1):
            shift, following = self._shift(first, near[i][1]), self._shift(first, near[i + 1][1])
            if shift is None or (shift.unexplained > CLEAREST and shift.length_px < STIRRED_PX):
                return None
            goes_on = following is not None and following.length_px > shift.length_px + GOES_ON_PX
            if goes_on and shift.length_px > max(STIRRED_PX, 5 * shift.sigma_px):
                return _start_s(near[i - 1][0], near[i][0], near[i + 1][0], shift, following)
        return None

    def _shift(self, first: Array, then: Image) -> Shift | None:
        centre = self._centre_px - (self._columns.start, self._rows.start)
        return shift_of_disc(first, then, centre, self._radius_px, others_px=[])


def _start_s(before_s: float, t_s: float, next_s: float, shift: Shift, following: Shift) -> float:
    """Reckon back from the first frame in which a cap had moved to when it began, at its speed after that."""
    gained_px = following.length_px - shift.length_px
    if gained_px < shift.length_px:
        return (before_s + t_s) / 2
    return max(before_s, t_s - (next_s - t_s) * shift.length_px / gained_px)
