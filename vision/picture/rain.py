"""Streaks of rain: thin things all over the picture."""

from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.masks import Mask, window_about


@dataclass(frozen=True)
class RainTuning(Tuning):
    """From how much on thin things are rain."""

    least_share: float = tuned(
        0.002,
        title="of the picture's area in things thinner than any cap: streaks of rain",
        unit="1",
        low=0.0001,
        high=0.05,
        source=BY_HAND,
    )


RAIN = RainTuning()

STREAK, STREAKS_CROSS = 3, 5  # pixels across that are more than a streak, and more than where two of them cross
STAYED = 2  # pictures before, of three in all: of two pictures' many streaks some lie on one another by chance


class Rain:
    """Remembers what the last pictures showed: a streak is there in one of them, a cap half on paint stays."""

    def __init__(self) -> None:
        self._before: tuple[Mask, ...] = ()

    def forget(self) -> None:
        """Forget them, where pictures were left out since."""
        self._before = ()

    def left_out_of(self, mask: Mask) -> Mask:
        """Leave streaks of rain out of the next picture's mask, but nothing that the last ones showed as well."""
        before, self._before = self._before, (*self._before, mask.copy())[-STAYED:]
        return without_rain(mask, before=before)


def without_rain(mask: Mask, width: int = STREAK, *, before: tuple[Mask, ...] = ()) -> Mask:
    """Leave out what is thinner than so many pixels, where such things are all over the picture.

    What the two pictures `before` show as well has stayed: that is left in, however thin.
    """
    most = RAIN.least_share * mask.size
    marked = cv2.countNonZero(mask)
    if marked <= most:
        return mask
    left, top, across, down = cv2.boundingRect(mask)
    window = window_about(left, top, across, down, reach=width)
    broad = cv2.morphologyEx(mask[window], cv2.MORPH_OPEN, np.ones((width, width), np.uint8))
    if marked - cv2.countNonZero(broad) <= most:
        return mask
    dry = np.zeros_like(mask)
    dry[window] = broad
    return reduce(cv2.bitwise_and, before, mask) | dry if len(before) == STAYED else dry
