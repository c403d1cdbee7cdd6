"""What light adds to the empty ground, part by part: averaged over squares in which light is even."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.layout import SATURATED, Image
from linesies.vision.picture.masks import Mask


@dataclass(frozen=True)
class AddedLightTuning(Tuning):
    """When a part of the picture tells what light adds to it."""

    least_seen: float = tuned(
        0.5, title="of a coarse pixel, to tell its light", unit="1", low=0.1, high=1, source=by_hand_in("9d19aee")
    )


ADDED_LIGHT = AddedLightTuning()

COARSE_LIGHT = 4  # pixels that one spans in which light is compared place by place
STRETCHES = 200  # times that a skin of light is stretched: across a cap and its shadow it is even by then


def added_by_light(empty: Image, seen: Image, white: int) -> NDArray[np.float32]:
    """Tell what light adds to coarse pixels (h, w, 3).

    What is saturated tells only that it is at least so much; the darkest of such ground about it tells most.
    """
    luma, *colours = cv2.split(empty)
    is_telling = cv2.inRange(cv2.extractChannel(seen, 0), 0, white - SATURATED)
    known, is_known = _added_where(empty, seen, is_telling)
    darkest = cv2.erode(cv2.bitwise_or(luma, is_telling), np.ones((COARSE_LIGHT + 1,) * 2, np.uint8))
    at_least = _coarse(cv2.subtract(seen, cv2.merge([darkest, *colours]), dtype=cv2.CV_32F))
    return np.where(is_known, known, at_least)


def carried_on(empty: Image, seen: Image, hidden: Mask) -> Image:
    """Show the empty ground with what light adds to it where it is seen, carried on evenly where it is `hidden`.

    Evenly is as a stretched skin: each place is the mean of its neighbours, so that a slope goes on through it.
    """
    height, width = hidden.shape
    known, is_known = _added_where(empty, seen, cv2.inRange(hidden, 0, 0))
    skin, held = np.where(is_known, known, 0), is_known.astype(np.uint8)
    for _ in range(STRETCHES):
        skin = cv2.blur(skin, (3, 3))
        cv2.copyTo(known, held, skin)
    light = cv2.resize(skin, (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.add(empty, light, dtype=cv2.CV_8U)


def _added_where(empty: Image, seen: Image, where: Mask) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Tell what light adds to coarse pixels (h, w, 3), by those parts of them, and for which there are enough."""
    weight, least = _coarse(where)[..., None] / 255, ADDED_LIGHT.least_seen
    added = _coarse(cv2.subtract(seen, empty, mask=where, dtype=cv2.CV_32F)) / np.maximum(weight, least)
    return np.asarray(added, np.float32), np.asarray(weight >= least, np.bool_)


def _coarse(picture: Image | NDArray[np.float32]) -> NDArray[np.float32]:
    """Average a picture over squares in which light is even."""
    height, width = picture.shape[:2]
    size = (max(width // COARSE_LIGHT, 1), max(height // COARSE_LIGHT, 1))
    return np.asarray(cv2.resize(picture.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)
