"""A ring of glass: ground seen through a hole and, darker, through the band round it.

The ground's own texture stays, so that what tells changes of light apart would tell a ring to be one. But a band as
wide as the ring's is darker all the way round than the ground beyond it, which no shadow's corner is.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]
Plane = NDArray[np.float32]


@dataclass(frozen=True)
class GlassTuning(Tuning):
    """Where a ring of glass lies, and whether darkness goes on beyond."""

    band_from: float = tuned(
        0.72,
        title="of the radius, from where a ring's glass is dark",
        unit="1",
        low=0.4,
        high=0.95,
        source=by_hand_in("9d36824"),
    )
    band_to: float = tuned(
        1.0, title="of the radius, up to where it is", unit="1", low=0.8, high=1.2, source=by_hand_in("9d36824")
    )
    beyond_from: float = tuned(
        1.3,
        title="of the radius, from where the ground beyond is compared",
        unit="1",
        low=1,
        high=2,
        source=by_hand_in("9d36824"),
    )
    beyond_to: float = tuned(
        1.7, title="of the radius, up to where it is", unit="1", low=1.3, high=3, source=by_hand_in("9d36824")
    )
    dull_hole: float = tuned(
        0.5,
        title="logarithm by which a hole may be darker than the ground beyond and still count in full",
        unit="1",
        low=0,
        high=2,
        source=by_hand_in("9d36824"),
    )
    hole: float = tuned(
        0.55, title="of the radius, a ring's hole", unit="1", low=0.2, high=0.8, source=by_hand_in("9d36824")
    )
    sectors: int = tuned(
        8, title="parts of a ring, the lightest of which tells", unit="1", low=3, high=32, source=by_hand_in("9d36824")
    )
    fine_px: float = tuned(
        8.0,
        title="radius that stays in the shrunk picture in which a ring is looked for",
        unit="px",
        low=4,
        high=30,
        source=by_hand_in("9d36824"),
    )
    reach: float = tuned(
        0.7,
        title="of the radius: how far its middle may lie from where it is looked for",
        unit="1",
        low=0.1,
        high=2,
        source=by_hand_in("9d36824"),
    )
    least_darker: float = tuned(
        0.05,
        title="logarithm by which the lightest part of a ring is darker than the ground beyond",
        unit="1",
        low=0,
        high=0.5,
        source=by_hand_in("9d36824"),
    )
    half_as_dark: float = tuned(
        0.5,
        title="of a ring's darkness, from which the ground beyond counts as dark",
        unit="1",
        low=0.1,
        high=0.9,
        source=by_hand_in("9d36824"),
    )
    goes_on: float = tuned(
        0.3,
        title="share of the ground beyond that is so dark from which it is a stripe or corner",
        unit="1",
        low=0.05,
        high=0.9,
        source=by_hand_in("9d36824"),
    )
    least_rise: float = tuned(
        0.2,
        title="logarithm: in less darkness nothing can be told",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("9d36824"),
    )


GLASS = GlassTuning()

GAMMA = 2.2  # of stored levels: about that of sRGB


def seek_glass(now: Image, empty: Image, near_px: Array, radius_px: float) -> Array | None:
    """Find the middle (2,) of a ring near a place of the picture; None where no band is darker all round."""
    step = max(int(radius_px // GLASS.fine_px), 1)
    radius = radius_px / step
    reach, room = int(np.ceil(GLASS.reach * radius)), int(np.ceil(GLASS.beyond_to * radius)) + 1
    half = (reach + room) * step + step // 2
    x, y = np.round(near_px).astype(int)
    rows, columns = slice(y - half, y + half + 1), slice(x - half, x + half + 1)
    if min(rows.start, columns.start) < 0 or rows.stop > now.shape[0] or columns.stop > now.shape[1]:
        return None
    darker = _log_luma(empty[rows, columns], step) - _log_luma(now[rows, columns], step)
    middle = len(darker) // 2
    near = slice(middle - reach, middle + reach + 1)
    hole, beyond, *parts = (
        cv2.filter2D(darker, -1, kernel)[near, near] for kernel in _kernels(round(radius * 10), GLASS)
    )
    score = np.min(parts, axis=0) - np.maximum(beyond, hole - GLASS.dull_hole)
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    if score[row, column] < GLASS.least_darker:
        return None
    shift = np.array([column - reach, row - reach])
    grid = np.arange(len(darker)) - middle
    away = np.hypot(grid[None, :] - shift[0], grid[:, None] - shift[1]) / radius
    rise, beyond_share = spread(darker, away)
    if rise < GLASS.least_rise or beyond_share > GLASS.goes_on:
        return None
    return np.asarray(near_px, float).round() + shift * step


def goes_on(darker: Plane, away: NDArray[np.floating]) -> bool:
    """Tell whether what is darker about a disc goes on beyond it, as a person's shadow does.

    `darker` (H, W) is by how much each pixel got darker, `away` its distance from the middle in radii.
    """
    rise, beyond_share = spread(darker, away)
    return rise > GLASS.least_rise and beyond_share > GLASS.goes_on


def spread(darker: Plane, away: NDArray[np.floating]) -> tuple[float, float]:
    """Tell by how much a disc's band got darker than the ground beyond, and what share of that is half as dark."""
    beside = darker[(away > GLASS.beyond_from) & (away < GLASS.beyond_to)]
    level = float(np.median(beside))
    rise = float(np.median(darker[(away > GLASS.band_from) & (away < GLASS.band_to)])) - level
    return rise, float((beside > level + GLASS.half_as_dark * rise).mean())


def _log_luma(bgr: Image, step: int) -> Plane:
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    side = luma.shape[0] // step
    return np.asarray(GAMMA * np.log(cv2.resize(luma, (side, side), interpolation=cv2.INTER_AREA) + 6), np.float32)


@lru_cache(maxsize=64)
def _kernels(tenths_px: int, tuning: GlassTuning) -> tuple[Plane, ...]:
    """Average the hole, the ground beyond, and each sector of the band of a ring of this radius."""
    radius = tenths_px / 10
    n = int(np.ceil(tuning.beyond_to * radius))
    rows, columns = np.mgrid[-n : n + 1, -n : n + 1]
    away = np.hypot(rows, columns) / radius
    sector = ((np.arctan2(rows, columns) / (2 * np.pi) + 0.5) * tuning.sectors).astype(int) % tuning.sectors
    band = (away > tuning.band_from) & (away < tuning.band_to)
    masks = (
        away < tuning.hole,
        (away > tuning.beyond_from) & (away < tuning.beyond_to),
        *(band & (sector == i) for i in range(tuning.sectors)),
    )
    return tuple(np.asarray(mask / max(mask.sum(), 1), np.float32) for mask in masks)
