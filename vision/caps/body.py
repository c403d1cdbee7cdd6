"""Where the body of something found lies, and not its shadow: a shadow takes light, a body changes the colour too.

A cap as bright as the ground hardly changes its brightness; what the finder sees best of it is the shadow beside it.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import to_linear
from linesies.vision.caps.change import Plane
from linesies.vision.caps.size import window
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]

# set by hand on simulated streets of seeds 11, 77 and 301 to 307, where caps are 7 to 11 px wide
DARK = 0.02  # linear light below which colours are mostly noise
SHADE_TINT, BODY_TINT = 0.45, 1.2  # a shadow in skylight turns so blue at most; a body's colour counts whole from here
REACH = 2.2  # how far from its middle the body is sought, in radii of what was found
WINDOW, STEPS = 1.3, 4  # radii round a middle that tell the next one, since bodies may be larger than what was found
LEAST = 0.35  # of the disc must have another colour than the ground; less is a speck, or noise


def body_middle(now_bgr: Image, empty_bgr: Image, xy_px: Array, radius_px: float) -> Array | None:
    """Find the middle (2,) of what has another colour than the empty ground there; None where nothing near has."""
    rows, columns = window(now_bgr, xy_px, int(np.ceil((REACH + 1) * radius_px)))
    coloured = _coloured(now_bgr[rows, columns], empty_bgr[rows, columns])
    coloured = np.asarray(cv2.morphologyEx(coloured, cv2.MORPH_CLOSE, np.ones((_odd(radius_px),) * 2)), np.float32)
    ys, xs = np.mgrid[rows, columns]
    filled = cv2.filter2D(coloured, -1, _disc(radius_px), borderType=cv2.BORDER_CONSTANT)
    filled[np.hypot(xs - xy_px[0], ys - xy_px[1]) > REACH * radius_px] = 0
    row, column = np.unravel_index(int(filled.argmax()), filled.shape)
    if filled[row, column] < LEAST:
        return None
    middle_px = np.array([xs[row, column], ys[row, column]], float)
    for _ in range(STEPS):
        weight = coloured * (np.hypot(xs - middle_px[0], ys - middle_px[1]) <= WINDOW * radius_px)
        middle_px = np.array([(weight * xs).sum(), (weight * ys).sum()], float) / float(weight.sum())
    return middle_px


def _coloured(now_bgr: Image, empty_bgr: Image) -> Plane:
    """Tell how surely each pixel, 0 to 1, changed its colour by more than a shadow does."""
    ratios = np.log((to_linear(now_bgr) + DARK) / (to_linear(empty_bgr) + DARK))
    return np.asarray(np.clip((np.ptp(ratios, axis=-1) - SHADE_TINT) / (BODY_TINT - SHADE_TINT), 0, 1), np.float32)


def _odd(size_px: float) -> int:
    """Give an odd size near: what is pale within a body, a cap's glare, is filled when no larger."""
    return round(size_px) | 1


def _disc(radius_px: float) -> Plane:
    reach = int(np.ceil(radius_px))
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = (np.hypot(rows, columns) <= radius_px).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
