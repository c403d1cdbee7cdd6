"""Fit a cap as a solid: slide its outline until outside is ground, in light or in shadow, and inside is not.

A pixel near the outline is a mixture: its share of cover times a colour that varies freely round the rim, the
rest the empty ground times a gain, darker where the body shuts off the sky and in its cast shadow. All but the
place is linear, so it is solved for at each place (variable projection); the place follows by Gauss-Newton with
weights that let go of what fits nothing (litter, highlights, a neighbour), at first only of the worst. Deep
inside a cap may look as it likes; where it has wax, a floor or a hole, their edge helps to place it.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import share_below
from vision.caps_hull import Hull
from vision.caps_patch import Patch
from vision.caps_solid import inner_px, near_hull, outline_px, shadow_px

Array = NDArray[np.float64]

BLUR_PX = (0.75, 1.4)  # of luma and of a colour, which is stored at half resolution
SHARES = np.array([1.0, 0.4])  # of each plane in the fit
SHADOW_BLUR_PX = 1.3
SHADE_DISTRUST = 0.7
SHADOWS = ((0.5, 0.1), (1.0, 0.15))
SKY_BLUR = 0.25  # of the dimmer sky at a cap's foot, in heights
OUTSIDE_PX, INSIDE_PX, DEEP_PX = 6.0, 2.0, 5.0
HARMONICS, INNER_HARMONICS = 2, 1
FREE_COST = 1.0  # of a pixel deep inside
LETTING_GO = (8.0, 2.0, 1.0)  # how many deviations off halves a pixel's weight, turn by turn
STEPS = 3  # in each turn, unless it stands still before
STEP_PX, STILL_PX = 1.5, 0.1
PIXELS = 450  # that are enough: the model's faults count, not noise
RIDGE = 1e-5
NEIGHBOUR_PX = 1.0  # as far out from a neighbour's outline its blurred edge is seen
SECTORS = 12  # of the rim, each of which may mislead the fit by itself
# a blurred edge's share of cover and its slope by how many blurs a pixel lies beyond it: read off, for speed
EDGE_STEPS, EDGE_MIDDLE = 4000, 24000
_BEYOND = (np.arange(2 * EDGE_MIDDLE + 1) - EDGE_MIDDLE) / EDGE_STEPS
EDGE_SHARES = share_below(-_BEYOND)
EDGE_SLOPES = np.exp(-0.5 * _BEYOND**2) / np.sqrt(2 * np.pi)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where a cap's axis meets the ground, the misfit there a pixel, and how far the rim's sectors disagree.

    `scatter_mm2` (2, 2) is the place's covariance if each sector misleads by what it leaves unexplained; `patch` is
    what the cap was fitted to.
    """

    patch: Patch
    xy_mm: Array
    misfit: float
    scatter_mm2: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Look:
    """At one place: what stays unexplained (2, P), its slopes by a millimetre (2, 2, P), how far pixels count (P,)."""

    rest: Array
    slopes: Array
    window: Array

    def weighed(self, level: float) -> tuple[Array, Array]:
        root = np.sqrt(_trust(self.rest, level) * self.window)
        return self.rest * root, self.slopes * root


class _Part(NamedTuple):
    """A share of each pixel (P,), and how it grows by a millimetre's move along x and y (2, P)."""

    share: Array
    by_mm: Array


class Edge:
    """The pixels near one cap's outline, made ready once for fitting from any start near by."""

    def __init__(self, patch: Patch, shift_px: Array, slope: Array | None, taken: tuple[Array, ...] = ()) -> None:
        """Ready the pixels near a place; `taken` are outlines (N, 2) of neighbours, whose pixels count for nothing."""
        view, solid = patch.view, patch.solid
        self._patch = patch
        self.start_mm = patch.near_mm + np.linalg.solve(patch.px_a_mm, shift_px)
        points, inner = outline_px(view, solid, self.start_mm), inner_px(view, solid, self.start_mm)
        pixels = patch.pixels
        near = near_hull(pixels, points, OUTSIDE_PX)
        depth = Hull(pixels[near], points if inner is None else inner).beyond
        keep = near[(Hull(pixels[near], points).beyond < OUTSIDE_PX) & (depth > -DEEP_PX)]
        for outline in taken:
            keep = keep[Hull(pixels[keep], outline).beyond > NEIGHBOUR_PX]
        keep = keep[(pixels[keep] @ (1, 2)) % max(round(len(keep) / PIXELS), 1) == 0]
        self._pixels, self._middle = pixels[keep], points.mean(axis=0)
        self._hull = Hull(self._pixels, points)
        now, empty = (plane.reshape(-1, 3)[keep].T for plane in (patch.now, patch.empty))
        within = self._hull.beyond < 0
        colour = 1 + int(np.argmax(np.abs((now - empty)[1:, within].sum(axis=1))))  # blue or red, as it differs more
        self._now, self._empty = now[[0, colour]], empty[[0, colour]]
        self._inner = None if inner is None else Hull(self._pixels, inner)
        height_px = solid.heights_mm.max() * patch.px_per_mm
        falls = [(np.zeros(2), 0.8 + SKY_BLUR * height_px)]
        if slope is not None:
            falls += [(share * slope, SHADOW_BLUR_PX + blur * height_px) for share, blur in SHADOWS]
        self._shades = [(Hull(self._pixels, shadow_px(view, solid, self.start_mm, fall)), blur) for fall, blur in falls]

    def fit(self, shift_px: Array) -> Fit:
        """Find the place by Gauss-Newton from a start shifted in the picture by `shift_px` (2,)."""
        patch = self._patch
        shift = np.linalg.solve(patch.px_a_mm, shift_px)
        look = self._look(shift, None)
        for letting_go in LETTING_GO:
            for _ in range(STEPS):
                look = self._look(shift, _trust(look.rest, letting_go * patch.noise))
                step, length_px = self._step(look, letting_go)
                shift = shift + step
                if length_px < STILL_PX:
                    break
        look = self._look(shift, _trust(look.rest, patch.noise))
        off = (look.rest**2).sum(axis=0) / patch.noise**2
        misfit = float((look.window * np.log1p(off) + (1 - look.window) * FREE_COST).mean())
        return Fit(patch=patch, xy_mm=self.start_mm + shift, misfit=misfit, scatter_mm2=self._scatter(look, shift))

    def _step(self, look: _Look, letting_go: float) -> tuple[Array, float]:
        """Give the next step (2,) and its length in the picture."""
        rest, slopes = look.weighed(letting_go * self._patch.noise)
        step = -np.linalg.solve(_normal(slopes), np.einsum("cip,cp->i", slopes, rest))
        length_px = float(np.hypot(*(self._patch.px_a_mm @ step)))
        return step * min(1.0, STEP_PX / max(length_px, 1e-9)), length_px

    def _scatter(self, look: _Look, shift_mm: Array) -> Array:
        rest, slopes = look.weighed(self._patch.noise)
        away = self._pixels - self._middle - self._patch.px_a_mm @ shift_mm
        sector = ((np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
        pulls = np.einsum("cip,cp->ip", slopes, rest)
        pull = np.array([np.bincount(sector, axis, SECTORS) for axis in pulls])
        inverse = np.linalg.inv(_normal(slopes))
        return np.asarray(inverse @ (pull @ pull.T) @ inverse * SECTORS / (SECTORS - 1), float)

    def _look(self, shift_mm: Array, weights: Array | None) -> _Look:
        """Explain the pixels as well as the cap's shift allows."""
        move, ground_move = self._patch.px_a_mm @ shift_mm, self._patch.ground_px_a_mm @ shift_mm
        for hull in filter(None, (self._hull, self._inner)):
            hull.move(move)
        for hull, _ in self._shades:
            hull.move(ground_move)
        depth = (self._inner or self._hull).beyond
        window = 1 / (1 + np.exp(-4 * (depth + INSIDE_PX)))
        shades = [_Part(np.ones(len(depth)), np.zeros((2, len(depth))))]
        shades += [_cover(hull, blur, self._patch.ground_px_a_mm) for hull, blur in self._shades]
        if len(self._shades) > 1:
            window = window * (1 - SHADE_DISTRUST * shades[-1].share)
        counted = window if weights is None else weights * window
        rim = self._round_the_rim(move)
        rest, slopes = np.empty((2, len(depth))), np.empty((2, 2, len(depth)))
        for plane, blur in enumerate(BLUR_PX):
            ground, body, body_by_mm = self._mixture(shades, rim, blur)
            parts = [(part, self._empty[plane]) for part in ground]
            if plane:
                parts.append((ground[0], self._empty[0]))  # white light that is lost or added
            columns = np.vstack([[part.share * tint for part, tint in parts], body])
            by_mm = np.vstack([[part.by_mm * tint for part, tint in parts], body_by_mm])
            rest[plane], slopes[plane] = _explain(columns, by_mm, self._now[plane], counted)
        return _Look(rest=SHARES[:, None] * rest, slopes=SHARES[:, None, None] * slopes, window=window)

    def _mixture(self, shades: list[_Part], rim: Array, blur: float) -> tuple[list[_Part], Array, Array]:
        """Mix each pixel: ground under each shade, and the body's colours (C, P) with their slopes (C, 2, P)."""
        px_a_mm = self._patch.px_a_mm
        whole = _cover(self._hull, blur, px_a_mm)
        bare = 1 - whole.share
        ground = [_Part(bare * shade.share, bare * shade.by_mm - shade.share * whole.by_mm) for shade in shades]
        body, by_mm = whole.share * rim, rim[:, None] * whole.by_mm
        if self._inner is not None:
            inner, few = _cover(self._inner, blur, px_a_mm), rim[: 2 * INNER_HARMONICS + 1]
            body = np.vstack([body, inner.share * few])
            by_mm = np.vstack([by_mm, few[:, None] * inner.by_mm])
        return ground, body, by_mm

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


def _cover(hull: Hull, blur_px: float, px_a_mm: Array) -> _Part:
    place = np.clip(hull.beyond * (EDGE_STEPS / blur_px) + (EDGE_MIDDLE + 0.5), 0, 2 * EDGE_MIDDLE).astype(np.intp)
    return _Part(EDGE_SHARES[place], (EDGE_SLOPES[place] / blur_px) * (hull.outward @ px_a_mm).T)


def _normal(slopes: Array) -> Array:
    normal = np.einsum("cip,cjp->ij", slopes, slopes)
    return normal + 1e-6 * np.trace(normal) * np.eye(2)


def _trust(rest: Array, level: float) -> Array:
    return np.asarray(1 / (1 + (rest**2).sum(axis=0) / level**2), float)


def _explain(columns: Array, by_mm: Array, seen: Array, counted: Array) -> tuple[Array, Array]:
    """Fit columns (C, P), of slopes (C, 2, P), to what is seen (P,): what stays unexplained (P,), its slopes (2, P)."""
    weighted = columns * counted
    normal = weighted @ columns.T
    normal.flat[:: len(normal) + 1] += RIDGE * np.trace(normal) / len(normal) + 1e-12
    inverse = cv2.invert(normal, flags=cv2.DECOMP_CHOLESKY)[1]  # positive definite by its ridge
    shares = inverse @ (weighted @ seen)
    slopes = np.tensordot(shares, by_mm, 1)
    held = inverse @ (weighted @ slopes.T)
    return seen - shares @ columns, held.T @ columns - slopes
