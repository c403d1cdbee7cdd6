"""Stillness: whether nothing of a cap's size moves from one picture to the next."""

from dataclasses import dataclass

import cv2
import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.background import BACKGROUND
from linesies.vision.picture.layout import Image
from linesies.vision.picture.masks import Mask, largest
from linesies.vision.picture.rain import is_all_over

SWEPT = "training/stillness.py, on drills of simulated streets 7101 to 7106"


@dataclass(frozen=True)
class StillnessTuning(Tuning):
    """From how much on something moves."""

    moved_levels: int = tuned(
        20,
        title="by which a moving thing changes what is seen",
        unit="levels",
        low=5,
        high=80,
        source=f"by hand, though by {SWEPT}, 28 serves as well and 14 better; on swaying films 14 was not tried",
    )
    moved_share: float = tuned(
        3e-05,
        title="of the picture's area, from which on something moves",
        unit="1",
        low=1e-06,
        high=0.001,
        source=f"{SWEPT}, 1e-05 serves as well and no other value better",
    )


STILLNESS = StillnessTuning()

STREAKS_CROSS = 5  # pixels across, which are more than where two streaks of rain cross


def moved_between(before: Image, now: Image) -> Mask:
    """Mask what moved between two small pictures (h, w).

    Rain is thinner, and a camera that sways is brought back but for a part of a pixel, which steep edges show.
    """
    square = np.ones((3, 3), np.uint8)
    steepness = largest(cv2.subtract(cv2.dilate(before, square), cv2.erode(before, square)))
    forgiven = cv2.convertScaleAbs(steepness, alpha=BACKGROUND.edge_share)
    moved = cv2.subtract(largest(cv2.absdiff(before, now)), forgiven)
    changed = cv2.inRange(moved, STILLNESS.moved_levels, 255)
    if not is_all_over(changed):
        return changed
    return cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((STREAKS_CROSS, STREAKS_CROSS), np.uint8))


def is_of_a_cap(moved: Mask) -> bool:
    """Tell whether as much as a cap moved."""
    return cv2.countNonZero(moved) >= STILLNESS.moved_share * moved.size


def is_still(before: Image, now: Image) -> bool:
    """Tell whether nothing of a cap's size moved between two small pictures."""
    return not is_of_a_cap(moved_between(before, now))
