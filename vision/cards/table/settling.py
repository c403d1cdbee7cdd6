"""A card's rough place settled on its sides: each side is moved and turned to where the picture steps most.

Only used where the place is known to a few millimetres and the card is seen whole, as one just laid down is.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

ALONG = np.linspace(0.1, 0.9, 21)  # places on a side, away from its rounded corners


@dataclass(frozen=True)
class SettleTuning(Tuning):
    """How far and how finely a side is sought."""

    reach_mm: float = tuned(
        3.0,
        title="how far from its rough place a side is sought",
        unit="mm",
        low=0.5,
        high=10.0,
        source=BY_HAND,
    )
    step_mm: float = tuned(
        0.25,
        title="in what steps",
        unit="mm",
        low=0.05,
        high=1.0,
        source=BY_HAND,
    )
    likely_mm: float = tuned(
        2.0,
        title="how far off a rough side is: an inner frame farther away must be much stronger",
        unit="mm",
        low=0.5,
        high=10.0,
        source=BY_HAND,
    )
    full_step: float = tuned(
        30.0,
        title="more than such a step counts no more",
        unit="levels/mm",
        low=5.0,
        high=100.0,
        source=BY_HAND,
    )


SETTLE = SettleTuning()


def settle_quad(flat: Image, quad_px: Array) -> Array:
    """Move the sides of a quad (4, 2) in a flat picture to the steps nearest to them."""
    for _ in range(2):
        ends = np.roll(quad_px, -1, axis=0)
        ahead = ends - quad_px
        outwards = np.column_stack([ahead[:, 1], -ahead[:, 0]]) / np.hypot(*ahead.T)[:, None]
        moved = [_best(flat, a, b, n) for a, b, n in zip(quad_px, ends, outwards, strict=True)]
        quad_px = np.array([_meet(*moved[i - 1], *moved[i]) for i in range(4)])
    return quad_px


def _best(flat: Image, start: Array, end: Array, outwards: Array) -> tuple[Array, Array]:
    """Find the line near a side along which the picture steps most across it: its two ends."""
    offsets = np.arange(-SETTLE.reach_mm, SETTLE.reach_mm + SETTLE.step_mm / 2, SETTLE.step_mm)
    points = start + ALONG[:, None, None] * (end - start) + (offsets * PX_PER_MM)[None, :, None] * outwards
    seen = cv2.remap(flat, points.astype(np.float32), None, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    step = np.zeros(seen.shape[:2], np.float32)
    step[:, 2:-2] = np.abs(seen[:, 4:] - seen[:, :-4]).max(axis=2)
    step = np.minimum(step, SETTLE.full_step)
    first, last = (grid.ravel() for grid in np.meshgrid(offsets, offsets))
    is_near = np.abs(first - last) < SETTLE.reach_mm
    first, last = first[is_near], last[is_near]
    at = first[:, None] + ALONG * (last - first)[:, None]
    index = np.clip((at + SETTLE.reach_mm) / SETTLE.step_mm, 0, len(offsets) - 1.001)
    low = index.astype(int)
    share = index - low
    rows = np.arange(len(ALONG))
    total = (step[rows, low] * (1 - share) + step[rows, low + 1] * share).mean(axis=1)
    total *= np.exp(-0.5 * (first**2 + last**2) / (2 * SETTLE.likely_mm**2))
    best = int(total.argmax())
    a, b = (side + offset * PX_PER_MM * outwards for side, offset in ((start, first[best]), (end, last[best])))
    return a, b


def _meet(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Cross the line through a and b with that through c and d."""
    one, two = b - a, d - c
    det = one[0] * two[1] - one[1] * two[0]
    if abs(det) < 1e-9:
        return c
    along = ((c[0] - a[0]) * two[1] - (c[1] - a[1]) * two[0]) / det
    return np.asarray(a + along * one, float)
