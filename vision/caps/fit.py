"""Fit a cap as a solid: slide its outline until outside is ground, in light or in shadow, and inside is not.

A pixel near the outline is a mixture: its share of cover times a colour that varies freely round the rim, the
rest the empty ground times a gain, darker where the body shuts off the sky and in its cast shadow. All but the
place is linear, so it is solved for at each place (variable projection); the place follows by Gauss-Newton with
weights that let go of what fits nothing (litter, highlights, a neighbour), at first only of the worst. Deep
inside a cap may look as it likes; where it has wax, a floor or a hole, their edge helps to place it, and glass lets the
ground through. No cap has quite its kind's shape: how much wider and taller it is may vary a little, or else a body a
hair too small would lean to the side where light draws the sharper edge, and one too tall towards the camera. The side
that faces the light counts for more: on the other, a cap's own shade and its shadow hide its edge.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import share_below
from linesies.vision.caps.hull import Hulls
from linesies.vision.caps.patch import ALIKE_PIXELS, Patch
from linesies.vision.caps.solid import Solid, beyond, inner_px, near_hull, outline_px, shadow_px

Array = NDArray[np.float64]

BLUR_PX = np.array([0.75, 1.4])  # of luma and of a colour, which is stored at half resolution
SHARES = np.array([1.0, 0.4])  # of each plane in the fit
# How far off known paint may lie, and how much brighter or darker it may be. Like HARMONICS, chosen on twelve public
# scenes and five varied ones (1300 to 1304), where each world by itself came out better for it.
PAINT_STRAY_PX, PAINT_DOUBT = 0.1, 0.15  # pixels; share of full brightness
SHADOW_BLUR_PX = 1.3
SHADE_DISTRUST = 0.7  # of what lies in the cast shadow,
FAR_DISTRUST = 0.5  # and of the side of the cap that faces away from the light, where its own shade hides its edge
EVEN_LUMA = 1.3  # of the ground's: a cap so bright stands out from the gaps between its teeth on either side
SHADOWS = ((0.5, 0.1), (1.0, 0.15))
SKY_BLUR = 0.25  # of the dimmer sky at a cap's foot, in heights
OUTSIDE_PX, INSIDE_PX, DEEP_PX = 6.0, 2.0, 5.0
HARMONICS, INNER_HARMONICS = 1, 1
FREE_COST = 1.0  # of a pixel deep inside
LETTING_GO = (8.0, 2.0, 1.0)  # how many deviations off halves a pixel's weight, turn by turn
TALLER_SHARE = 0.06  # of the height: how much taller than listed, or with how much rounder a shoulder, a cap usually is
WIDER_SHARE = 0.015  # of the radius: how much wider than its kind's shape a cap usually is, or narrower,
RIM_DOUBT_PX = 0.15  # and how far off light alone may make all its rim look
STRETCH, LEAST_RISE_PX = 0.1, 0.05
STEPS = 3  # in each turn, unless it stands still before
STEP_PX, STILL_PX = 1.5, 0.1
SHAPE = 4  # what is fitted: the place along x and y in mm, how much wider in mm, how much taller as a share
PIXELS = 450  # that are enough: the model's faults count, not noise
LEAST_PIXELS = 20  # fewer say nothing: others lie over it
RIDGE = 1e-5
NEIGHBOUR_PX = 1.0  # as far out from a neighbour's outline its blurred edge is seen
# How much less a fit is held to where a cap was seen than what is sought, which no edge has placed yet: of 0.1, 0.3 and
# 1 the one that moved five public scenes the least and still held those under moved shade (1701 to 1741), by hand.
HOLD = 0.3
HOLD_DOUBT = 0.2  # of how far off a cap usually was seen; scatter counts several times as much in sigma
SECTORS = 12  # of the rim, each of which may mislead the fit by itself
# a blurred edge's share of cover and its slope by how many blurs a pixel lies beyond it: read off, for speed
EDGE_STEPS, EDGE_MIDDLE = 4000, 24000
_BEYOND = (np.arange(2 * EDGE_MIDDLE + 1) - EDGE_MIDDLE) / EDGE_STEPS
EDGE_SHARES = share_below(-_BEYOND)
EDGE_SLOPES = np.exp(-0.5 * _BEYOND**2) / np.sqrt(2 * np.pi)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapFit:
    """Where a cap's axis meets the ground, the misfit there a pixel, and how far the rim's sectors disagree.

    `scatter_mm2` (2, 2) is the place's covariance if each sector misleads by what it leaves unexplained; `patch` is
    what the cap was fitted to.
    """

    patch: Patch
    xy_mm: Array
    misfit: float
    scatter_mm2: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Linearised:
    """At one place: what stays unexplained (2, P), its slopes (2, SHAPE, P), how far pixels count (P,)."""

    rest: Array
    slopes: Array
    window: Array

    def weighed(self, level: float) -> tuple[Array, Array]:
        root = np.sqrt(_trust(self.rest, level) * self.window)
        return self.rest * root, self.slopes * root


class _Parts(NamedTuple):
    """Shares of each pixel (..., P), and how they grow by a millimetre along x, y, of the radius, and by the height.

    The slopes (..., SHAPE, P) by a millimetre of place and radius, and by the whole height.
    """

    shares: Array
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
        depth = beyond(pixels[near], points if inner is None else inner)
        keep = near[(beyond(pixels[near], points) < OUTSIDE_PX) & (depth > -DEEP_PX)]
        for outline in taken:
            keep = keep[beyond(pixels[keep], outline) > NEIGHBOUR_PX]
        keep = keep[(pixels[keep] @ (1, 2)) % max(round(len(keep) / PIXELS), 1) == 0]
        self._pixels, self._middle = pixels[keep], points.mean(axis=0)
        now, empty = (plane.reshape(-1, 3)[keep].T for plane in (patch.now, patch.empty))
        within = beyond(self._pixels, points) < 0
        colour = 1 + int(np.argmax(np.abs((now - empty)[1:, within].sum(axis=1))))  # blue or red, as it differs more
        self._now, self._empty = now[[0, colour]], empty[[0, colour]]
        self._faith = self._paint_faith(keep)
        self._fall_px = None if slope is None else _unit(patch.ground_px_a_mm @ slope)
        lean_mm = np.zeros(2) if slope is None else self._gaps_mm(within) * _unit(slope)
        taller = solid.stretched(1 + STRETCH)
        rises = (outline_px(view, taller, self.start_mm) - points) / STRETCH
        outlines = [(points + patch.px_a_mm @ lean_mm, rises)]
        if inner is not None:
            raised = inner_px(view, taller, self.start_mm)
            outlines.append((inner, np.zeros_like(inner) if raised is None else (raised - inner) / STRETCH))
        self._body = Hulls(self._pixels, outlines)
        height_px, radius_px = (float(size.max()) * patch.px_per_mm for size in (solid.heights_mm, solid.radii_mm))
        rise_px = max(float(np.hypot(*rises.T).max()), LEAST_RISE_PX)
        # how far the listed width and height outweigh the seen ones
        self._held = np.array(
            [(RIM_DOUBT_PX / (WIDER_SHARE * radius_px)) ** 2, (RIM_DOUBT_PX / (TALLER_SHARE * rise_px)) ** 2]
        )
        falls = [(np.zeros(2), 0.8 + SKY_BLUR * height_px)]
        if slope is not None:
            falls += [(share * slope, SHADOW_BLUR_PX + blur * height_px) for share, blur in SHADOWS]
        self._shades = Hulls(self._pixels, [self._shade(fall, taller) for fall, _ in falls])
        self._shade_blurs_px = np.array([blur for _, blur in falls])

    def _shade(self, fall: Array, taller: Solid) -> tuple[Array, Array]:
        """Outline the shadow that falls so far (2,) a millimetre of height; tell how far a taller body's reaches."""
        view, solid = self._patch.view, self._patch.solid
        points, longer = (shadow_px(view, one, self.start_mm, fall) for one in (solid, taller))
        return points, (longer - points) / STRETCH

    def _gaps_mm(self, within: NDArray[np.bool_]) -> float:
        """Tell how far a darker cap's outline looks moved towards its shadow.

        Between the teeth of its skirt one sees lit ground before the cap, and ground as dark as itself behind it.
        """
        if not within.any():
            return 0.0
        luma = float(np.median(self._now[0, within]) / (np.median(self._empty[0, within]) + 1e-9))
        return self._patch.solid.teeth_mm * float(np.clip(EVEN_LUMA - luma, 0, 1))

    def _paint_faith(self, keep: NDArray[np.intp]) -> Array:
        """Tell how far each pixel is to be believed: what ails bright paint outweighs the rim of a dim cap."""
        luma, noise = self._patch.empty[..., 0], self._patch.noise
        stray = PAINT_STRAY_PX * np.hypot(*np.gradient(luma)).ravel()[keep]
        amiss = PAINT_DOUBT * np.maximum(luma.ravel()[keep] - np.median(luma), 0)
        return np.asarray(noise / np.sqrt(noise**2 + stray**2 + amiss**2), float)

    def fit(self, shift_px: Array) -> CapFit:
        """Find the place by Gauss-Newton from a start shifted in the picture by `shift_px` (2,).

        What others hide stays at the start, in doubt by its whole radius.
        """
        patch = self._patch
        if len(self._pixels) < LEAST_PIXELS:
            blind_mm2 = float(patch.solid.radii_mm.max()) ** 2 * np.eye(2)
            return CapFit(patch=patch, xy_mm=self.start_mm, misfit=FREE_COST, scatter_mm2=blind_mm2)
        shift = np.append(np.linalg.solve(patch.px_a_mm, shift_px), (0.0, 0.0))  # and how much wider and taller it is
        look = self._look(shift, None)
        for letting_go in LETTING_GO:
            for _ in range(STEPS):
                look = self._look(shift, _trust(look.rest, letting_go * patch.noise))
                step, length_px = self._step(look, letting_go, shift)
                shift = shift + step
                if length_px < STILL_PX:
                    break
        look = self._look(shift, _trust(look.rest, patch.noise))
        off = (look.rest**2).sum(axis=0) / patch.noise**2
        misfit = float((look.window * np.log1p(off) + (1 - look.window) * FREE_COST).mean())
        scatter = self._scatter(look, shift)
        return CapFit(patch=patch, xy_mm=self.start_mm + shift[:2], misfit=misfit, scatter_mm2=scatter)

    def _step(self, look: _Linearised, letting_go: float, shift: Array) -> tuple[Array, float]:
        """Give the next step (SHAPE,) and its length in the picture, from a body shifted and grown by (SHAPE,)."""
        rest, slopes = look.weighed(letting_go * self._patch.noise)
        normal, pull = _normal(slopes), np.einsum("cip,cp->i", slopes, rest)
        away = np.append(self.start_mm + shift[:2] - self._patch.near_mm, shift[2:])
        pull += self._hold(normal) * away
        step = -np.linalg.solve(normal, pull)
        length_px = float(np.hypot(*(self._patch.px_a_mm @ step[:2])))
        return step * min(1.0, STEP_PX / max(length_px, 1e-9)), length_px

    def _hold(self, normal: Array) -> Array:
        """Hold a body in its place to where it was seen, and to its listed width and height: precisions (SHAPE,)."""
        there = np.full(2, HOLD * self._patch.held * self._patch.noise**2)
        held = np.append(there, self._held * np.diag(normal)[2:])
        normal.flat[:: SHAPE + 1] += held
        return held

    def _scatter(self, look: _Linearised, shift_mm: Array) -> Array:
        rest, slopes = look.weighed(self._patch.noise)
        away = self._pixels - self._middle - self._patch.px_a_mm @ shift_mm[:2]
        sector = ((np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
        pulls = np.einsum("cip,cp->ip", slopes, rest)
        pull = np.array([np.bincount(sector, axis, SECTORS) for axis in pulls])
        normal = _normal(slopes)
        self._hold(normal)
        inverse = np.linalg.inv(normal)[:2]
        doubt = pull @ pull.T * SECTORS / (SECTORS - 1)
        doubt[[0, 1], [0, 1]] += ALIKE_PIXELS * self._patch.held * (HOLD * HOLD_DOUBT * self._patch.noise**2) ** 2
        return np.asarray(inverse @ doubt @ inverse.T, float)

    def _look(self, shift_mm: Array, weights: Array | None) -> _Linearised:
        """Explain the pixels as well as the cap's shift (2,) and widening allow."""
        px_a_mm, ground_px_a_mm, grown = self._patch.px_a_mm, self._patch.ground_px_a_mm, shift_mm[2:]
        move = px_a_mm @ shift_mm[:2]
        self._body.move(move)
        self._shades.move(ground_px_a_mm @ shift_mm[:2])
        depth = self._body.beyond[-1]
        window = 1 / (1 + np.exp(-4 * (depth + INSIDE_PX)))
        shades = _cover(self._shades, self._shade_blurs_px, ground_px_a_mm, grown)
        rim = self._round_the_rim(move)
        if self._fall_px is not None:
            far = np.clip(self._fall_px @ rim[1:3], 0, 1)
            window = window * (1 - SHADE_DISTRUST * shades.shares[-1]) * (1 - FAR_DISTRUST * far)
        counted = self._faith**2 * (window if weights is None else weights * window)
        rest, slopes = np.empty((2, len(depth))), np.empty((2, SHAPE, len(depth)))
        covers = _cover(self._body, BLUR_PX[:, None], px_a_mm, grown)
        for plane, layers in enumerate(map(_Parts, *covers)):
            ground, body = _beside(layers, shades), self._coloured(layers, rim, self._empty[plane])
            lit = [_Parts(ground.shares * self._empty[plane], ground.by_mm * self._empty[plane])]
            if plane:  # white light that is lost or added
                lit.append(_Parts(ground.shares[:1] * self._empty[0], ground.by_mm[:1] * self._empty[0]))
            columns, by_mm = map(np.concatenate, zip(*lit, *body, strict=True))
            rest[plane], slopes[plane] = _explain(columns, by_mm, self._now[plane], counted)
        weight = SHARES[:, None] * self._faith
        return _Linearised(rest=weight * rest, slopes=weight[:, None] * slopes, window=window)

    def _coloured(self, layers: _Parts, rim: Array, empty: Array) -> list[_Parts]:
        """Colour the pixels of the body's layers: round the rim, and plainer within; glass lets the ground through."""
        through = empty[None] if self._patch.solid.is_glass else empty[None][:0]
        tints = [np.vstack([some, through]) for some in (rim, rim[: 2 * INNER_HARMONICS + 1])]
        return [
            _Parts(share * tint, tint[:, None] * by_mm)
            for share, by_mm, tint in zip(*layers, tints[: len(layers.shares)], strict=True)
        ]

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


def _cover(hulls: Hulls, blurs_px: Array, px_a_mm: Array, grown: Array) -> _Parts:
    """Tell which share of each pixel each of H hulls covers, of a body so much wider and taller (2,).

    Blurs are one for each hull (H,), or some for all (B, 1): (H, P) or (B, H, P).
    """
    out = np.empty((len(hulls.beyond), SHAPE, hulls.beyond.shape[1]))
    out[:, :2] = px_a_mm.T @ hulls.outward.transpose(0, 2, 1)
    np.sqrt(out[:, 0] ** 2 + out[:, 1] ** 2, out=out[:, 2])  # a wider circle reaches farther on all sides
    out[:, 3] = hulls.rise
    away, blur = hulls.beyond - grown @ out[:, 2:], blurs_px[..., None]
    place = np.clip(away * (EDGE_STEPS / blur) + (EDGE_MIDDLE + 0.5), 0, 2 * EDGE_MIDDLE).astype(np.intp)
    return _Parts(EDGE_SHARES[place], (EDGE_SLOPES[place] / blur)[..., None, :] * out)


def _beside(layers: _Parts, shades: _Parts) -> _Parts:
    """Share the ground that a cap leaves bare: what no shade lies on, and each shade's."""
    whole, by_mm = layers.shares[0], layers.by_mm[0]
    bare = 1 - whole
    shaded = bare * shades.by_mm - shades.shares[:, None] * by_mm
    return _Parts(np.vstack([bare[None], bare * shades.shares]), np.concatenate([-by_mm[None], shaded]))


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.hypot(*vector)), 1e-9), float)


def _normal(slopes: Array) -> Array:
    normal = np.einsum("cip,cjp->ij", slopes, slopes)
    return np.asarray(normal + 1e-6 * np.trace(normal) * np.eye(len(normal)), float)


def _trust(rest: Array, level: float) -> Array:
    return np.asarray(1 / (1 + (rest**2).sum(axis=0) / level**2), float)


def _explain(columns: Array, by_mm: Array, seen: Array, counted: Array) -> tuple[Array, Array]:
    """Fit columns (C, P), of slopes (C, SHAPE, P), to what is seen (P,): what stays unexplained (P,), its slopes."""
    weighted = columns * counted
    normal = weighted @ columns.T
    normal.flat[:: len(normal) + 1] += RIDGE * np.trace(normal) / len(normal) + 1e-12
    inverse = cv2.invert(normal, flags=cv2.DECOMP_CHOLESKY)[1]  # positive definite by its ridge
    shares = inverse @ (weighted @ seen)
    slopes = np.tensordot(shares, by_mm, 1)
    held = inverse @ (weighted @ slopes.T)
    return seen - shares @ columns, held.T @ columns - slopes
