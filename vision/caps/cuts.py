"""What places look like: cut out of the picture and of the empty one, always at one scale and turned one way.

Both cuts show 80 mm of ground, so that sizes are seen as they are, and whatever stands up leans the same way in every
cut. The light is divided out by the ground round about, robustly: what is clipped or black says nothing of the light.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, View, to_linear
from linesies.calibration.grid import on_grid
from linesies.vision.caps.find import Peaks
from linesies.vision.caps.pictures import BeforeAndNow, PixelWindow
from linesies.vision.caps.solid import px_a_mm
from linesies.vision.picture.layout import Image
from linesies.vision.picture.scaling import shrink_by

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
FEWEST = 40  # pixels that tell the light
LIT_BY_EVERY = 7  # pixels of a wider square one tells it
EXACT_LINES = 2.0**11  # a pixel, on which matrices stand: 32 bits hold all places up to 8192, whichever machine adds up

_ROWS, _COLUMNS = np.mgrid[:SIDE_PX, :SIDE_PX] - MIDDLE_PX
AWAY_MM = np.hypot(_ROWS, _COLUMNS) * MM_PER_PX
ROUND_ABOUT = np.flatnonzero(AWAY_MM > GROUND_MM)


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
    """What N places look like: planes (N, 6, SIDE, SIDE), or wider ones, and how slantwise each is seen (N,).

    `xy_mm` (N, 2) are the board points in the cuts' middles, `turns` (N, 2, 2) turn ways within the cuts into those on
    the board.
    """

    planes: Planes
    leans: Array
    xy_mm: Array
    turns: Array

    def __getitem__(self, rows: NDArray[np.intp]) -> "Cuts":
        """Give some of them."""
        return Cuts(planes=self.planes[rows], leans=self.leans[rows], xy_mm=self.xy_mm[rows], turns=self.turns[rows])


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
    (middle_px,), (step,) = _laid(calibration.view, xy_mm[None])
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
    return _cuts(shrunken, places, calibration, side_px=SIDE_PX, lit_by=ROUND_ABOUT)


def cut_wide(shrunken: Shrunken, places: Places, calibration: Calibration, side_px: int) -> Cuts:
    """Cut wider squares round places: planes (N, 6, side, side), of which the light is told by all of each."""
    return _cuts(shrunken, places, calibration, side_px=side_px, lit_by=np.arange(0, side_px**2, LIT_BY_EVERY))


def _cuts(
    shrunken: Shrunken, places: Places, calibration: Calibration, *, side_px: int, lit_by: NDArray[np.intp]
) -> Cuts:
    view, xy_mm = calibration.view, on_grid(places.xy_mm)
    middles_px, steps = _laid(view, xy_mm)
    moved_px = middles_px + shrunken.pictures.shifts_px(view.mm_to_px(xy_mm))
    now, empty = (
        _squares(one, at_px, steps, side_px) for one, at_px in ((shrunken.now, moved_px), (shrunken.empty, middles_px))
    )
    return Cuts(
        planes=normalised(now, empty, lit_by),
        leans=np.hypot(*(xy_mm - view.camera_mm[:2]).T) / view.camera_height_mm,
        xy_mm=xy_mm,
        turns=turn_of(view, xy_mm),
    )


def shrink_for_cuts(picture_bgr: Image, px_per_mm: float) -> Shrunk:
    """Shrink a picture for cutting, by a whole number."""
    times = _times(px_per_mm)
    return Shrunk(bgr=shrink_by(picture_bgr, times=times), times=times)


def cut(view: View, shrunk: Shrunk, xy_mm: Array, side_px: int = SIDE_PX) -> Image:
    """Cut the square (side, side, 3) round a board point (2,); down in it is away from the camera."""
    square: Image = _squares(shrunk, *_laid(view, xy_mm[None]), side_px)[0]
    return square


def turn_of(view: View, xy_mm: Array) -> Array:
    """Tell how cuts round board points (..., 2) are turned: where x and y run on the board, as columns (..., 2, 2)."""
    lean = xy_mm - view.camera_mm[:2]
    across, down = np.moveaxis(lean / np.maximum(np.hypot(lean[..., 0], lean[..., 1]), 1e-6)[..., None], -1, 0)
    return np.stack([np.stack([down, across], axis=-1), np.stack([-across, down], axis=-1)], axis=-2)


def _laid(view: View, xy_mm: Array) -> tuple[Array, Array]:
    """Tell where in the picture cuts' middles lie (N, 2), and how far a pixel of each leads, as columns (N, 2, 2)."""
    middles_px = view.mm_to_px(xy_mm, SEEN_AT_MM)
    return middles_px, px_a_mm(view, xy_mm, SEEN_AT_MM) @ turn_of(view, xy_mm) * MM_PER_PX


def _squares(shrunk: Shrunk, middles_px: Array, steps: Array, side_px: int = SIDE_PX) -> Image:
    """Cut squares (N, side, side, 3) round points of the picture (N, 2), of which a pixel leads so far (N, 2, 2)."""
    starts = middles_px - shrunk.corner_px - steps.sum(axis=-1) * (side_px - 1) / 2
    to_shrunk = np.concatenate([steps, starts[..., None] + 0.5], axis=-1) / shrunk.times
    to_shrunk[..., 2] -= 0.5
    to_shrunk = on_grid(to_shrunk, EXACT_LINES)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    squares = np.empty((len(to_shrunk), side_px, side_px, 3), np.uint8)
    for square, matrix in zip(squares, to_shrunk, strict=True):
        cv2.warpAffine(shrunk.bgr, matrix, (side_px, side_px), dst=square, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return squares


def _scale(calibration: Calibration) -> float:
    return float(calibration.view.px_per_mm(np.array(calibration.board.size_mm) / 2))


def _times(px_per_mm: float) -> int:
    return max(int(MM_PER_PX * px_per_mm), 1)


def normalised(now: Image, empty: Image, lit_by: NDArray[np.intp] = ROUND_ABOUT) -> Planes:
    """Divide out of squares (N, side, side, 3) the light, as some of their pixels tell it.

    Gives planes (N, 6, side, side) of now and of the empty ground.
    """
    side = now.shape[1]
    pairs = np.concatenate([now, empty], axis=-1).transpose(0, 3, 1, 2).reshape(-1, 6, side * side)
    light = _light(pairs)
    light[:, :3] /= _gains(pairs, light, lit_by)[..., None]
    np.sqrt(np.clip(light, 0, BRIGHTEST**2, out=light), out=light)
    return light.reshape(-1, 6, side, side)


def _gains(pairs: Image, light: Planes, lit_by: NDArray[np.intp]) -> Planes:
    """Tell how much brighter (N, 3) the ground of squares (N, 6, pixels) is now than it was empty, by those pixels."""
    stored, lit = (one.take(lit_by, axis=-1) for one in (pairs, light))
    lit += LEAST_LIGHT
    is_told = (stored > TOO_DARK) & (stored < CLIPPED)
    tells = is_told[:, :3] & is_told[:, 3:]
    ratios = np.where(tells, lit[:, :3] / lit[:, 3:], np.inf).astype(np.float32)
    ratios.sort(axis=-1)
    count = tells.sum(axis=-1)
    ends = np.stack([np.maximum(count - 1, 0) // 2, count // 2], axis=-1)
    middle = np.take_along_axis(ratios, ends, axis=-1).mean(axis=-1)
    return np.where(count > FEWEST, np.clip(middle, 1 / MOST_GAIN, MOST_GAIN), 1).astype(np.float32)


def _light(planes: Image) -> Planes:
    """Give the linear light of stored planes (N, C, pixels), none or more."""
    if not len(planes):
        return np.zeros(planes.shape, np.float32)
    return to_linear(planes.reshape(-1, planes.shape[-1])).reshape(planes.shape)
