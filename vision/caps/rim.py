"""What is seen near a cap's outline, if it stood in a place: what of the picture that leaves unexplained, linearised.

A pixel near the outline is a mixture: its share of cover times a colour that varies freely round the rim, the rest the
empty ground times a gain, darker where the body shuts off the sky and in its cast shadow. All but the place is linear,
so it is solved for at each place (variable projection). Deep inside a cap may look as it likes; where it has wax, a
floor or a hole, their edge helps to place it, and glass lets the ground through. No cap has quite its kind's shape: how
much wider and taller it is may vary a little, or else a body a hair too small would lean to the side where light draws
the sharper edge, and one too tall towards the camera. The side that faces the light counts for more: on the other, a
cap's own shade and its shadow hide its edge.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import share_below
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.hull import Hulls
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.solid import Solid, beyond, inner_px, near_hull, outline_px, shadow_px

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RimTuning(Tuning):
    """What of the picture counts near a cap's outline, and how freely the cap may be shaped and coloured."""

    luma_blur_px: float = tuned(
        0.75, title="blur of an edge in luma", unit="px", low=0.2, high=3, source=by_hand_in("05a0afb")
    )
    colour_blur_px: float = tuned(
        1.4,
        title="blur of an edge in a colour, which is stored at half resolution",
        unit="px",
        low=0.2,
        high=4,
        source=by_hand_in("05a0afb"),
    )
    luma_share: float = tuned(1.0, title="what luma counts", unit="1", low=0.1, high=2, source=by_hand_in("f09a63b"))
    colour_share: float = tuned(
        0.4, title="what the colour counts that differs more", unit="1", low=0, high=2, source=by_hand_in("f09a63b")
    )
    paint_stray_px: float = tuned(
        0.1,
        title="how far off known paint may lie",
        unit="px",
        low=0,
        high=1,
        source="by hand, on twelve public scenes and world=varied 1300 to 1304: each world by itself came out better",
    )
    paint_doubt: float = tuned(
        0.15,
        title="of full brightness, how much brighter or darker it may be",
        unit="1",
        low=0,
        high=1,
        source="by hand, on twelve public scenes and world=varied 1300 to 1304: each world by itself came out better",
    )
    shadow_blur_px: float = tuned(
        1.3, title="blur of a cast shadow's edge at its foot", unit="px", low=0.3, high=5, source=by_hand_in("1a12867")
    )
    shade_distrust: float = tuned(
        0.7,
        title="by how much less counts what lies in the cast shadow",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("496f879"),
    )
    far_distrust: float = tuned(
        0.5,
        title="likewise the side that faces away from the light, where a cap's own shade hides its edge",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("4664fe5"),
    )
    even_luma: float = tuned(
        1.3,
        title="of the ground's luma: a cap so bright stands out from the gaps between its teeth on either side",
        unit="1",
        low=0.5,
        high=3,
        source=by_hand_in("4664fe5"),
    )
    near_shadow: float = tuned(
        0.5,
        title="of a cap's height, from where its nearer shadow falls",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("496f879"),
    )
    near_shadow_blur: float = tuned(
        0.1, title="of a cap's height, that shadow's blur", unit="1", low=0, high=1, source=by_hand_in("496f879")
    )
    far_shadow_blur: float = tuned(
        0.15,
        title="of a cap's height, the blur of the shadow of its upper edge",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("496f879"),
    )
    sky_blur: float = tuned(
        0.25,
        title="of a cap's height, the blur of the dimmer sky at its foot",
        unit="1",
        low=0.02,
        high=2,
        source=by_hand_in("05a0afb"),
    )
    outside_px: float = tuned(
        6.0, title="how far outside the outline pixels count", unit="px", low=2, high=20, source=by_hand_in("e3e1e39")
    )
    inside_px: float = tuned(
        2.0, title="how far inside pixels count in full", unit="px", low=0.5, high=8, source=by_hand_in("e3e1e39")
    )
    deep_px: float = tuned(
        5.0, title="how far inside they count at all", unit="px", low=2, high=20, source=by_hand_in("e3e1e39")
    )
    inner_harmonics: int = tuned(
        1,
        title="waves round the rim, in which an inner colour may vary",
        unit="1",
        low=0,
        high=4,
        source="by hand, on twelve public scenes and world=varied 1300 to 1304: each world by itself came out better",
    )
    harmonics: int = tuned(
        1,
        title="waves round the rim, in which a colour may vary",
        unit="1",
        low=0,
        high=4,
        source="by hand, on twelve public scenes and world=varied 1300 to 1304: each world by itself came out better",
    )
    taller_share: float = tuned(
        0.06,
        title="of the height: how much taller than listed, or rounder at its shoulder, a cap usually is",
        unit="1",
        low=0.005,
        high=0.5,
        source=BY_HAND,
    )
    wider_share: float = tuned(
        0.015,
        title="of the radius: how much wider than its kind's shape, or narrower, a cap usually is",
        unit="1",
        low=0.002,
        high=0.1,
        source=by_hand_in("dc62565"),
    )
    rim_doubt_px: float = tuned(
        0.15,
        title="how far off light alone may make all its rim look",
        unit="px",
        low=0.01,
        high=1,
        source=by_hand_in("dc62565"),
    )
    least_rise_px: float = tuned(
        0.05,
        title="shift of an outline by height below which height cannot be told",
        unit="px",
        low=0.005,
        high=0.5,
        source=BY_HAND,
    )
    pixels: int = tuned(
        450,
        title="pixels that are enough: the model's faults count, not noise",
        unit="1",
        low=100,
        high=5000,
        source=by_hand_in("61110c0"),
    )
    neighbour_px: float = tuned(
        1.0,
        title="as far out from a neighbour's outline its blurred edge is seen",
        unit="px",
        low=0.2,
        high=4,
        source=by_hand_in("847ef17"),
    )
    sky_blur_px: float = tuned(
        0.8, title="blur of the dimmer sky's edge, whatever the height", unit="px", low=0.2, high=3, source=BY_HAND
    )

    @property
    def blurs_px(self) -> Array:
        """Blur of an edge in luma, and in a colour (2,)."""
        return np.array([self.luma_blur_px, self.colour_blur_px])

    @property
    def shares(self) -> Array:
        """What luma counts, and a colour (2,)."""
        return np.array([self.luma_share, self.colour_share])

    @property
    def shadows(self) -> tuple[tuple[float, float], ...]:
        """Where a cap's nearer shadow falls and that of its upper edge, and the blur of each, in heights."""
        return (self.near_shadow, self.near_shadow_blur), (1.0, self.far_shadow_blur)


RIM = RimTuning()

STRETCH = 0.1  # by which a body is stretched to see how its outline changes with its height

SHAPE = 4  # what is fitted: the place along x and y in mm, how much wider in mm, how much taller as a share
RIDGE = 1e-5
# a blurred edge's share of cover and its slope by how many blurs a pixel lies beyond it: read off, for speed
EDGE_STEPS, EDGE_MIDDLE = 4000, 24000
_BEYOND = (np.arange(2 * EDGE_MIDDLE + 1) - EDGE_MIDDLE) / EDGE_STEPS
EDGE_SHARES = share_below(-_BEYOND)
EDGE_SLOPES = np.exp(-0.5 * _BEYOND**2) / np.sqrt(2 * np.pi)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residuals:
    """At one place: what stays unexplained (2, P), its Jacobian (2, SHAPE, P), how far pixels count (P,)."""

    residual: Array
    jacobian: Array
    window: Array

    def robust_weights(self, sigma: float) -> Array:
        """Weigh pixels (P,): those so far off count half, and what fits nothing (litter, highlights) hardly at all."""
        return np.asarray(1 / (1 + (self.residual**2).sum(axis=0) / sigma**2), float)

    def weighted(self, sigma: float) -> tuple[Array, Array]:
        """Give residual and Jacobian, robustly weighted."""
        root = np.sqrt(self.robust_weights(sigma) * self.window)
        return self.residual * root, self.jacobian * root


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedBody:
    """A body in one place: of which columns each plane is made there, how they grow, and how far pixels count.

    That is by columns (C, P), slopes (C, SHAPE, P) and a window (P,).
    """

    columns: tuple[Array, ...]
    by_mm: tuple[Array, ...]
    window: Array


class _Parts(NamedTuple):
    """Shares of each pixel (..., P), and how they grow by a millimetre along x, y, of the radius, and by the height.

    The slopes (..., SHAPE, P) by a millimetre of place and radius, and by the whole height.
    """

    shares: Array
    by_mm: Array


class Rim:
    """Remembers the pixels near one cap's outline, ready to be explained from any place near by.

    `start_mm` (2,) is where the cap is supposed, `pixels` (P, 2) are those pixels, `middle_px` (2,) is the outline's
    middle there, and `held` (2,) how far the listed width and height outweigh the seen ones.
    """

    def __init__(self, patch: Patch, shift_px: Array, slope: Array | None, taken: tuple[Array, ...] = ()) -> None:
        """Ready the pixels near a place; `taken` are outlines (N, 2) of neighbours, whose pixels count for nothing."""
        view, solid, pixels = patch.view, patch.solid, patch.pixels
        self.patch = patch
        self.start_mm = patch.near_mm + np.linalg.solve(patch.px_a_mm, shift_px)
        points, inner = outline_px(view, solid, self.start_mm), inner_px(view, solid, self.start_mm)
        near = near_hull(pixels, points, RIM.outside_px)
        out = beyond(pixels[near], points)
        depth = out if inner is None else beyond(pixels[near], inner)
        keep = near[(out < RIM.outside_px) & (depth > -RIM.deep_px)]
        for outline in taken:
            keep = keep[beyond(pixels[keep], outline) > RIM.neighbour_px]
        keep = keep[(pixels[keep] @ (1, 2)) % max(round(len(keep) / RIM.pixels), 1) == 0]
        self.pixels, self.middle_px = pixels[keep], points.mean(axis=0)
        now, empty = (plane.reshape(-1, 3)[keep].T for plane in (patch.now, patch.empty))
        within = beyond(self.pixels, points) < 0
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
        self._body = Hulls(self.pixels, outlines)
        height_px, radius_px = (float(size.max()) * patch.px_per_mm for size in (solid.heights_mm, solid.radii_mm))
        self.held = _held(radius_px, max(float(np.hypot(*rises.T).max()), RIM.least_rise_px))
        falls = [(np.zeros(2), RIM.sky_blur_px + RIM.sky_blur * height_px)]
        if slope is not None:
            falls += [(share * slope, RIM.shadow_blur_px + blur * height_px) for share, blur in RIM.shadows]
        self._shades = Hulls(self.pixels, [self._shade(fall, taller) for fall, _ in falls])
        self._shade_blurs_px = np.array([blur for _, blur in falls])

    def _shade(self, fall: Array, taller: Solid) -> tuple[Array, Array]:
        """Outline the shadow that falls so far (2,) a millimetre of height; tell how far a taller body's reaches."""
        view, solid = self.patch.view, self.patch.solid
        points, longer = (shadow_px(view, one, self.start_mm, fall) for one in (solid, taller))
        return points, (longer - points) / STRETCH

    def _gaps_mm(self, within: NDArray[np.bool_]) -> float:
        """Tell how far a darker cap's outline looks moved towards its shadow.

        Between the teeth of its skirt one sees lit ground before the cap, and ground as dark as itself behind it.
        """
        if not within.any():
            return 0.0
        luma = float(np.median(self._now[0, within]) / (np.median(self._empty[0, within]) + 1e-9))
        return self.patch.solid.teeth_mm * float(np.clip(RIM.even_luma - luma, 0, 1))

    def _paint_faith(self, keep: NDArray[np.intp]) -> Array:
        """Tell how far each pixel is to be believed: what ails bright paint outweighs the rim of a dim cap."""
        luma, noise = self.patch.empty[..., 0], self.patch.noise
        stray = RIM.paint_stray_px * np.hypot(*np.gradient(luma)).ravel()[keep]
        amiss = RIM.paint_doubt * np.maximum(luma.ravel()[keep] - np.median(luma), 0)
        return np.asarray(noise / np.sqrt(noise**2 + stray**2 + amiss**2), float)

    def place(self, shift_mm: Array) -> PlacedBody:
        """Put the body where it is shifted and grown by (SHAPE,)."""
        px_a_mm, ground_px_a_mm, grown = self.patch.px_a_mm, self.patch.ground_px_a_mm, shift_mm[2:]
        move = px_a_mm @ shift_mm[:2]
        self._body.move(move)
        self._shades.move(ground_px_a_mm @ shift_mm[:2])
        depth = self._body.beyond[-1]
        window = 1 / (1 + np.exp(-4 * (depth + RIM.inside_px)))
        shades = _cover(self._shades, self._shade_blurs_px, ground_px_a_mm, grown)
        rim = self._round_the_rim(move)
        if self._fall_px is not None:
            far = np.clip(self._fall_px @ rim[1:3], 0, 1)
            window = window * (1 - RIM.shade_distrust * shades.shares[-1]) * (1 - RIM.far_distrust * far)
        columns, slopes = [], []
        covers = _cover(self._body, RIM.blurs_px[:, None], px_a_mm, grown)
        for plane, layers in enumerate(map(_Parts, *covers)):
            ground, body = _beside(layers, shades), self._coloured(layers, rim, self._empty[plane])
            lit = [_Parts(ground.shares * self._empty[plane], ground.by_mm * self._empty[plane])]
            if plane:  # white light that is lost or added
                lit.append(_Parts(ground.shares[:1] * self._empty[0], ground.by_mm[:1] * self._empty[0]))
            shares, by_mm = map(np.concatenate, zip(*lit, *body, strict=True))
            columns.append(shares)
            slopes.append(by_mm)
        return PlacedBody(columns=tuple(columns), by_mm=tuple(slopes), window=window)

    def explain(self, placed: PlacedBody, weights: Array) -> Residuals:
        """Explain the pixels as well as the body in its place allows, each weighed so (P,)."""
        counted = self._faith**2 * (weights * placed.window)
        planes = zip(placed.columns, placed.by_mm, self._now, strict=True)
        told = [_explain(columns, by_mm, now, counted) for columns, by_mm, now in planes]
        residual, jacobian = (np.stack(part) for part in zip(*told, strict=True))
        weight = RIM.shares[:, None] * self._faith
        return Residuals(residual=weight * residual, jacobian=weight[:, None] * jacobian, window=placed.window)

    def _coloured(self, layers: _Parts, rim: Array, empty: Array) -> list[_Parts]:
        """Colour the pixels of the body's layers: round the rim, and plainer within; glass lets the ground through."""
        through = empty[None] if self.patch.solid.is_glass else empty[None][:0]
        tints = [np.vstack([some, through]) for some in (rim, rim[: 2 * RIM.inner_harmonics + 1])]
        return [
            _Parts(share * tint, tint[:, None] * by_mm)
            for share, by_mm, tint in zip(*layers, tints[: len(layers.shares)], strict=True)
        ]

    def _round_the_rim(self, move_px: Array) -> Array:
        """Compute smooth functions of the direction from the cap's middle: (1 + 2 * `harmonics`, P)."""
        away = self.pixels - self.middle_px - move_px
        turn = away[:, 0] + 1j * away[:, 1]
        turn /= np.maximum(np.abs(turn), 1e-9)
        functions, power = [np.ones(len(turn))], np.ones_like(turn)
        for _ in range(RIM.harmonics):
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


def _held(radius_px: float, rise_px: float) -> Array:
    """Tell how far the listed width and height (2,) outweigh the seen ones."""
    return np.array(
        [
            (RIM.rim_doubt_px / (RIM.wider_share * radius_px)) ** 2,
            (RIM.rim_doubt_px / (RIM.taller_share * rise_px)) ** 2,
        ]
    )


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.hypot(*vector)), 1e-9), float)


def _explain(columns: Array, by_mm: Array, seen: Array, counted: Array) -> tuple[Array, Array]:
    """Fit columns (C, P), which grow by (C, SHAPE, P), to what is seen (P,): the residual (P,) and its Jacobian."""
    weighted = columns * counted
    normal = weighted @ columns.T
    normal.flat[:: len(normal) + 1] += RIDGE * np.trace(normal) / len(normal) + 1e-12
    inverse = cv2.invert(normal, flags=cv2.DECOMP_CHOLESKY)[1]  # positive definite by its ridge
    shares = inverse @ (weighted @ seen)
    jacobian = np.tensordot(shares, by_mm, 1)
    held = inverse @ (weighted @ jacobian.T)
    return seen - shares @ columns, held.T @ columns - jacobian
