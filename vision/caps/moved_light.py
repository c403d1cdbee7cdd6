"""Where something has changed though shadows have moved since the board was empty.

Fences, branches and people cast shade by the side of which no cap is seen: all round it has changed. What shade left,
what it came to and its soft edges lie between two lights, though. Of a colour that goes with them, they are ground.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import cv2
import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.change import Plane, Stored, changed_share, colour_of, less_ground, less_slow, lifted
from linesies.vision.picture.bands import bands
from linesies.vision.picture.layout import Image


@dataclass(frozen=True)
class MovedLightTuning(Tuning):
    """Where shadows have moved, so that what lies between two lights is ground."""

    least_shaded: int = tuned(
        50,
        title="such pixels, of one in sixteen, that tell it",
        unit="1",
        low=5,
        high=1000,
        source=by_hand_in("ada3e9c"),
    )
    unusual: float = tuned(
        4.0,
        title="per cent of pixels, about what caps and litter cover at most, that no light explains",
        unit="%",
        low=0.5,
        high=20,
        source=by_hand_in("ada3e9c"),
    )
    least_moved: float = tuned(
        0.25,
        title="logarithm by which the darkest and the brightest light differ where shadows have moved",
        unit="1",
        low=0.05,
        high=2,
        source=by_hand_in("ada3e9c"),
    )
    shaded: float = tuned(
        0.15,
        title="logarithm: what differs so from the usual light tells the tint of shade",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("ada3e9c"),
    )
    soft_px: float = tuned(
        1.0,
        title="blur of light, which is smoother than texture",
        unit="px",
        low=0.3,
        high=5,
        source=by_hand_in("ada3e9c"),
    )


MOVED_LIGHT = MovedLightTuning()

SPARSE = 4  # every so many rows and columns tell what is true of a whole picture


def change_in_moved_light(now: Stored, empty: Stored, gain: Plane, window: int) -> Plane | None:
    """Tell how surely each pixel shows more than other light, 0 to 1; None where no shadow has moved.

    `gain` is the light's, as it is most about; `window` is how far colours change slowly, as of `change_of`.
    """
    sparse = slice(None, None, SPARSE), slice(None, None, SPARSE)
    some = _brighter(now[0][sparse], empty[0][sparse], gain[sparse])
    darkest, brightest = np.percentile(some, (MOVED_LIGHT.unusual, 100 - MOVED_LIGHT.unusual)).astype(np.float32)
    if brightest - darkest < MOVED_LIGHT.least_moved:
        return None
    light, rest = np.empty_like(gain), np.empty_like(gain)
    for rows in bands(len(gain)):
        light[rows] = _brighter(now[0][rows], empty[0][rows], gain[rows])
        bare, lit = lifted(empty[0][rows]) * gain[rows], lifted(now[0][rows])
        np.subtract(lit, np.clip(lit, bare * np.exp(darkest), bare * np.exp(brightest)), out=rest[rows])
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), MOVED_LIGHT.soft_px), np.float32)
    lit_gain = np.empty_like(gain)
    for rows in bands(len(gain)):
        np.clip(light[rows], darkest, brightest, out=light[rows])
        np.multiply(gain[rows], np.exp(light[rows]), out=lit_gain[rows])
    return changed_share(chain([rest], _colours_left(now, empty, lit_gain, light, window)), empty)


def _brighter(now: Image, empty: Image, gain: Plane) -> Plane:
    """Tell by how much, as a logarithm, a luma is brighter than its ground under a gain."""
    return np.asarray(np.log(lifted(now) / (lifted(empty) * gain)), np.float32)


def _colours_left(now: Stored, empty: Stored, lit_gain: Plane, light: Plane, window: int) -> Iterator[Plane]:
    """Take from both colours what the light and its tint explain, and what changes slowly."""
    for colour, ground in zip(now[1:], empty[1:], strict=True):
        rest = less_ground(colour, ground, lit_gain, colour_of)
        tint = _tint(rest, light)
        for rows in bands(len(rest)):
            rest[rows] -= tint * light[rows]
        yield less_slow(rest, window)


def _tint(rest: Plane, light: Plane) -> np.float32:
    """Tell how a colour changes with the logarithm of the light: shade is lit by the sky alone."""
    rest, light = rest[::SPARSE, ::SPARSE], light[::SPARSE, ::SPARSE]
    is_shaded = np.abs(light) > MOVED_LIGHT.shaded
    if is_shaded.sum() < MOVED_LIGHT.least_shaded:
        return np.float32(0)
    return np.float32(np.median(rest[is_shaded] / light[is_shaded]))
