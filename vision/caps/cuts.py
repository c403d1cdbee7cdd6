"""What places look like: cut out of the picture and of the empty one, always at one scale and turned one way.

Both cuts show 80 mm of ground, so that sizes are seen as they are, and whatever stands up leans the same way in every
cut. The light is divided out by the ground round about, robustly: what is clipped or black says nothing of the light.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, View, to_linear
from linesies.vision.caps.find import Peaks
from linesies.vision.caps.pictures import BeforeAndNow, PixelWindow
from linesies.vision.caps.solid import px_a_mm
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]
Planes = NDArray[np.float32]

SIDE_PX, MM_PER_PX = 40, 2.0
MIDDLE_PX = (SIDE_PX - 1) / 2
SEEN_AT_MM = 4.0  # over the ground: about the middle of a cap
GROUND_MM = 27.0  # from the middle: beyond most caps
CLIPPED, TOO_DARK = 250, 4  # stored levels from which on, and up to which, a pixel says nothing of the light
MOST_GAIN = 8.0
LEAST_LIGHT = 0.004  # linear; keeps shares of the ground's light finite in the dark
BRIGHTEST = 1.6  # of the ground's light; as the nets were taught

_ROWS, _COLUMNS = np.mgrid[:SIDE_PX, :SIDE_PX] - MIDDLE_PX
AWAY_MM = np.hypot(_ROWS, _COLUMNS) * MM_PER_PX
_ROUND_ABOUT = AWAY_MM > GROUND_MM


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shrunk:
    """A picture (H, W, 3) shrunk `times` as coarse, so that one pixel of a cut averages no fewer than one of it.

    Of a part of a picture `corner_px` (x, y) is the first pixel.
    """

    bgr: Image
    times: int
    corner_px: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shrunken:
    """The two pictures of one moment, shrunk for cutting, and how they lie on one another."""

    now: Shrunk
    empty: Shrunk
    pictures: BeforeAndNow


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Board points (N, 2) in mm at which a cap may lie."""

    xy_mm: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cuts:
    """What N places look like: planes (N, 6, SIDE, SIDE), and how slantwise each is seen (N,).

    `xy_mm` (N, 2) are the board points in the cuts' middles, `turns` (N, 2, 2) turn ways within the cuts into those on
    the board.
    """

    planes: Planes
    leans: Array
    xy_mm: Array
    turns: Array


def shrink(pictures: BeforeAndNow, calibration: Calibration) -> Shrunken:
    """Shrink both pictures of a moment for cutting."""
    now, empty = (shrink_for_cuts(one, _scale(calibration)) for one in (pictures.now, pictures.empty))
    return Shrunken(now=now, empty=empty, pictures=pictures)


def shrink_about(window_px: PixelWindow, pictures: BeforeAndNow, calibration: Calibration) -> Shrunken:
    """Shrink a part of both pictures of a moment, as `window_of_cut` gives it."""
    x0, y0, x1, y1 = window_px
    parts = (one[y0:y1, x0:x1] for one in (pictures.now, pictures.empty))
    now, empty = (replace(shrink_for_cuts(part, _scale(calibration)), corner_px=(x0, y0)) for part in parts)
    return Shrunken(now=now, empty=empty, pictures=pictures)


def window_of_cut(xy_mm: Array, calibration: Calibration, room_mm: float = 0.0) -> PixelWindow:
    """Tell which part of a picture a cut round a board point (2,) shows, and round points so near it.

    It is shrunk as the whole picture is, to the last pixel.
    """
    times = _times(_scale(calibration))
    middle_px, step = _laid(calibration.view, xy_mm)
    reach_px = np.abs(step).sum(axis=1) * (MIDDLE_PX + room_mm / MM_PER_PX) + times
    whole = np.array(calibration.view.lens.size_px) // times
    low = np.clip(np.floor((middle_px - reach_px) / times), 0, whole).astype(int) * times
    high = np.clip(np.ceil((middle_px + reach_px) / times) + 1, 0, whole).astype(int) * times
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def approach(peaks: Peaks, calibration: Calibration) -> Places:
    """Begin where the picture has changed the most."""
    peaks_px = np.array([peak.xy_px for peak in peaks.peaks]).reshape(-1, 2)
    return Places(xy_mm=calibration.view.px_to_mm(peaks_px, SEEN_AT_MM))


def cut_out(shrunken: Shrunken, places: Places, calibration: Calibration) -> Cuts:
    """Cut round each place, now and as it was empty, and divide the light out."""
    view, xy_mm = calibration.view, places.xy_mm
    pairs = (
        (cut(shrunken.pictures.view_now(view, xy), shrunken.now, xy), cut(view, shrunken.empty, xy)) for xy in xy_mm
    )
    planes = [normalised(*pair) for pair in pairs]
    return Cuts(
        planes=np.array(planes, np.float32),
        leans=np.hypot(*(xy_mm - view.camera_mm[:2]).T) / view.camera_height_mm,
        xy_mm=xy_mm,
        turns=np.array([turn_of(view, xy) for xy in xy_mm], float).reshape(-1, 2, 2),
    )


def shrink_for_cuts(picture_bgr: Image, px_per_mm: float) -> Shrunk:
    """Shrink a picture for cutting, by a whole number."""
    times = _times(px_per_mm)
    if times == 1:
        return Shrunk(bgr=picture_bgr, times=1)
    size = (picture_bgr.shape[1] // times, picture_bgr.shape[0] // times)
    whole = picture_bgr[: size[1] * times, : size[0] * times]
    return Shrunk(bgr=np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8), times=times)


def cut(view: View, shrunk: Shrunk, xy_mm: Array, side_px: int = SIDE_PX) -> Image:
    """Cut the square (side, side, 3) round a board point (2,); down in it is away from the camera."""
    middle_px, step = _laid(view, xy_mm)
    start = middle_px - shrunk.corner_px - step.sum(axis=1) * (side_px - 1) / 2
    to_shrunk = np.column_stack([step, start + 0.5]) / shrunk.times
    to_shrunk[:, 2] -= 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(shrunk.bgr, to_shrunk, (side_px, side_px), flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def turn_of(view: View, xy_mm: Array) -> Array:
    """Tell how the cut round a board point (2,) is turned: where its x and y run on the board, as columns (2, 2)."""
    lean = xy_mm - view.camera_mm[:2]
    down = lean / max(float(np.hypot(*lean)), 1e-6)
    return np.array([[down[1], down[0]], [-down[0], down[1]]])


def _laid(view: View, xy_mm: Array) -> tuple[Array, Array]:
    """Tell where in the picture a cut's middle lies (2,), and how far one of its pixels leads, as columns (2, 2)."""
    middle_px = view.mm_to_px(xy_mm[None], SEEN_AT_MM)[0]
    return middle_px, px_a_mm(view, xy_mm, SEEN_AT_MM) @ turn_of(view, xy_mm) * MM_PER_PX


def _scale(calibration: Calibration) -> float:
    return float(calibration.view.px_per_mm(np.array(calibration.board.size_mm) / 2))


def _times(px_per_mm: float) -> int:
    return max(int(MM_PER_PX * px_per_mm), 1)


def normalised(now: Image, empty: Image) -> Planes:
    """Divide the light out of cuts (SIDE, SIDE, 3): planes (6, SIDE, SIDE) of now and of the empty ground."""
    lit, bare = to_linear(now), to_linear(empty)
    tells = _ROUND_ABOUT[..., None] & (now > TOO_DARK) & (now < CLIPPED) & (empty > TOO_DARK) & (empty < CLIPPED)
    gains = np.ones(3, np.float32)
    for channel in range(3):
        where = tells[..., channel]
        if where.sum() > 40:
            ratios = (lit[..., channel][where] + LEAST_LIGHT) / (bare[..., channel][where] + LEAST_LIGHT)
            gains[channel] = np.clip(np.median(ratios), 1 / MOST_GAIN, MOST_GAIN)
    both = np.concatenate([lit / gains, bare], axis=-1)
    return np.ascontiguousarray(np.sqrt(np.clip(both, 0, BRIGHTEST**2)).transpose(2, 0, 1), np.float32)
