"""Where something has changed though shadows have moved since the board was empty.

Fences, branches and people cast shade by the side of which no cap is seen: all round it has changed. What shade left,
what it came to and its soft edges lie between two lights, though. Of a colour that goes with them, they are ground.
"""

import cv2
import numpy as np

from linesies.vision.caps.change import Plane, Stored, changed_share, colour_of, less_slow, lifted, shaken

# all by hand: overlooked caps of world=varied 1710 to 1715 and 1720 to 1725 set them, with the other worlds in sight
UNUSUAL = 4.0  # per cent of pixels, about what caps and litter cover at most, are darker or brighter than any light is
LEAST_MOVED = 0.25  # a logarithm: how unlike the darkest and the brightest light are where shadows have moved
SHADED = 0.15  # likewise: what differs so from the usual light tells the tint of shade
LEAST_SHADED = 50  # such pixels of one in sixteen tell it
SPARSE = 4  # every so many rows and columns tell what is true of a whole picture
SOFT_PX = 1.0  # light is smoother than texture


def change_in_moved_light(now: Stored, empty: Stored, gain: Plane, window: int) -> Plane | None:
    """Tell how surely each pixel shows more than other light, 0 to 1; None where no shadow has moved.

    `gain` is the light's, as it is most about; `window` is how far colours change slowly, as of `change_of`.
    """
    bare = lifted(empty[0]) * gain
    brighter = np.log(lifted(now[0]) / bare)
    darkest, brightest = np.percentile(brighter[::SPARSE, ::SPARSE], (UNUSUAL, 100 - UNUSUAL)).astype(np.float32)
    if brightest - darkest < LEAST_MOVED:
        return None
    light = np.clip(cv2.GaussianBlur(brighter, (0, 0), SOFT_PX), darkest, brightest)
    rests = [lifted(now[0]) - np.clip(lifted(now[0]), bare * np.exp(darkest), bare * np.exp(brightest))]
    for colour, ground in zip(now[1:], empty[1:], strict=True):
        rest = colour_of(colour) - colour_of(ground) * (gain * np.exp(light))
        rests.append(less_slow(rest - _tint(rest, light) * light, window))
    return changed_share(rests, (shaken(plane.astype(np.float32)) for plane in empty))


def _tint(rest: Plane, light: Plane) -> np.float32:
    """Tell how a colour changes with the logarithm of the light: shade is lit by the sky alone."""
    rest, light = rest[::SPARSE, ::SPARSE], light[::SPARSE, ::SPARSE]
    is_shaded = np.abs(light) > SHADED
    if is_shaded.sum() < LEAST_SHADED:
        return np.float32(0)
    return np.float32(np.median(rest[is_shaded] / light[is_shaded]))
