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

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import share_below
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.hull import SHAPE, Hulls
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.solid import beyond, inner_mm, near_hull, outline_mm, project, shadow_mm

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

RIDGE = 1e-5  # of the mean of a matrix's diagonal, which keeps it invertible
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
    """A body in one place, of L outlines, with S shades: what each plane is made of, and how far pixels count (P,).

    Each plane has lights (C, P), and columns (C, P), which are these by the pixels' shares of them. How fast pixels
    change sides is `edges` (2, L, P), how fast they come out of shade, in the ground's own light, `shade_edges`
    (2, S, P), as sides move out; and `slopes` (L + S, SHAPE, P) is how far those move.
    """

    lights: tuple[Array, ...]
    columns: tuple[Array, ...]
    edges: Array
    shade_edges: Array
    slopes: Array
    window: Array


class Rim:
    """Remembers the pixels near one cap's outline, ready to be explained from any place near by.

    `start_mm` (2,) is where the cap is supposed, `pixels` (P, 2) are those pixels, `middle_px` (2,) is the outline's
    middle there, and `held` (2,) how far the listed width and height outweigh the seen ones.
    """

    def __init__(self, patch: Patch, shift_px: Array, slope: Array | None, taken: tuple[Array, ...] = ()) -> None:
        """Ready the pixels near a place; `taken` are outlines (N, 2) of neighbours, whose pixels count for nothing."""
        solid = patch.solid
        self.patch = patch
        self.start_mm = patch.place_mm(shift_px)
        height_px, radius_px = (float(size.max()) * patch.px_per_mm for size in (solid.heights_mm, solid.radii_mm))
        falls = [(np.zeros(2), RIM.sky_blur_px + RIM.sky_blur * height_px)]
        if slope is not None:
            falls += [(share * slope, RIM.shadow_blur_px + blur * height_px) for share, blur in RIM.shadows]
        outlines = self._outlines([fall for fall, _ in falls])
        layers, shades = outlines[: -len(falls)], outlines[-len(falls) :]
        (points, rises), *inner = layers
        keep, is_within = _near_rim(patch.pixels, points, [one for one, _ in inner], taken)
        self.pixels, self.middle_px = patch.pixels[keep], points.mean(axis=0)
        now, empty = (plane.reshape(-1, 3)[keep].T for plane in (patch.now, patch.empty))
        colour = 1 + int(np.argmax(np.abs((now - empty)[1:, is_within].sum(axis=1))))  # blue or red, as it differs more
        self._now, self._empty = now[[0, colour]], empty[[0, colour]]
        self._faith = self._paint_faith(keep)
        self._fall_px = None if slope is None else _unit(patch.ground_px_a_mm @ slope)
        lean_mm = np.zeros(2) if slope is None else self._gaps_mm(is_within) * _unit(slope)
        self._body = Hulls(self.pixels, [(points + patch.px_a_mm @ lean_mm, rises), *inner], patch.px_a_mm)
        self._shades = Hulls(self.pixels, shades, patch.ground_px_a_mm)
        self._shade_blurs_px = np.array([[blur] for _, blur in falls])
        self.held = _held(radius_px, max(float(np.hypot(*rises.T).max()), RIM.least_rise_px))
        self._layer_count = len(layers)
        self._layers = tuple(self._layers_of(plane) for plane in range(len(self._now)))
        self._is_of_layer = tuple(whose == np.arange(1 + len(layers))[:, None] for whose in self._layers)

    def _outlines(self, falls: list[Array]) -> list[tuple[Array, Array]]:
        """Outline the body's layers, and the shadows that fall so far (2,) a millimetre of height.

        Gives points (N, 2), and how far each would move if the body were twice as tall (N, 2).
        """
        start_mm, solid = self.start_mm, self.patch.solid
        drawn = [
            [outline_mm(one, start_mm), *inner_mm(one, start_mm), *(shadow_mm(one, start_mm, fall) for fall in falls)]
            for one in (solid, solid.stretched(1 + STRETCH))
        ]
        seen = project(self.patch.view, [*drawn[0], *drawn[1]])
        points, longer = seen[: len(drawn[0])], seen[len(drawn[0]) :]
        return [(one, (other - one) / STRETCH) for one, other in zip(points, longer, strict=True)]

    def _layers_of(self, plane: int) -> NDArray[np.intp]:
        """Tell whose each light of a plane is (C,): the ground's, 0, or that of the body's first layer, or second."""
        through = int(self.patch.solid.is_glass)
        tints = (2 * RIM.harmonics + 1 + through, 2 * RIM.inner_harmonics + 1 + through)[: self._layer_count]
        return np.repeat(np.arange(1 + len(tints)), (1 + len(self._shade_blurs_px) + (plane > 0), *tints))

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
        stray = RIM.paint_stray_px * np.hypot(*(slope.ravel()[keep] for slope in np.gradient(luma)))
        amiss = RIM.paint_doubt * np.maximum(luma.ravel()[keep] - np.median(luma), 0)
        return np.asarray(noise / np.sqrt(noise**2 + stray**2 + amiss**2), float)

    def place(self, shift: Array) -> PlacedBody:
        """Put the body where it is shifted and grown by (SHAPE,)."""
        for hulls in (self._body, self._shades):
            hulls.move(shift[:2])
        covers, edges = _cover(self._body, RIM.blurs_px[:, None, None], shift[2:])
        shades, shade_edges = _cover(self._shades, self._shade_blurs_px, shift[2:])
        window = 1 / (1 + np.exp(-4 * (self._body.beyond[-1] + RIM.inside_px)))
        rim = self._round_the_rim(self.patch.px_a_mm @ shift[:2])
        if self._fall_px is not None:
            far = np.clip(self._fall_px @ rim[1:3], 0, 1)
            window = window * (1 - RIM.shade_distrust * shades[-1]) * (1 - RIM.far_distrust * far)
        bare = 1 - covers[:, :1]
        shares = np.concatenate([bare, covers], axis=1)
        lights = tuple(self._lights(shades, rim, plane) for plane in range(len(shares)))
        planes = zip(shares, lights, self._layers, strict=True)
        return PlacedBody(
            lights=lights,
            columns=tuple(share[layer] * light for share, light, layer in planes),
            edges=edges,
            shade_edges=bare * self._empty[:, None] * shade_edges,
            slopes=np.concatenate([self._body.slopes, self._shades.slopes]),
            window=window,
        )

    def explain(self, placed: PlacedBody, weights: Array) -> Residuals:
        """Explain the pixels as well as the body in its place allows, each weighed so (P,)."""
        counted = self._faith**2 * (weights * placed.window)
        residual, jacobian = np.empty_like(self._now), np.empty((len(self._now), SHAPE, len(counted)))
        for plane in range(len(self._now)):
            residual[plane], jacobian[plane] = self._explain(placed, plane, counted)
        weight = RIM.shares[:, None] * self._faith
        residual *= weight
        jacobian *= weight[:, None]
        return Residuals(residual=residual, jacobian=jacobian, window=placed.window)

    def _explain(self, placed: PlacedBody, plane: int, counted: Array) -> tuple[Array, Array]:
        """Fit a plane's lights to what is seen of it: the residual (P,) and its Jacobian (SHAPE, P)."""
        columns, edges, shade_edges = placed.columns[plane], placed.edges[plane], placed.shade_edges[plane]
        weighted = columns * counted
        inverse = _inverse(weighted @ columns.T)
        shares = inverse @ (weighted @ self._now[plane])
        ground, outer, *inner = (self._is_of_layer[plane] * shares) @ placed.lights[plane]
        grown = np.empty((len(edges) + len(shade_edges), len(counted)))
        np.multiply(edges, [outer - ground, *inner], out=grown[: len(edges)])
        np.multiply(shade_edges, shares[1 : 1 + len(shade_edges), None], out=grown[len(edges) :])
        jacobian = np.einsum("hp,hsp->sp", grown, placed.slopes)
        held = inverse @ (weighted @ jacobian.T)
        return self._now[plane] - shares @ columns, held.T @ columns - jacobian

    def _lights(self, shades: Array, rim: Array, plane: int) -> Array:
        """List the lights of a plane (C, P), as `_layers` lists whose they are.

        The ground's is its own, in no shade and in each, and white light that is lost or added. The body's layers are
        coloured round the rim, and plainer within; glass lets the ground through.
        """
        empty = self._empty[plane, None]
        white = self._empty[:1] if plane else self._empty[:0]
        through = [empty] if self.patch.solid.is_glass else []
        layers = (rim, rim[: 2 * RIM.inner_harmonics + 1])[: self._layer_count]
        return np.concatenate([empty, shades * empty, white, *(one for tints in layers for one in (tints, *through))])

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


def _near_rim(
    pixels: Array, points: Array, inner: list[Array], taken: tuple[Array, ...]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """List the pixels (of P, 2) that tell of an outline (N, 2), and which of these lie within it.

    They lie near it, or near the one within it, if any, and in none of the neighbours' (N, 2).
    """
    near = near_hull(pixels, points, RIM.outside_px)
    out = beyond(pixels[near], points)
    tells = out < RIM.outside_px
    if not inner:
        tells &= out > -RIM.deep_px
    near, out = near[tells], out[tells]
    for outline, least_px in (*((one, -RIM.deep_px) for one in inner), *((one, RIM.neighbour_px) for one in taken)):
        tells = beyond(pixels[near], outline) > least_px
        near, out = near[tells], out[tells]
    tells = (pixels[near] @ (1, 2)) % max(round(len(near) / RIM.pixels), 1) == 0
    return near[tells], out[tells] < 0


def _cover(hulls: Hulls, blurs_px: Array, grown: Array) -> tuple[Array, Array]:
    """Tell which share of each pixel each of H hulls covers, of a body so much wider and taller (2,).

    Gives that and how it grows as the hull's side moves out, for blurs (H, 1) or (B, 1, 1): (H, P) or (B, H, P).
    """
    away = hulls.beyond - grown @ hulls.slopes[:, 2:]
    place = away * (EDGE_STEPS / blurs_px) + (EDGE_MIDDLE + 0.5)
    place = place.clip(0, 2 * EDGE_MIDDLE, out=place).astype(np.intp)
    return EDGE_SHARES[place], EDGE_SLOPES[place] / blurs_px


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


def _inverse(normal: Array) -> Array:
    """Invert a normal matrix (C, C), which a ridge keeps positive definite."""
    normal.flat[:: len(normal) + 1] += RIDGE * normal.trace() / len(normal) + 1e-12
    return np.asarray(cv2.invert(normal, flags=cv2.DECOMP_CHOLESKY)[1], float)
