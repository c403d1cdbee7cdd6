"""The sides of cards, searched on gradients: first as stiff rectangles, then each side by itself, bowed, to sub-pixel.

Works on all cards of a picture at once: N quads (N, 4, 2), clockwise, of which side k runs from corner k to k + 1.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Array = NDArray[np.float64]

SAMPLES = 28
ALONG = np.linspace(0.09, 0.91, SAMPLES)  # a card's corners are round: the sides are straight between
TO_LINEAR = (65535 * (np.arange(256) / 255) ** 2.2).astype(np.uint16)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sides:
    """The sides as measured: outward offsets from a quad's sides, quadratic along them.

    `bends` (N, 4, 3) are the coefficients of 1, s, s * s with s from -1 to 1 along the side; `support` (N, 4) says
    how much of a side was clearly seen, 0 to 1; `rms_px` (N, 4) how far its points stray from the curve.
    """

    quads_px: Array
    bends: Array
    support: Array
    rms_px: Array

    def only(self, firm: NDArray[np.bool_]) -> "Sides":
        """Take the quads' own sides but where `firm` (N, 4)."""
        return replace(self, bends=self.bends * firm[..., None])


def linearised(picture: Image) -> NDArray[np.uint16]:
    """Undo the tone curve: edges of eight-bit values lie up to 0.3 px beside those of light."""
    return np.asarray(cv2.LUT(picture, TO_LINEAR), np.uint16)


def side_frames(quads: Array) -> tuple[Array, Array, Array]:
    """Place the samples (N, 4, S, 2) on the sides, with each side's outward normal (N, 4, 2) and length (N, 4)."""
    run = np.roll(quads, -1, 1) - quads
    length = np.maximum(np.hypot(run[..., 0], run[..., 1]), 1e-6)
    normal = np.stack([run[..., 1], -run[..., 0]], -1) / length[..., None]  # clockwise with y downward: outward
    points = quads[:, :, None] + ALONG[:, None] * run[:, :, None]
    return points, normal, length


def see(picture: Image, at: Array) -> NDArray[np.float32]:
    """See the picture's colours at points (..., 2), between its pixels: (..., 3)."""
    flat = at.reshape(-1, at.shape[-2], 2).astype(np.float32)
    seen = [
        cv2.remap(picture, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(flat, max(1, len(flat) // 16000))  # a remap's map has at most 32767 rows
    ]
    return np.concatenate(seen).reshape(*at.shape[:-1], -1).astype(np.float32)


def changes(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """How strongly the picture changes across: (N, 4, S, R), summed over the colours."""
    change = np.zeros(profiles.shape[:-1], np.float32)
    change[..., 1:-1] = np.abs(profiles[..., 2:, :] - profiles[..., :-2, :]).sum(-1) / 2
    return change


def measure_sides(linear: Image, quads: Array, seen: Array, reach_px: float) -> Sides:
    """Measure each side by itself within `reach_px` of a quad's: a bowed curve through the strongest change.

    `linear` is the picture in proportion to light (`linearised`), `seen` (N, 4, S) weighs the samples.
    """
    points, normal, _ = side_frames(quads)
    offsets = np.arange(-reach_px - 1, reach_px + 1.01, 0.5)
    at = points[..., None, :] + offsets[:, None] * normal[:, :, None, None]
    change = changes(see(linear, at))
    s = 2 * ALONG - 1
    terms = np.column_stack([np.ones_like(s), s, s * s - 1 / 3])
    bends = _search_bends(change, offsets, seen, terms)
    width = reach_px / 2
    weight = seen
    for narrow in (width, width / 2, 1.5, 1.5):
        place, height = _peaks(change, offsets, bends @ terms.T, max(narrow, 1.2))
        level = np.median(height, -1, keepdims=True)
        weight = seen * height / (height + level + 1e-6) * (height > 0)
        bends = _fit(place, weight, terms, bends)
    stray = (place - bends @ terms.T) * (weight > 0)
    good = (np.abs(stray) < 1.0) & (height > 0.15 * level)
    rms = np.sqrt((weight * stray**2).sum(-1) / np.maximum(weight.sum(-1), 1e-6))
    return Sides(quads_px=quads, bends=bends, support=(good * seen).mean(-1), rms_px=rms)


def _search_bends(change: NDArray[np.float32], offsets: Array, seen: Array, terms: Array) -> Array:
    """Try shifts, slopes and bows on saturated changes: the coefficients (N, 4, 3) of the richest curves."""
    firm = 0.6 * np.median(change.max(-1), -1)[..., None, None] + 1e-6
    firm = np.minimum(change, firm) / firm * seen[..., None]
    reach = offsets[-1] - 1
    tried = np.array(
        [
            (shift, slope, bow)
            for shift in np.arange(-reach, reach + 0.1, 1.0)
            for slope in np.linspace(-0.4, 0.4, 5) * reach
            for bow in np.linspace(-0.8, 0.8, 5) * reach
        ]
    )
    places = tried @ terms.T
    index = np.clip(np.rint((places - offsets[0]) / (offsets[1] - offsets[0])), 0, len(offsets) - 1).astype(int)
    found = firm[:, :, np.arange(terms.shape[0]), index].mean(-1)
    found -= (0.1 * (tried / reach) ** 2 @ (0.5, 0.5, 0.8)).astype(np.float32)
    return tried[found.argmax(-1)]


def _peaks(change: NDArray[np.float32], offsets: Array, around: Array, narrow: float) -> tuple[Array, Array]:
    """Find where each sample changes most within `narrow` px of `around` (N, 4, S), to sub-pixel, and how strongly."""
    masked = np.where(np.abs(offsets - around[..., None]) <= narrow, change, 0)
    top = np.clip(masked.argmax(-1), 1, len(offsets) - 2)[..., None]
    left, middle, right = (np.take_along_axis(change, top + k, -1)[..., 0] for k in (-1, 0, 1))
    curve = np.minimum(left - 2 * middle + right, -1e-6)
    shift = np.clip(0.5 * (left - right) / curve, -1, 1)
    step = offsets[1] - offsets[0]
    height = np.where(masked.max(-1) > 0, middle, 0)
    return offsets[top[..., 0]] + shift * step, height


def _fit(place: Array, weight: Array, terms: Array, bends: Array) -> Array:
    """Fit the curve's coefficients anew, points far from the old curve counting less, the bow held small."""
    stray = place - bends @ terms.T
    weight = weight / (1 + stray**2)
    normal = np.einsum("nks,si,sj->nkij", weight, terms, terms)
    hold = np.diag([0.0, 0.0, 0.02]) + 1e-6 * np.eye(3)
    right = np.einsum("nks,si,nks->nki", weight, terms, place)
    scale = weight.sum(-1)[..., None, None] / terms.shape[0] + 1e-6
    return np.linalg.solve(normal / scale + terms.shape[0] * hold, right[..., None] / scale)[..., 0]


def meet(sides: Sides) -> Array:
    """Cross the bowed sides: the cards' corners (N, 4, 2), as if not rounded."""
    _, normal, _ = side_frames(sides.quads_px)
    run = (np.roll(sides.quads_px, -1, 1) - sides.quads_px) / 2
    flat, slope, bow = (sides.bends[..., i, None] for i in range(3))
    start = sides.quads_px + (flat - slope + bow * 2 / 3) * normal
    start_run = run + (slope - 2 * bow) * normal
    stop = np.roll(sides.quads_px, -1, 1) + (flat + slope + bow * 2 / 3) * normal
    stop_run = run + (slope + 2 * bow) * normal
    return cross(start, start_run, np.roll(stop, 1, 1), np.roll(stop_run, 1, 1))


def cross(at: Array, run: Array, other_at: Array, other_run: Array) -> Array:
    """Cross lines through points (..., 2) along runs (..., 2)."""
    across = run[..., 0] * other_run[..., 1] - run[..., 1] * other_run[..., 0]
    across = np.where(np.abs(across) < 1e-9, 1e-9, across)
    gap = other_at - at
    reach = (gap[..., 0] * other_run[..., 1] - gap[..., 1] * other_run[..., 0]) / across
    return at + reach[..., None] * run
