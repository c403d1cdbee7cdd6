"""What a place looks like: cut out of the picture and of the empty one, always at one scale and turned one way.

Both cuts show 80 mm of ground, so that sizes are seen as they are, and whatever stands up leans the same way in every
cut. The light is divided out by the ground round about, robustly: what is clipped or black says nothing of the light.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View, to_linear
from linesies.vision.caps.solid import px_a_mm
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]
Planes = NDArray[np.float32]

SIDE_PX, MM_PER_PX = 40, 2.0
MIDDLE_PX = (SIDE_PX - 1) / 2
SEEN_AT_MM = 4.0  # over the ground: about the middle of a cap
GROUND_MM = 27.0  # from the middle: beyond most caps
CLIPPED, BLACK = 250, 4  # stored levels from which on, and up to which, a pixel says nothing of the light
MOST_GAIN = 8.0
LEAST_LIGHT = 0.004  # linear; keeps shares of the ground's light finite in the dark
BRIGHTEST = 1.6  # of the ground's light; as the nets were taught

_ROWS, _COLUMNS = np.mgrid[:SIDE_PX, :SIDE_PX] - MIDDLE_PX
AWAY_MM = np.hypot(_ROWS, _COLUMNS) * MM_PER_PX
_ROUND_ABOUT = AWAY_MM > GROUND_MM


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shrunk:
    """A picture (H, W, 3) shrunk `times` as coarse, so that one pixel of a cut averages no fewer than one of it."""

    bgr: Image
    times: int


def shrink_for_cuts(picture_bgr: Image, px_per_mm: float) -> Shrunk:
    """Shrink a picture for cutting, by a whole number."""
    times = max(int(MM_PER_PX * px_per_mm), 1)
    if times == 1:
        return Shrunk(bgr=picture_bgr, times=1)
    size = (picture_bgr.shape[1] // times, picture_bgr.shape[0] // times)
    whole = picture_bgr[: size[1] * times, : size[0] * times]
    return Shrunk(bgr=np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8), times=times)


def cut(view: View, shrunk: Shrunk, xy_mm: Array, side_px: int = SIDE_PX) -> Image:
    """Cut the square (side, side, 3) round a board point (2,); down in it is away from the camera."""
    lean = xy_mm - view.camera_mm[:2]
    down = lean / max(float(np.hypot(*lean)), 1e-6)
    turn = np.array([[down[1], down[0]], [-down[0], down[1]]])  # columns: where the cut's x and y run on the board
    middle_px = view.mm_to_px(xy_mm[None], SEEN_AT_MM)[0]
    step = px_a_mm(view, xy_mm, SEEN_AT_MM) @ turn * MM_PER_PX
    start = middle_px - step.sum(axis=1) * (side_px - 1) / 2
    to_shrunk = np.column_stack([step, start + 0.5]) / shrunk.times
    to_shrunk[:, 2] -= 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(shrunk.bgr, to_shrunk, (side_px, side_px), flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def on_board(view: View, xy_mm: Array, offset: Array) -> Array:
    """Turn an offset (2,) in a cut round a board point, in mm, into a board point (2,)."""
    lean = xy_mm - view.camera_mm[:2]
    down = lean / max(float(np.hypot(*lean)), 1e-6)
    return np.asarray(xy_mm + np.array([[down[1], down[0]], [-down[0], down[1]]]) @ offset, float)


def normalised(now: Image, empty: Image) -> Planes:
    """Divide the light out of cuts (SIDE, SIDE, 3): planes (6, SIDE, SIDE) of now and of the empty ground."""
    lit, bare = to_linear(now), to_linear(empty)
    tells = _ROUND_ABOUT[..., None] & (now > BLACK) & (now < CLIPPED) & (empty > BLACK) & (empty < CLIPPED)
    gains = np.ones(3, np.float32)
    for channel in range(3):
        where = tells[..., channel]
        if where.sum() > 40:
            ratios = (lit[..., channel][where] + LEAST_LIGHT) / (bare[..., channel][where] + LEAST_LIGHT)
            gains[channel] = np.clip(np.median(ratios), 1 / MOST_GAIN, MOST_GAIN)
    both = np.concatenate([lit / gains, bare], axis=-1)
    return np.ascontiguousarray(np.sqrt(np.clip(both, 0, BRIGHTEST**2)).transpose(2, 0, 1), np.float32)
