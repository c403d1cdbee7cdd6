"""Where the body of something found lies, and not its shadow: a shadow takes light, a body changes the colour too.

A cap as bright as the ground hardly changes its brightness; what the finder sees best of it is the shadow beside it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import to_linear
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.change import Plane
from linesies.vision.caps.size import window
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyTuning(Tuning):
    """Where the coloured body lies that a spot shows, or that casts it."""

    dark: float = tuned(
        0.02,
        title="linear light below which colours are mostly noise",
        unit="1",
        low=0.001,
        high=0.2,
        source=by_hand_in("f24f0fe"),
    )
    shade_tint: float = tuned(
        0.45,
        title="logarithm by which a shadow in skylight turns blue at most",
        unit="1",
        low=0.1,
        high=1.5,
        source=by_hand_in("f24f0fe"),
    )
    body_tint: float = tuned(
        1.2,
        title="likewise, from which a body's colour counts whole",
        unit="1",
        low=0.5,
        high=3,
        source=by_hand_in("f24f0fe"),
    )
    reach: float = tuned(
        2.2,
        title="radii of what was found, up to which from its middle the body is sought",
        unit="1",
        low=1,
        high=5,
        source=by_hand_in("f24f0fe"),
    )
    window: float = tuned(
        1.3,
        title="radii round a middle that tell the next one, since bodies may be larger than what was found",
        unit="1",
        low=1,
        high=3,
        source=by_hand_in("30046e7"),
    )
    steps: int = tuned(
        4, title="times that the middle is told anew", unit="1", low=1, high=20, source=by_hand_in("30046e7")
    )
    least: float = tuned(
        0.35,
        title="of the disc, what must have another colour than the ground; less is a speck, or noise",
        unit="1",
        low=0.05,
        high=0.9,
        source=by_hand_in("f24f0fe"),
    )


BODY = BodyTuning()


def body_middle(now_bgr: Image, empty_bgr: Image, xy_px: Array, radius_px: float) -> Array | None:
    """Find the middle (2,) of what has another colour than the empty ground there; None where nothing near has."""
    rows, columns = window(now_bgr, xy_px, int(np.ceil((BODY.reach + 1) * radius_px)))
    coloured = _coloured(now_bgr[rows, columns], empty_bgr[rows, columns])
    coloured = np.asarray(cv2.morphologyEx(coloured, cv2.MORPH_CLOSE, np.ones((_odd(radius_px),) * 2)), np.float32)
    ys, xs = np.mgrid[rows, columns]
    filled = cv2.filter2D(coloured, -1, _disc(radius_px), borderType=cv2.BORDER_CONSTANT)
    filled[np.hypot(xs - xy_px[0], ys - xy_px[1]) > BODY.reach * radius_px] = 0
    row, column = np.unravel_index(int(filled.argmax()), filled.shape)
    if filled[row, column] < BODY.least:
        return None
    middle_px = np.array([xs[row, column], ys[row, column]], float)
    for _ in range(BODY.steps):
        weight = coloured * (np.hypot(xs - middle_px[0], ys - middle_px[1]) <= BODY.window * radius_px)
        middle_px = np.array([(weight * xs).sum(), (weight * ys).sum()], float) / float(weight.sum())
    return middle_px


def _coloured(now_bgr: Image, empty_bgr: Image) -> Plane:
    """Tell how surely each pixel, 0 to 1, changed its colour by more than a shadow does."""
    ratios = np.log((to_linear(now_bgr) + BODY.dark) / (to_linear(empty_bgr) + BODY.dark))
    return np.asarray(
        np.clip((np.ptp(ratios, axis=-1) - BODY.shade_tint) / (BODY.body_tint - BODY.shade_tint), 0, 1), np.float32
    )


def _odd(size_px: float) -> int:
    """Give an odd size near: what is pale within a body, a cap's glare, is filled when no larger."""
    return round(size_px) | 1


def _disc(radius_px: float) -> Plane:
    reach = int(np.ceil(radius_px))
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = (np.hypot(rows, columns) <= radius_px).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
