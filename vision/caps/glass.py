"""A ring of glass: ground seen through a hole and, darker, through the band round it.

The ground's own texture stays, so that what tells changes of light apart would tell a ring to be one. But a band as
wide as the ring's is darker all the way round than the ground beyond it, which no shadow's corner is.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]
Plane = NDArray[np.float32]

BAND, HOLE, BEYOND = (0.72, 1.0), 0.55, (1.3, 1.7)  # of the radius
SECTORS = 8
FINE_PX = 8.0  # a ring is looked for in a picture shrunk while its radius stays this long
REACH = 0.7  # of the radius: how far its middle may lie from where it is looked for
LEAST_DARKER = 0.05  # than the ground beyond, as a logarithm, is the lightest part of a ring
DULL_HOLE = 0.5  # by so much darker than the ground beyond a hole may be and still count in full
HALF_AS_DARK, GOES_ON = 0.5, 0.3  # more than this share of the ground beyond half as dark: a stripe or corner
LEAST_RISE = 0.2  # in less darkness, as a logarithm, nothing can be told
GAMMA = 2.2


def seek_glass(now: Image, empty: Image, near_px: Array, radius_px: float) -> Array | None:
    """Find the middle (2,) of a ring near a place of the picture; None where no band is darker all round."""
    step = max(int(radius_px // FINE_PX), 1)
    radius = radius_px / step
    reach, room = int(np.ceil(REACH * radius)), int(np.ceil(BEYOND[1] * radius)) + 1
    half = (reach + room) * step + step // 2
    x, y = np.round(near_px).astype(int)
    rows, columns = slice(y - half, y + half + 1), slice(x - half, x + half + 1)
    if min(rows.start, columns.start) < 0 or rows.stop > now.shape[0] or columns.stop > now.shape[1]:
        return None
    darker = _log_luma(empty[rows, columns], step) - _log_luma(now[rows, columns], step)
    middle = len(darker) // 2
    near = slice(middle - reach, middle + reach + 1)
    hole, beyond, *parts = (cv2.filter2D(darker, -1, kernel)[near, near] for kernel in _kernels(round(radius * 10)))
    score = np.min(parts, axis=0) - np.maximum(beyond, hole - DULL_HOLE)
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    if score[row, column] < LEAST_DARKER:
        return None
    shift = np.array([column - reach, row - reach])
    grid = np.arange(len(darker)) - middle
    away = np.hypot(grid[None, :] - shift[0], grid[:, None] - shift[1]) / radius
    rise, beyond_share = spread(darker, away)
    if rise < LEAST_RISE or beyond_share > GOES_ON:
        return None
    return np.asarray(near_px, float).round() + shift * step


def goes_on(darker: Plane, away: NDArray[np.floating]) -> bool:
    """Tell whether what is darker about a disc goes on beyond it, as a person's shadow does.

    `darker` (H, W) is by how much each pixel got darker, `away` its distance from the middle in radii.
    """
    rise, beyond_share = spread(darker, away)
    return rise > LEAST_RISE and beyond_share > GOES_ON


def spread(darker: Plane, away: NDArray[np.floating]) -> tuple[float, float]:
    """Tell by how much a disc's band got darker than the ground beyond, and what share of that is half as dark."""
    beside = darker[(away > BEYOND[0]) & (away < BEYOND[1])]
    level = float(np.median(beside))
    rise = float(np.median(darker[(away > BAND[0]) & (away < BAND[1])])) - level
    return rise, float((beside > level + HALF_AS_DARK * rise).mean())


def _log_luma(bgr: Image, step: int) -> Plane:
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    side = luma.shape[0] // step
    return np.asarray(GAMMA * np.log(cv2.resize(luma, (side, side), interpolation=cv2.INTER_AREA) + 6), np.float32)


@lru_cache(maxsize=64)
def _kernels(tenths_px: int) -> tuple[Plane, ...]:
    """Average the hole, the ground beyond, and each sector of the band of a ring of this radius."""
    radius = tenths_px / 10
    n = int(np.ceil(BEYOND[1] * radius))
    rows, columns = np.mgrid[-n : n + 1, -n : n + 1]
    away = np.hypot(rows, columns) / radius
    sector = ((np.arctan2(rows, columns) / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
    band = (away > BAND[0]) & (away < BAND[1])
    masks = (away < HOLE, (away > BEYOND[0]) & (away < BEYOND[1]), *(band & (sector == i) for i in range(SECTORS)))
    return tuple(np.asarray(mask / max(mask.sum(), 1), np.float32) for mask in masks)
