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
    least_cells: int = tuned(
        12,
        title="of 16 like cells of the picture, in which something is that is all over it",
        unit="1",
        low=6,
        high=16,
        source="geometry: an arm across the whole picture is in 7 of them at most, two in 12 together, seldom",
    )


RAIN = RainTuning()

STREAK = 3  # pixels across that are more than a streak
CELLS = 4  # across the picture, and down
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


def is_all_over(mask: Mask) -> bool:
    """Tell whether something is marked almost everywhere in a mask: rain is, and no arm."""
    cells = cv2.resize(mask.astype(np.float32), (CELLS, CELLS), interpolation=cv2.INTER_AREA)  # their means
    return cv2.countNonZero(cells) >= RAIN.least_cells


def without_rain(mask: Mask, *, before: tuple[Mask, ...] = ()) -> Mask:
    """Leave out what is thinner than a streak is at most, where there is much of it.

    What the two pictures `before` show as well has stayed: that is left in, however thin.
    """
    most = RAIN.least_share * mask.size
    marked = cv2.countNonZero(mask)
    if marked <= most:
        return mask
    left, top, across, down = cv2.boundingRect(mask)
    window = window_about(left, top, across, down, reach=STREAK)
    broad = cv2.morphologyEx(mask[window], cv2.MORPH_OPEN, np.ones((STREAK, STREAK), np.uint8))
    if marked - cv2.countNonZero(broad) <= most:
        return mask
    dry = np.zeros_like(mask)
    dry[window] = broad
    return reduce(cv2.bitwise_and, before, mask) | dry if len(before) == STAYED else dry
