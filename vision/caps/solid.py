"""The cap as a solid: what a body of known diameter and height covers of the picture, wherever it stands.

A cap is a stack of circles round one upright axis. Its outline in the picture is the convex hull of those
circles as the camera sees them; its cast shadow is the hull of the same circles slid down the light onto
the ground. Both are kept as support functions: how far they reach in each of `DIRECTIONS`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View, share_below
from linesies.vision.caps.cap import Cap, Kind

Array = NDArray[np.float64]

_TURN = np.linspace(0, 2 * np.pi, 64, endpoint=False)
CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])  # (64, 2)
DIRECTIONS = CIRCLE
HALF_A_MM = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]])  # each way along x, and along y

# share of the radius at share of the height, from the ground up (issue: where each kind is widest)
_PROFILES: dict[Kind, tuple[tuple[float, float], ...]] = {
    "crown": ((0.97, 0.0), (0.97, 0.2), (0.86, 0.7), (0.79, 1.0)),
    "crown_upturned": ((0.78, 0.0), (0.84, 0.4), (0.96, 0.9), (0.96, 1.0)),
    "lid": ((0.99, 0.0), (0.99, 0.88), (0.97, 0.96), (0.93, 1.0)),
    "lid_open": ((0.84, 0.0), (0.94, 0.18), (0.98, 0.8), (0.96, 1.0)),
    "ring": ((0.88, 0.0), (0.97, 0.25), (0.99, 0.5), (0.97, 0.75), (0.88, 1.0)),
    "glide": ((0.97, 0.0), (1.0, 0.2), (0.87, 0.6), (0.66, 0.85), (0.3, 1.0)),
}


TOOTHED_SHARE = 0.9  # of an upturned crown's height is plain, above that are its teeth
TEETH: dict[Kind, float] = {"crown": 0.03, "crown_upturned": 0.05}  # of the radius, as deep as their gaps look
# likewise, of the circle within which a cap looks otherwise
_INNER: dict[Kind, tuple[float, float]] = {
    "crown": (0.82, 1.0),
    "crown_upturned": (0.89, 0.8),
    "lid": (0.93, 1.0),
    "lid_open": (0.935, 1.0),
    "ring": (0.7, 1.0),
    "glide": (0.85, 0.6),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solid:
    """A stack of circles: their radii and heights over the ground (both (N,), mm).

    Within `plain_share` of the radii it shows its own colour; a rim of teeth beyond may look like shadow, and
    `teeth_mm` is how deep the gaps between them look. `inner_mm` is the radius and height of the circle within which
    it looks otherwise: wax, a face, a floor, a hole, or steel that mirrors the sky and no longer the ground. Through
    glass the ground is seen.
    """

    radii_mm: Array
    heights_mm: Array
    plain_share: float = 1.0
    teeth_mm: float = 0.0
    inner_mm: tuple[float, float] | None = None
    is_glass: bool = False

    def stretched(self, times: float) -> "Solid":
        """Make it so many times as tall."""
        inner = self.inner_mm and (self.inner_mm[0], self.inner_mm[1] * times)
        return replace(self, heights_mm=self.heights_mm * times, inner_mm=inner)


def solid_of(cap: Cap, kind: Kind) -> Solid:
    """Build the body of a cap that is of this kind."""
    profile = np.array(_PROFILES[kind])
    inner = _INNER.get(kind)
    return Solid(
        radii_mm=profile[:, 0] * cap.diameter_mm / 2,
        heights_mm=profile[:, 1] * cap.height_mm,
        plain_share=TOOTHED_SHARE if kind == "crown_upturned" else 1.0,
        teeth_mm=TEETH.get(kind, 0.0) * cap.diameter_mm / 2,
        inner_mm=inner and (inner[0] * cap.diameter_mm / 2, inner[1] * cap.height_mm),
        is_glass=kind == "ring",
    )


def outline_px(view: View, solid: Solid, xy_mm: Array) -> Array:
    """Project every circle of the solid standing at a board point (2,): (N * 64, 2)."""
    (outline,) = project(view, [outline_mm(solid, xy_mm)])
    return outline


def shadow_px(view: View, solid: Solid, xy_mm: Array, slope: Array) -> Array:
    """Project the shadow on the ground of the solid; `slope` (2,) is how far it falls per mm of height."""
    (shadow,) = project(view, [shadow_mm(solid, xy_mm, slope)])
    return shadow


def outline_mm(solid: Solid, xy_mm: Array) -> Array:
    """List every circle of the solid standing at a board point (2,): x, y and height (N * 64, 3)."""
    return _raised(xy_mm + solid.radii_mm[:, None, None] * CIRCLE, solid.heights_mm[:, None])


def inner_mm(solid: Solid, xy_mm: Array) -> tuple[Array, ...]:
    """List the circle within which the solid looks otherwise, if any, likewise: (64, 3)."""
    if solid.inner_mm is None:
        return ()
    radius_mm, height_mm = solid.inner_mm
    return (_raised(xy_mm + radius_mm * CIRCLE, height_mm),)


def shadow_mm(solid: Solid, xy_mm: Array, slope: Array) -> Array:
    """List what casts the outline of the solid's shadow, likewise, on the ground: (N * 64, 3)."""
    rings = xy_mm + solid.heights_mm[:, None, None] * slope + solid.radii_mm[:, None, None] * CIRCLE
    return _raised(rings, 0.0)


def _raised(xy_mm: Array, heights_mm: Array | float) -> Array:
    points = np.empty((*xy_mm.shape[:-1], 3))
    points[..., :2], points[..., 2] = xy_mm, heights_mm
    return points.reshape(-1, 3)


def project(view: View, outlines_mm: Sequence[Array]) -> list[Array]:
    """Project outlines (N, 3) into the picture (N, 2), all at once: a few points take nearly as long as hundreds."""
    if not outlines_mm:
        return []
    points = np.concatenate(outlines_mm)
    ends = np.cumsum([len(one) for one in outlines_mm])
    return np.split(view.mm_to_px(points[:, :2], points[:, 2]), ends[:-1])


def reach(points_px: Array) -> Array:
    """How far points (N, 2) reach in each of DIRECTIONS: (64,)."""
    return np.asarray((points_px @ DIRECTIONS.T).max(axis=0), float)


def beyond(pixels: Array, points_px: Array) -> Array:
    """Tell how far pixels (P, 2) lie beyond the hull of points (N, 2), negative inside: (P,)."""
    away = np.column_stack([DIRECTIONS, -reach(points_px)]) @ np.vstack([pixels.T, np.ones(len(pixels))])
    return np.asarray(away.max(axis=0), float)  # a direction a row: a maximum over rows takes a sixth of one along them


def is_beyond(pixels: Array, points_px: Array, margin_px: float) -> NDArray[np.bool_]:
    """Tell which pixels (P, 2) lie farther than a margin beyond the hull of points (N, 2): most lie beyond its box."""
    is_out = np.ones(len(pixels), np.bool_)
    near = near_hull(pixels, points_px, margin_px)
    is_out[near] = beyond(pixels[near], points_px) > margin_px
    return is_out


def px_a_mm(view: View, xy_mm: Array, height_mm: float) -> Array:
    """Measure the picture's shift for a millimetre along x (column 0) and y (1), at board points (..., 2)."""
    ends = view.mm_to_px(xy_mm[..., None, :] + HALF_A_MM, height_mm).reshape(*xy_mm.shape[:-1], 2, 2, 2)
    return np.swapaxes(ends[..., 0, :] - ends[..., 1, :], -2, -1)


def cover(pixels: Array, points_px: Array, blur_px: float = 0.5) -> Array:
    """Tell how much of each pixel (P, 2) the hull of points (N, 2) covers, 0 to 1 (P,)."""
    covered = np.zeros(len(pixels))
    near = near_hull(pixels, points_px, 4 * blur_px)
    if len(near):  # most outlines lie far from what is looked at
        covered[near] = share_below(-beyond(pixels[near], points_px) / blur_px)
    return covered


def near_hull(pixels: Array, points_px: Array, margin_px: float) -> NDArray[np.intp]:
    """List the pixels (of P, 2) that lie within a margin of the box round points (N, 2)."""
    inside = (pixels > points_px.min(axis=0) - margin_px) & (pixels < points_px.max(axis=0) + margin_px)
    return np.flatnonzero(inside[:, 0] & inside[:, 1])
