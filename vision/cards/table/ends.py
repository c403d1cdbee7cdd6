"""Where what a card changed ends beside each of its sides, its shade left out.

Shade takes the same share of every colour; what no share explains is paper. Of a card alone it ends with the card, even
where the outline that was found is that of another's edge; of two laid at once it ends with the one that reaches
farthest, though both be of one colour.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.change import Mask, in_one_light
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

ENDS_AT = "208 cards alone, 126 pairs of simulated Skull King, Skip-Bo and Skull 990103"


@dataclass(frozen=True)
class EndTuning(Tuning):
    """How far from a side, and how sharp, an end is."""

    inner_mm: float = tuned(
        8.0, title="how far within a side it may lie", unit="mm", low=1.0, high=20.0, source=ENDS_AT
    )
    outer_mm: float = tuned(10.0, title="how far beyond it", unit="mm", low=1.0, high=30.0, source=BY_HAND)
    step_mm: float = tuned(0.25, title="in what steps it is looked", unit="mm", low=0.05, high=1.0, source=BY_HAND)
    straight: float = tuned(
        0.7, title="of a side, what is looked at, away from corners", unit="1", low=0.2, high=1.0, source=BY_HAND
    )
    seen_share: float = tuned(
        0.3, title="of that, what must be no neighbour's", unit="1", low=0.1, high=1.0, source=BY_HAND
    )
    near_mm: float = tuned(
        4.0, title="how far within it and beyond that must be so", unit="mm", low=0.5, high=10.0, source=BY_HAND
    )
    least_drop: float = tuned(
        5.0, title="how much of the change ends there at least", unit="levels/mm", low=1.0, high=50.0, source=BY_HAND
    )
    least_share: float = tuned(
        0.15, title="of what ends beside this side most sharply, likewise", unit="1", low=0.02, high=1.0, source=BY_HAND
    )


ENDS = EndTuning()


def ends_mm(before: Image, now: Image, quad_px: Array, near: Mask) -> Array:
    """Tell how far beyond each side of a card (4, 2) in two flat pictures the change ends, in mm (4,).

    Each side goes from its corner to the next. Where no end shows, or too little is `near`, it is 0.
    """
    was, seen = (picture.astype(np.float32) for picture in in_one_light(before, now))
    return np.array(
        [_end_mm(was, seen, near, side) for side in zip(quad_px, np.roll(quad_px, -1, axis=0), strict=True)]
    )


def _end_mm(was: NDArray[np.float32], seen: NDArray[np.float32], near: Mask, side: tuple[Array, Array]) -> float:
    offsets_mm = np.arange(-ENDS.inner_mm, ENDS.outer_mm + ENDS.step_mm / 2, ENDS.step_mm)
    points = _points(*side, offsets_mm).astype(np.float32)
    lies_near = cv2.remap(near, points, None, cv2.INTER_NEAREST) > 0
    rows = lies_near[:, np.abs(offsets_mm) <= ENDS.near_mm].all(axis=1)
    if rows.mean() < ENDS.seen_share:
        return 0.0
    changed = _unshaded(*(cv2.remap(picture, points[rows], None, cv2.INTER_LINEAR) for picture in (was, seen)))
    return _last_drop_mm(np.median(changed, axis=0), offsets_mm)


def _points(start: Array, end: Array, offsets_mm: Array) -> Array:
    """List places (rows, offsets, 2) from within a side to beyond it, each row a pixel farther along."""
    along = end - start
    outwards = np.array([along[1], -along[0]]) / np.hypot(*along)
    aside = (1 - ENDS.straight) / 2
    rows = np.linspace(aside, 1 - aside, max(int(ENDS.straight * np.hypot(*along)), 2))
    middle = start + rows[:, None, None] * along
    return np.asarray(middle + (offsets_mm * PX_PER_MM)[None, :, None] * outwards, float)


def _unshaded(was: NDArray[np.float32], seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Tell what of a change (..., 3) no shade explains, in the colour in which that is most: (...)."""
    share = (was * seen).sum(axis=-1) / np.maximum((was * was).sum(axis=-1), 1.0)
    return np.asarray(np.abs(seen - np.clip(share, 0.0, 1.0)[..., None] * was).max(axis=-1), np.float32)


def _last_drop_mm(changed: Array, offsets_mm: Array) -> float:
    """Find the outermost offset at which the change drops most sharply, to a part of a step; 0 where it never does."""
    drop = -np.gradient(changed, ENDS.step_mm)
    least = max(ENDS.least_drop, ENDS.least_share * float(drop.max()))
    inner, here, outer = drop[:-2], drop[1:-1], drop[2:]
    peaks = np.flatnonzero((here >= inner) & (here > outer) & (here >= least))
    if not len(peaks):
        return 0.0
    a, b, c = drop[peaks[-1] : peaks[-1] + 3]
    return float(offsets_mm[peaks[-1] + 1] + 0.5 * (a - c) / (a - 2 * b + c) * ENDS.step_mm)
