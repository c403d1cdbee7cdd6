"""Find the one direction in which all shadows of a picture fall, and how far they reach.

Round a cap the ground is darker for two reasons: the body shuts off the sky, on all sides alike and most at its foot,
and it casts a shadow to one side. What the first explains is taken off before the second is sought, or cloudy days
would have a sun. Each slope is tried on all caps at once, first on a coarse grid, then about the best so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.found import Found, found_at
from linesies.vision.caps.hypothesis import Supposed
from linesies.vision.caps.light import FAINTEST
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.solid import CIRCLE, DIRECTIONS, beyond, cover, near_hull
from linesies.vision.shadow_light import ShadowLight

Array = NDArray[np.float64]
# lights: the bearing of shadows (radians) and the logarithm of their length in heights (K, 2)
GRID = np.array([(turn * np.pi / 6, np.log(length)) for length in (0.25, 0.45, 0.8, 1.4, 2.4) for turn in range(12)])


def slopes_of(lights: Array) -> Array:
    """Give the slopes (K, 2) of lights (K, 2), which are told as in `GRID`."""
    bearing, length = lights[:, 0], np.exp(lights[:, 1:])
    return np.asarray(length * np.column_stack([np.cos(bearing), np.sin(bearing)]), float)


SLOPES = slopes_of(GRID)
AROUND = np.array([(turn, stretch) for turn in (-1, 0, 1) for stretch in (-1, 0, 1)])
FINER = ((0.26, 0.25), (0.13, 0.12), (0.07, 0.06))  # steps about the best so far
SIDES = DIRECTIONS[::2]


@dataclass(frozen=True)
class ShadowTuning(Tuning):
    """How it is found where shadows fall."""

    farthest: float = tuned(
        3.0,
        title="heights from a cap up to which its shadow is looked for",
        unit="1",
        low=1,
        high=8,
        source=by_hand_in("dc62565"),
    )
    clear_px: float = tuned(
        2.0,
        title="from an outline that was sought to the pixel; nearer there may be more of it",
        unit="px",
        low=0.5,
        high=6,
        source=by_hand_in("05a0afb"),
    )
    soft_px: float = tuned(
        3.75, title="width of a shadow's edge", unit="px", low=0.5, high=10, source=by_hand_in("dc62565")
    )
    least_shade: float = tuned(
        0.12,
        title="of the light, what shade takes at least; less may be noise",
        unit="1",
        low=0.02,
        high=0.5,
        source=by_hand_in("dc62565"),
    )
    most_shade: float = tuned(
        0.9, title="of the light, what it takes at most", unit="1", low=0.5, high=1, source=by_hand_in("dc62565")
    )
    sky_reach: float = tuned(
        0.7,
        title="heights from a cap where the sky that it shuts off counts a third",
        unit="1",
        low=0.1,
        high=3,
        source=by_hand_in("dc62565"),
    )
    enough: int = tuned(
        400, title="pixels round a cap that are looked at", unit="1", low=50, high=5000, source=by_hand_in("dc62565")
    )
    quiet: float = tuned(
        0.05,
        title="keeps shares finite where nothing is dark",
        unit="1",
        low=0.001,
        high=1,
        source=by_hand_in("dc62565"),
    )
    plain_share: float = tuned(
        0.1,
        title="of the darkness, what a direction must explain, or the light is diffuse",
        unit="1",
        low=0.01,
        high=0.9,
        source=by_hand_in("05a0afb"),
    )
    least_cover: float = tuned(
        0.2,
        title="share of a pixel in another cap's outline from which its darkness is that one's",
        unit="1",
        low=0.01,
        high=1,
        source=BY_HAND,
    )


SHADOW = ShadowTuning()


@dataclass(frozen=True, kw_only=True, eq=False)
class Shade:
    """What is dark round one cap.

    The ground's pixels reach so far towards each of `SIDES` (D, P) and are so dark (P,). The unit vector `sky` (P,) is
    what a body darkens on all sides; `darkness` is without it, `whole` the squared sum with it. `rings_px` (N, D) is
    how far the cap's circles reach, dropped onto the ground, `fall_px` (N, D, 2) how much farther for a unit of slope.
    """

    along_px: NDArray[np.float32]
    darkness: Array
    whole: float
    sky: Array
    rings_px: Array
    fall_px: Array

    @cached_property
    def by_light(self) -> Array:
        """What share of the dark the lights of `GRID` explain (K,)."""
        return self.explained(SLOPES)

    def explained(self, slopes: Array) -> Array:
        """Tell what share of the dark shadows of slopes (K, 2) explain beside the sky: (K,)."""
        hulls = (self.rings_px[..., None] + self.fall_px @ slopes.T).max(axis=0).astype(np.float32)
        beyond = (self.along_px[:, None] - hulls[..., None]).max(axis=0)
        shade = np.clip(0.5 - beyond / SHADOW.soft_px, 0, 1)
        shade -= (shade @ self.sky)[:, None] * self.sky
        inside = np.maximum(shade @ self.darkness, 0)
        return np.asarray(inside**2 / ((shade**2).sum(axis=1) * self.whole + 1e-9), float)


def find_light(supposed: Supposed) -> ShadowLight:
    """Find how shadows fall from the caps of a picture, each where it was seen.

    Sought without a light, a cap is soon held for lying in its own shadow, and what is dark about it falls elsewhere.
    """
    return light_of([found_at(one, np.zeros(2)) for one in supposed.hypotheses])


def light_of(found: Sequence[Found], beside: Sequence[Array] = ()) -> ShadowLight:
    """Find how shadows fall, from the caps that cannot be taken for shadow themselves, where there are any.

    `beside` are the outlines (N, 2) of further caps: what lies in another's is no shadow. What is best explained by
    shadows longer than is looked at is none of these caps': a tree's, or a passer-by's.
    """
    taken = [*(one.outline_px for one in found), *beside]
    is_all_dark = all(one.hypothesis.is_dark for one in found)
    clear = [one for one in found if is_all_dark or not one.hypothesis.is_dark]
    shades = [shade for shade in (shade_about(one, taken) for one in clear) if shade is not None]
    if not shades:
        return ShadowLight(slope=None)
    slope, explained = likeliest_slope(shades)
    is_told = explained * len(shades) > SHADOW.plain_share * len(clear) and float(np.hypot(*slope)) < SHADOW.farthest
    return ShadowLight(slope=slope if is_told else None)


def likeliest_slope(shades: Sequence[Shade]) -> tuple[Array, float]:
    """Find the slope (2,) whose shadows explain most of what is dark round some caps, and what share of it a cap."""
    worth = np.mean([shade.by_light for shade in shades], axis=0)
    light = GRID[int(worth.argmax())]
    for step in FINER:
        lights = light + AROUND * step
        worth = np.mean([shade.explained(slopes_of(lights)) for shade in shades], axis=0)
        light = lights[int(worth.argmax())]
    return slopes_of(light[None])[0], float(worth.max())


def shade_about(found: Found, taken: Sequence[Array]) -> Shade | None:
    """Look at the ground round a cap; None where others, of outlines (N, 2), cover all of it."""
    patch = found.hypothesis.patches[0]
    xy_mm = patch.place_mm(found.shift_px)
    outside, beyond_px = _outside(patch, found.outline_px, taken)
    if not len(outside):
        return None
    now, empty = (cv2.GaussianBlur(plane[..., 0], (0, 0), 1.0).ravel()[outside] for plane in (patch.now, patch.empty))
    lost = np.clip(1 - now / (empty + FAINTEST), 0, SHADOW.most_shade)
    darkness = np.where((lost > SHADOW.least_shade) & found.hypothesis.unlike.is_shaded.ravel()[outside], lost, 0.0)
    sky = np.exp(-beyond_px / (SHADOW.sky_reach * _height_px(patch) + 0.5))
    sky /= np.linalg.norm(sky)
    circles = xy_mm + patch.solid.radii_mm[:, None, None] * CIRCLE
    dropped = patch.view.mm_to_px(circles.reshape(-1, 2)).reshape(circles.shape)
    return Shade(
        along_px=(SIDES @ patch.pixels[outside].T).astype(np.float32),
        darkness=darkness - (darkness @ sky) * sky,
        whole=float(darkness @ darkness) + SHADOW.quiet,
        sky=sky,
        rings_px=(dropped @ SIDES.T).max(axis=1),
        fall_px=patch.solid.heights_mm[:, None, None] * (SIDES @ patch.ground_px_a_mm),
    )


def _outside(patch: Patch, points_px: Array, taken: Sequence[Array]) -> tuple[NDArray[np.intp], Array]:
    """List pixels round an outline (N, 2) that are clear of it and of all others, and how far beyond it they lie."""
    room_px = SHADOW.farthest * _height_px(patch)
    near = near_hull(patch.pixels, points_px, room_px)
    near = near[(patch.pixels[near] @ (1, 2)) % max(len(near) // (2 * SHADOW.enough), 1) == 0]
    beyond_px = beyond(patch.pixels[near], points_px)
    is_free = (beyond_px > SHADOW.clear_px) & (beyond_px < room_px)
    for other in taken:
        if np.hypot(*(other.mean(axis=0) - points_px.mean(axis=0))) > 1:
            is_free &= cover(patch.pixels[near], other, SHADOW.clear_px) < SHADOW.least_cover
    return near[is_free], beyond_px[is_free]


def _height_px(patch: Patch) -> float:
    return float(patch.solid.heights_mm.max()) * patch.px_per_mm
