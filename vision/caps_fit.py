"""Fit a cap as a solid: slide its outline until outside is ground, in light or in shadow, and inside is not.

A pixel near the outline is a mixture: its share of cover times a colour that varies freely round the rim, the
rest the empty ground times a gain, darker where the body shuts off the sky and in its cast shadow. All but the
place is linear, so it is solved for at each place (variable projection); the place follows by Gauss-Newton with
weights that let go of what fits nothing (litter, highlights, a neighbour), at first only of the worst. Deep
inside a cap may look as it likes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from vision.caps_patch import Patch
from vision.caps_solid import DIRECTIONS, near_hull, outline_px, reach, shadow_px

Array = NDArray[np.float64]

BLUR_PX = (0.75, 1.4, 1.4)  # of luma and of the two colours, which are stored at half resolution
SHARES = (1.0, 0.3, 0.3)  # of each plane in the fit
SHADOW_BLUR_PX = 1.3
SHADE_DISTRUST = 0.7
SHADOWS = ((0.5, 0.1), (1.0, 0.15))
SKY_BLUR = 0.25  # of the dimmer sky at a cap's foot, in heights
OUTSIDE_PX, INSIDE_PX, DEEP_PX = 6.0, 2.0, 5.0
HARMONICS = 2
FREE_COST = 1.0  # of a pixel deep inside
LETTING_GO = (8.0, 3.0, 1.5, 1.0, 1.0)  # how many deviations off halves a pixel's weight, turn by turn
RIDGE = 1e-5
STEP_PX = 0.8
NEIGHBOUR_PX = 1.0  # as far out from a neighbour's outline its blurred edge is seen
PROBE_MM = 0.1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where a cap's axis meets the ground, and the misfit there a pixel."""

    xy_mm: Array
    misfit: float


class Hull:
    """How far pixels lie beyond a convex outline that slides; remembers the nearest side of each since `settle`."""

    def __init__(self, pixels: Array, points_px: Array) -> None:
        self._beyond = pixels @ DIRECTIONS.T - reach(points_px)
        self.settle(np.zeros(2))

    def settle(self, move_px: Array) -> None:
        """Find each pixel's distance exactly for an outline moved by (2,)."""
        beyond = self._beyond - DIRECTIONS @ move_px
        nearest = beyond.argmax(axis=1)
        self._move_px, self._distance = move_px, beyond[np.arange(len(beyond)), nearest]
        self._outward = DIRECTIONS[nearest]

    def beyond(self, move_px: Array) -> Array:
        """Give the distances (P,), negative inside, for a move (2,) not far from the settled one."""
        return np.asarray(self._distance - self._outward @ (move_px - self._move_px), float)


class Edge:
    """The pixels near one cap's outline, made ready once for fitting from any start near by."""

    def __init__(self, patch: Patch, shift_px: Array, slope: Array | None, taken: tuple[Array, ...] = ()) -> None:
        """Ready the pixels near a place; `taken` are outlines (N, 2) of neighbours, whose pixels count for nothing."""
        view, solid = patch.view, patch.solid
        self._patch = patch
        self.start_mm = patch.near_mm + np.linalg.solve(patch.px_a_mm, shift_px)
        points = outline_px(view, solid, self.start_mm)
        pixels = patch.pixels()
        near = near_hull(pixels, points, OUTSIDE_PX)
        beyond = Hull(pixels[near], points).beyond(np.zeros(2))
        keep = near[(beyond < OUTSIDE_PX) & (beyond > -DEEP_PX)]
        for outline in taken:
            keep = keep[Hull(pixels[keep], outline).beyond(np.zeros(2)) > NEIGHBOUR_PX]
        self._pixels, self._middle = pixels[keep], points.mean(axis=0)
        self._now, self._empty = patch.now.reshape(-1, 3)[keep], patch.empty.reshape(-1, 3)[keep]
        self._hull = Hull(self._pixels, points)
        height_px = solid.heights_mm.max() * patch.px_per_mm
        falls = [(np.zeros(2), 0.8 + SKY_BLUR * height_px)]
        if slope is not None:
            falls += [(share * slope, SHADOW_BLUR_PX + blur * height_px) for share, blur in SHADOWS]
        self._shades = [(Hull(self._pixels, shadow_px(view, solid, self.start_mm, fall)), blur) for fall, blur in falls]

    def fit(self, shift_px: Array) -> Fit:
        """Find the place by Gauss-Newton from a start shifted in the picture by `shift_px` (2,)."""
        patch = self._patch
        shift = np.linalg.solve(patch.px_a_mm, shift_px)
        self._settle(shift)
        rest, window = self._rest(shift, None)
        for letting_go in LETTING_GO:
            step, rest = self._step(shift, _trust(rest, letting_go * patch.noise), letting_go)
            length_px = float(np.hypot(*(patch.px_a_mm @ step)))
            shift = shift + step * min(1.0, STEP_PX / max(length_px, 1e-9))
            self._settle(shift)
        for _ in range(2):
            rest, window = self._rest(shift, _trust(rest, patch.noise))
        off = (rest**2).sum(axis=0) / patch.noise**2
        misfit = float((window * np.log1p(off) + (1 - window) * FREE_COST).mean())
        return Fit(xy_mm=self.start_mm + shift, misfit=misfit)

    def _step(self, shift_mm: Array, weights: Array, letting_go: float) -> tuple[Array, Array]:
        """Give the next step (2,) and what stays unexplained before it (3, P)."""
        rest, window = self._rest(shift_mm, weights)
        root = np.sqrt(_trust(rest, letting_go * self._patch.noise) * window)
        slopes = [(self._rest(shift_mm + probe, weights)[0] - rest) * root for probe in PROBE_MM * np.eye(2)]
        jacobian = np.stack([slope.ravel() for slope in slopes], axis=1) / PROBE_MM
        normal = jacobian.T @ jacobian
        normal += 1e-6 * np.trace(normal) * np.eye(2)
        return -np.linalg.solve(normal, jacobian.T @ (rest * root).ravel()), rest

    def _settle(self, shift_mm: Array) -> None:
        self._hull.settle(self._patch.px_a_mm @ shift_mm)
        for hull, _ in self._shades:
            hull.settle(self._patch.ground_px_a_mm @ shift_mm)

    def _rest(self, shift_mm: Array, weights: Array | None) -> tuple[Array, Array]:
        """Tell what stays unexplained (3, P) with the cap shifted, and how far each pixel counts (P,)."""
        move, ground_move = self._patch.px_a_mm @ shift_mm, self._patch.ground_px_a_mm @ shift_mm
        beyond = self._hull.beyond(move)
        window = 1 / (1 + np.exp(-4 * (beyond + INSIDE_PX)))
        rim = self._round_the_rim(move)
        shades = [ndtr(-hull.beyond(ground_move) / blur) for hull, blur in self._shades]
        if len(shades) > 1:
            window = window * (1 - SHADE_DISTRUST * shades[-1])
        counted = window if weights is None else weights * window
        rest = np.empty((3, len(beyond)))
        for blur in set(BLUR_PX):
            cover = ndtr(-beyond / blur)
            ground, body = [(1 - cover), *((1 - cover) * shade for shade in shades)], cover * rim
            for plane in (i for i in range(3) if BLUR_PX[i] == blur):
                columns = [part * self._empty[:, plane] for part in ground]
                if plane:
                    columns.append(ground[0] * self._empty[:, 0])
                left = _unexplained(np.vstack([columns, body]), self._now[:, plane], counted)
                rest[plane] = SHARES[plane] * left
        return rest, window

    def _round_the_rim(self, move_px: Array) -> Array:
        """Compute smooth functions of the direction from the cap's middle: (2 * HARMONICS + 1, P)."""
        away = self._pixels - self._middle - move_px
        turn = away[:, 0] + 1j * away[:, 1]
        turn /= np.maximum(np.abs(turn), 1e-9)
        functions, power = [np.ones(len(turn))], np.ones_like(turn)
        for _ in range(HARMONICS):
            power = power * turn
            functions += [power.real, power.imag]
        return np.stack(functions)


def _trust(rest: Array, level: float) -> Array:
    return np.asarray(1 / (1 + (rest**2).sum(axis=0) / level**2), float)


def _unexplained(columns: Array, seen: Array, counted: Array) -> Array:
    weighted = columns * counted
    normal = weighted @ columns.T
    normal.flat[:: len(normal) + 1] += RIDGE * np.trace(normal) / len(normal) + 1e-12
    return np.asarray(seen - np.linalg.solve(normal, weighted @ seen) @ columns, float)
