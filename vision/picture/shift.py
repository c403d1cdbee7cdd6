"""How far a cap at rest has moved between two pictures: Lucas-Kanade on its disc, with gain and offset, robustly."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.median import median

Array = NDArray[np.float64]
Luma = NDArray[np.float32] | NDArray[np.uint8]


@dataclass(frozen=True)
class ShiftTuning(Tuning):
    """How a disc's shift from picture to picture is found."""

    least_seen: float = tuned(
        0.4, title="of the disc, what nothing else touches", unit="1", low=0.1, high=1, source=by_hand_in("87175e9")
    )
    most_radii: float = tuned(
        0.7,
        title="longest move that is found, in radii",
        unit="1",
        low=0.2,
        high=1.5,
        source="geometry: two discs so far apart still share 56 % of their area",
    )
    beside_px: float = tuned(
        1.5, title="from another disc, nearer than which its edge is seen", unit="px", low=0, high=6, source=BY_HAND
    )
    blur_px: float = tuned(0.7, title="blur before comparing", unit="px", low=0.2, high=3, source=BY_HAND)
    residuals: float = tuned(
        2.5, title="spreads of a residual at which a pixel counts half", unit="1", low=1, high=6, source=BY_HAND
    )
    least_noise_levels: float = tuned(
        0.5,
        title="noise that is added to what is left over while a shift is sought",
        unit="levels",
        low=0,
        high=5,
        source=BY_HAND,
    )
    least_told_levels: float = tuned(
        0.1, title="likewise when it is told how far off the shift may be", unit="levels", low=0, high=5, source=BY_HAND
    )


SHIFT = ShiftTuning()

STEPS = 12
STILL_PX = 0.003  # step below which it stands still
STIFF = 1e-3  # keeps a step finite where a disc shows nothing
REACH_RADII = 1.75  # of the window about the disc, in which it may move
RIM_PX = 1.0  # about a disc that is looked at too


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A move in full pixels, and the share of the disc's contrast that it leaves unexplained (0 to 1)."""

    xy_px: tuple[float, float]
    sigma_px: float
    unexplained: float

    @property
    def length_px(self) -> float:
        """How far."""
        return float(np.hypot(*self.xy_px))


def shift_of_disc(
    before: Luma,
    after: Luma,
    centre_px: Array,
    radius_px: float,
    *,
    others_px: list[tuple[Array, float]],
    rim_px: float = RIM_PX,
) -> Shift | None:
    """Measure how a disc moved from one luma picture (H, W) to another.

    `rim_px` about the disc is compared too. None where the picture does not hold all of that, or where `others_px`,
    discs (centre, radius) that lie or lay near, hide too much.
    """
    reach = int(np.ceil(REACH_RADII * radius_px)) + 4
    x, y = round(float(centre_px[0])), round(float(centre_px[1]))
    height, width = before.shape
    held = int(np.ceil(radius_px + rim_px)) + 1
    if x - held < 0 or y - held < 0 or x + held >= width or y + held >= height:
        return None
    first, then = (_window(picture, (x, y), reach) for picture in (before, after))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    xs, ys = xs - np.float32(centre_px[0] - x), ys - np.float32(centre_px[1] - y)
    inside = np.hypot(xs, ys) <= radius_px + rim_px
    whole = np.count_nonzero(inside)
    for other_px, other_radius_px in others_px:
        dx, dy = other_px - centre_px
        inside &= np.hypot(xs - dx, ys - dy) > other_radius_px + SHIFT.beside_px
    if np.count_nonzero(inside) < SHIFT.least_seen * whole:
        return None
    return _lucas_kanade(first, then, inside, SHIFT.most_radii * radius_px)


def _window(picture: Luma, middle_px: tuple[int, int], reach: int) -> Array:
    """Cut a square out of a picture, whose border pixels go on beyond it, and blur it a little."""
    side = 2 * reach + 1
    cut = cv2.getRectSubPix(np.asarray(picture, np.float32), (side, side), middle_px)
    return cv2.GaussianBlur(cut, (0, 0), SHIFT.blur_px)


def _lucas_kanade(first: Array, then: Array, inside: NDArray[np.bool_], most_px: float) -> Shift:
    gy, gx = (np.asarray(slope) for slope in np.gradient(first))
    level = first[inside]
    # the picture of the disc moved by d is first - g.d; gain and offset of the light besides
    columns = np.stack([-gx[inside], -gy[inside], level - level.mean(), np.ones(level.size)], axis=1).astype(float)
    moved = np.zeros(2)
    weight = np.ones(level.size)
    ys, xs = np.mgrid[0 : first.shape[0], 0 : first.shape[1]].astype(np.float32)
    residual, normal = level, np.eye(4)
    for _ in range(STEPS):
        warped = cv2.remap(
            then,
            xs + np.float32(moved[0]),
            ys + np.float32(moved[1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        difference = (warped[inside] - level).astype(float)
        weighted = columns * weight[:, None]
        normal = columns.T @ weighted + STIFF * np.eye(4)
        solved = np.linalg.solve(normal, weighted.T @ difference)
        residual = difference - columns @ solved
        spread = 1.4826 * median(np.abs(residual)) + SHIFT.least_noise_levels
        weight = 1.0 / (1.0 + (residual / (SHIFT.residuals * spread)) ** 2)
        moved = np.clip(moved + solved[:2], -most_px, most_px)
        if np.hypot(*solved[:2]) < STILL_PX:
            break
    spread = 1.4826 * median(np.abs(residual)) + SHIFT.least_told_levels
    sigma = spread * float(np.sqrt(np.linalg.inv(normal)[:2, :2].trace()))
    contrast = float(np.std(level)) + 1.0
    return Shift(
        xy_px=(float(moved[0]), float(moved[1])),
        sigma_px=sigma,
        unexplained=min(1.0, float(np.sqrt(np.average(residual**2, weights=weight))) / contrast),
    )
