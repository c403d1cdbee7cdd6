"""Fit a cap as a solid: slide its outline until outside is ground, in light or in its shadow, and inside is not.

The picture near the outline is a mixture: coverage times a cap colour that varies freely round the rim, the
rest the empty picture times a gain, darker in the cast shadow. All but the place is linear, so it is solved
for at each place (variable projection), and the place follows by Gauss-Newton with weights that let go of
what fits nothing: litter, highlights, a neighbour. Deep inside a cap may look as it likes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration import View
from vision.caps_light import luma_and_colour
from vision.caps_solid import DIRECTIONS, Solid, outline_px, px_a_mm, reach, shadow_px
from vision.frame import Image

Array = NDArray[np.float64]

LUMA_BLUR_PX = 0.75
COLOUR_BLUR_PX = 1.4
SHADOW_BLUR_PX = 1.3
COLOUR_WEIGHT = 0.3
OUTSIDE_PX = 4.5
INSIDE_PX = 2.0
HARMONICS = 3
MISFIT_LEVEL = 0.02  # of the ground's brightness: residuals beyond it lose weight
RIDGE = 1e-5
STEP_PX = 0.7


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where a cap's axis meets the ground, the picture's scale there (2, 2; px a mm), and the misfit."""

    xy_mm: Array
    px_a_mm: Array
    misfit: float


class Patch:
    """The surroundings of one cap, cut out once: pixels, ground, and the outline's reach at the start."""

    def __init__(self, view: View, pictures: tuple[Image, Image], solid: Solid, near_mm: Array) -> None:
        self._view, self._solid, self.near_mm = view, solid, np.asarray(near_mm, float)
        now_bgr, empty_bgr = pictures
        points = outline_px(view, solid, self.near_mm)
        height, width = now_bgr.shape[:2]
        margin = OUTSIDE_PX + 3
        x0, y0 = np.maximum(np.floor(points.min(axis=0) - margin).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(points.max(axis=0) + margin).astype(int) + 1, (width, height))
        rows, columns = np.mgrid[y0 : max(y1, y0), x0 : max(x1, x0)]
        pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(float)
        beyond = pixels @ DIRECTIONS.T - reach(points)
        keep = beyond.max(axis=1) < margin if len(pixels) else np.zeros(0, bool)
        self.is_seen = bool(keep.sum() > 40)
        if not self.is_seen:
            return
        self._pixels, self._beyond = pixels[keep], beyond[keep]
        self._middle = points.mean(axis=0)
        self._now = luma_and_colour(now_bgr[y0:y1, x0:x1]).reshape(-1, 3)[keep]
        self._empty = luma_and_colour(empty_bgr[y0:y1, x0:x1]).reshape(-1, 3)[keep]
        self._level = MISFIT_LEVEL * float(np.median(self._empty[:, 0])) + 1e-4
        self.px_a_mm = px_a_mm(view, self.near_mm, float(solid.heights_mm.mean()))
        self._ground_px_a_mm = px_a_mm(view, self.near_mm, 0.0)
        self._shade_beyond: Array | None = None

    def set_light(self, slope: Array | None) -> None:
        """Say how far a shadow falls per mm of height (2,), or None where there is none."""
        self._shade_beyond = None
        if slope is not None:
            far = reach(shadow_px(self._view, self._solid, self.near_mm, slope))
            self._shade_beyond = self._pixels @ DIRECTIONS.T - far

    def fit(self, shift_px: Array, turns: int = 8) -> Fit:
        """Find the place by Gauss-Newton from a start shifted in the picture by `shift_px` (2,)."""
        shift = np.linalg.solve(self.px_a_mm, shift_px)
        rest, window = self._rest(shift, None)
        weights = self._trust(rest)
        for _ in range(turns):
            rest, window = self._rest(shift, weights)
            root = np.sqrt(weights * window)
            slopes = [(self._rest(shift + step, weights)[0] - rest) / 0.1 * root for step in 0.1 * np.eye(2)]
            jacobian = np.stack([slope.ravel() for slope in slopes], axis=1)
            normal = jacobian.T @ jacobian
            step = -np.linalg.solve(normal + 1e-6 * np.trace(normal) * np.eye(2), jacobian.T @ (rest * root).ravel())
            length_px = float(np.hypot(*(self.px_a_mm @ step)))
            shift = shift + step * min(1.0, STEP_PX / max(length_px, 1e-9))
            if length_px < 0.02:
                break
            weights = (weights + self._trust(rest)) / 2
        rest, window = self._rest(shift, weights)
        misfit = float((window * np.log1p((rest**2).sum(axis=0) / self._level**2)).sum())
        return Fit(xy_mm=self.near_mm + shift, px_a_mm=self.px_a_mm, misfit=misfit)

    def _trust(self, rest: Array) -> Array:
        return 1 / (1 + (rest**2).sum(axis=0) / (4 * self._level**2))

    def _rest(self, shift_mm: Array, weights: Array | None) -> tuple[Array, Array]:
        """Tell what stays unexplained (3, P) with the cap shifted, and how far each pixel counts (P,)."""
        move = self.px_a_mm @ shift_mm
        beyond = (self._beyond - DIRECTIONS @ move).max(axis=1)
        window = 1 / (1 + np.exp(-4 * (beyond + INSIDE_PX))) / (1 + np.exp(4 * (beyond - OUTSIDE_PX)))
        counted = window if weights is None else weights * window
        rim = self._round_the_rim(move)
        shade = None
        if self._shade_beyond is not None:
            shade = ndtr(
                -(self._shade_beyond - DIRECTIONS @ (self._ground_px_a_mm @ shift_mm)).max(axis=1) / SHADOW_BLUR_PX
            )
        rest = []
        for plane, (blur, share) in enumerate(
            ((LUMA_BLUR_PX, 1.0), (COLOUR_BLUR_PX, COLOUR_WEIGHT), (COLOUR_BLUR_PX, COLOUR_WEIGHT))
        ):
            cover = ndtr(-beyond / blur)
            columns = [(1 - cover) * self._empty[:, plane]]
            if plane:
                columns.append((1 - cover) * self._empty[:, 0])
            if shade is not None:
                columns.append((1 - cover) * shade * self._empty[:, plane])
            columns += list(cover * rim)
            rest.append(share * _unexplained(np.stack(columns, axis=1), self._now[:, plane], counted))
        return np.stack(rest), window

    def _round_the_rim(self, move_px: Array) -> Array:
        """Smooth functions of the direction from the cap's middle: (2 * HARMONICS + 1, P)."""
        away = self._pixels - self._middle - move_px
        turn = away[:, 0] + 1j * away[:, 1]
        turn /= np.maximum(np.abs(turn), 1e-9)
        functions, power = [np.ones(len(turn))], np.ones_like(turn)
        for _ in range(HARMONICS):
            power = power * turn
            functions += [power.real, power.imag]
        return np.stack(functions)


def _unexplained(columns: Array, seen: Array, counted: Array) -> Array:
    weighted = columns.T * counted
    normal = weighted @ columns
    normal[np.diag_indices_from(normal)] += RIDGE * np.trace(normal) / len(normal) + 1e-12
    return seen - columns @ np.linalg.solve(normal, weighted @ seen)
