"""Where something has changed though shadows have moved since the board was empty.

Fences, branches and people cast shade by the side of which no cap is seen: all round it has changed. What shade left,
what it came to and its soft edges lie between two lights, though. Of a colour that goes with them, they are ground.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.change import Plane, Stored, changed_share, colour_of, less_slow, lifted, shaken


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
    bare = lifted(empty[0]) * gain
    brighter = np.log(lifted(now[0]) / bare)
    darkest, brightest = np.percentile(
        brighter[::SPARSE, ::SPARSE], (MOVED_LIGHT.unusual, 100 - MOVED_LIGHT.unusual)
    ).astype(np.float32)
    if brightest - darkest < MOVED_LIGHT.least_moved:
        return None
    light = np.clip(cv2.GaussianBlur(brighter, (0, 0), MOVED_LIGHT.soft_px), darkest, brightest)
    rests = [lifted(now[0]) - np.clip(lifted(now[0]), bare * np.exp(darkest), bare * np.exp(brightest))]
    for colour, ground in zip(now[1:], empty[1:], strict=True):
        rest = colour_of(colour) - colour_of(ground) * (gain * np.exp(light))
        rests.append(less_slow(rest - _tint(rest, light) * light, window))
    return changed_share(rests, (shaken(plane.astype(np.float32)) for plane in empty))


def _tint(rest: Plane, light: Plane) -> np.float32:
    """Tell how a colour changes with the logarithm of the light: shade is lit by the sky alone."""
    rest, light = rest[::SPARSE, ::SPARSE], light[::SPARSE, ::SPARSE]
    is_shaded = np.abs(light) > MOVED_LIGHT.shaded
    if is_shaded.sum() < MOVED_LIGHT.least_shaded:
        return np.float32(0)
    return np.float32(np.median(rest[is_shaded] / light[is_shaded]))
