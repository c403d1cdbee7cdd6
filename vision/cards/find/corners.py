"""The sides of cards to sub-pixel: a bowed curve through where the outer edge is likely, sharpened on light itself.

Works on all cards of a picture at once: N quads (N, 4, 2), clockwise, of which side k runs from corner k to k + 1.
"""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.find.edges import ALONG, OFFSETS_MM, STEP_MM, S, see, side_frames, side_scales
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

TERMS = np.column_stack([np.ones_like(S), S, S * S - 1 / 3])


@dataclass(frozen=True)
class NearbyTuning(Tuning):
    """How far each side is tried beside its rough place, and what that costs."""

    offset_mm: float = tuned(2.0, title="outward or inward", unit="mm", low=0.5, high=8, source=by_hand_in("d24230a"))
    turn_mm: float = tuned(1.5, title="turned, at its ends", unit="mm", low=0.2, high=6, source=by_hand_in("d24230a"))
    bow_mm: float = tuned(2.4, title="bowed", unit="mm", low=0, high=8, source=by_hand_in("d24230a"))
    offset_cost: float = tuned(
        0.004,
        title="of a millimetre outward or inward, squared",
        unit="1/mm2",
        low=0,
        high=0.2,
        source=by_hand_in("d24230a"),
    )
    turn_cost: float = tuned(0.01, title="likewise turned", unit="1/mm2", low=0, high=0.2, source=by_hand_in("d24230a"))
    bow_cost: float = tuned(0.01, title="likewise bowed", unit="1/mm2", low=0, high=0.2, source=by_hand_in("d24230a"))
    beside: float = tuned(
        0.7,
        title="what the chances of the offsets beside one count for it",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("5d43542"),
    )


NEARBY = NearbyTuning()


@dataclass(frozen=True)
class SharpeningTuning(Tuning):
    """How a side is moved onto the strongest change of light."""

    reach_mm: float = tuned(0.8, title="how far it is sought", unit="mm", low=0.1, high=5, source=by_hand_in("5575704"))
    least_reach_px: float = tuned(
        2.0, title="how far at least", unit="px", low=0.5, high=10, source=by_hand_in("5575704")
    )
    narrower: float = tuned(
        0.6, title="of that, how far once it has been found", unit="1", low=0.1, high=1, source=by_hand_in("5575704")
    )
    narrow_px: float = tuned(1.2, title="how far at last", unit="px", low=0.3, high=5, source=by_hand_in("5575704"))
    bow_held: float = tuned(
        0.02,
        title="how firmly a side is held to be straight, of what its samples say together",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("5575704"),
    )


SHARPENING = SharpeningTuning()

STEPS_NEARBY = 7  # of turns and of bows that are tried
TO_LINEAR = (65535 * (np.arange(256) / 255) ** 2.2).astype(np.uint16)  # a usual camera's curve


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sides:
    """The sides as measured: outward offsets in pixels from a quad's sides, quadratic along them.

    `bends` (N, 4, 3) are the coefficients of `TERMS`; `weights` (N, 4, samples) say how surely each sample shows
    its edge there, 0 to 1.
    """

    quads_px: Array
    bends: Array
    weights: Array

    @property
    def support(self) -> Array:
        """How much of each side is clearly seen: (N, 4)."""
        return np.asarray(self.weights.mean(-1))

    @property
    def points_px(self) -> Array:
        """The curves' points at the samples: (N, 4, samples, 2)."""
        points, normal, _ = side_frames(self.quads_px)
        return points + (self.bends @ TERMS.T)[..., None] * normal[:, :, None]

    def onto(self, quads_px: Array, chosen: NDArray[np.bool_]) -> "Sides":
        """Take the sides of other quads (N, 4, 2) where `chosen` (N, 4), as offsets from the own ones."""
        _, normal, _ = side_frames(self.quads_px)
        first = ((quads_px - self.quads_px) * normal).sum(-1)
        last = (np.roll(quads_px - self.quads_px, -1, 1) * normal).sum(-1)
        straight = np.stack([(first + last) / 2, (last - first) / 2, np.zeros_like(first)], -1)
        return replace(self, bends=np.where(chosen[..., None], straight, self.bends))


def likely_sides(chances: NDArray[np.float32], quads_px: Array, around_mm: Array) -> Sides:
    """Choose for each side the curve with the likeliest edges near `around_mm` (N, 4, 3).

    `chances` is what `EdgeNet.ask` said about these quads.
    """
    soft = _softened(chances)
    nearby_mm, cost = _nearby(NEARBY)
    tried = around_mm[:, :, None] + nearby_mm
    places = np.rint((tried @ TERMS.T - OFFSETS_MM[0]) / STEP_MM)
    index = np.clip(places, 0, len(OFFSETS_MM) - 1).astype(np.intp)
    found = np.take_along_axis(soft, index.transpose(0, 1, 3, 2), -1)  # (N, 4, samples, tried)
    best = (found.mean(2) - cost).argmax(-1)[..., None]
    weights = np.take_along_axis(found, best[..., None], -1)[..., 0]
    bends = np.take_along_axis(tried, best[..., None], 2)[:, :, 0] * side_scales(quads_px)[:, None, None]
    return Sides(quads_px=quads_px, bends=bends, weights=np.minimum(weights, 1.0).astype(float))


@cache
def _nearby(tuning: NearbyTuning) -> tuple[Array, NDArray[np.float32]]:
    """List what is tried beside a side's rough place (N, 3), in mm outward, turned and bowed, and what each costs."""
    tried_mm = np.stack(
        np.meshgrid(
            np.arange(-tuning.offset_mm, tuning.offset_mm + 0.1, STEP_MM),
            np.linspace(-tuning.turn_mm, tuning.turn_mm, STEPS_NEARBY),
            np.linspace(-tuning.bow_mm, tuning.bow_mm, STEPS_NEARBY),
        ),
        -1,
    ).reshape(-1, 3)
    cost = tried_mm**2 @ (tuning.offset_cost, tuning.turn_cost, tuning.bow_cost)
    return tried_mm, cost.astype(np.float32)


def _softened(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Add to each chance most of those of the offsets beside it."""
    beside = np.pad(chances, ((0, 0), (0, 0), (0, 0), (1, 1)))
    return beside[..., 1:-1] + NEARBY.beside * (beside[..., :-2] + beside[..., 2:])


def sharpened(linear: NDArray[np.uint16], sides: Sides) -> Sides:
    """Move curves onto the strongest change of light within a pixel or two, to sub-pixel."""
    points, normal, _ = side_frames(sides.quads_px)
    near = sides.bends @ TERMS.T
    reach = max(SHARPENING.least_reach_px, SHARPENING.reach_mm * float(np.median(side_scales(sides.quads_px))))
    offsets = np.arange(-reach - 1, reach + 1.01, 0.5)
    at = points[..., None, :] + (near[..., None] + offsets)[..., None] * normal[:, :, None, None]
    change = _changes(see(linear, at))
    bends = np.zeros_like(sides.bends)
    last = SHARPENING.narrow_px
    for narrow in (reach, max(last, SHARPENING.narrower * reach), last, last):
        place, height = _peaks(change, offsets, bends @ TERMS.T, narrow)
        level = np.median(height, -1, keepdims=True)
        bends = _fit(place, sides.weights * height / (height + level + 1e-6), bends)
    return replace(sides, bends=sides.bends + bends)


def linearised(picture: Image) -> NDArray[np.uint16]:
    """Undo the tone curve: edges of eight-bit values lie up to 0.3 px beside those of light."""
    return np.asarray(cv2.LUT(picture, TO_LINEAR), np.uint16)


def _changes(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """How strongly the picture changes across: (N, 4, S, R), summed over the colours."""
    change = np.zeros(profiles.shape[:-1], np.float32)
    change[..., 1:-1] = np.abs(profiles[..., 2:, :] - profiles[..., :-2, :]).sum(-1) / 2
    return change


def _peaks(change: NDArray[np.float32], offsets: Array, around: Array, narrow: float) -> tuple[Array, Array]:
    """Find where each sample changes most within `narrow` px of `around` (N, 4, S), to sub-pixel, and how strongly."""
    masked = np.where(np.abs(offsets - around[..., None]) <= narrow, change, 0)
    top = np.clip(masked.argmax(-1), 1, len(offsets) - 2)[..., None]
    left, middle, right = (np.take_along_axis(change, top + k, -1)[..., 0] for k in (-1, 0, 1))
    curve = np.minimum(left - 2 * middle + right, -1e-6)
    shift = np.clip(0.5 * (left - right) / curve, -1, 1)
    height = np.where(masked.max(-1) > 0, middle, 0)
    return offsets[top[..., 0]] + shift * (offsets[1] - offsets[0]), height


def _fit(place: Array, weight: Array, bends: Array) -> Array:
    """Fit the curve's coefficients anew, points far from the old curve counting less, the bow held small."""
    weight = weight / (1 + (place - bends @ TERMS.T) ** 2)
    scale = weight.mean(-1)[..., None, None] + 1e-6
    normal = np.einsum("nks,si,sj->nkij", weight, TERMS, TERMS) / scale
    right = np.einsum("nks,si,nks->nki", weight, TERMS, place)[..., None] / scale
    hold = len(ALONG) * np.diag([1e-6, 1e-6, SHARPENING.bow_held])
    return np.linalg.solve(normal + hold, right)[..., 0]


def meet(sides: Sides) -> Array:
    """Cross the bowed sides: the cards' corners (N, 4, 2), as if not rounded."""
    _, normal, _ = side_frames(sides.quads_px)
    run = (np.roll(sides.quads_px, -1, 1) - sides.quads_px) / 2
    flat, slope, bow = (sides.bends[..., i, None] for i in range(3))
    start = sides.quads_px + (flat - slope + bow * 2 / 3) * normal
    stop = np.roll(sides.quads_px, -1, 1) + (flat + slope + bow * 2 / 3) * normal
    start_run, stop_run = run + (slope - 2 * bow) * normal, run + (slope + 2 * bow) * normal
    return _cross(start, start_run, np.roll(stop, 1, 1), np.roll(stop_run, 1, 1))


def _cross(at: Array, run: Array, other_at: Array, other_run: Array) -> Array:
    """Cross lines through points (..., 2) along runs (..., 2)."""
    across = run[..., 0] * other_run[..., 1] - run[..., 1] * other_run[..., 0]
    across = np.where(np.abs(across) < 1e-9, 1e-9, across)
    gap = other_at - at
    reach = (gap[..., 0] * other_run[..., 1] - gap[..., 1] * other_run[..., 0]) / across
    return at + reach[..., None] * run
