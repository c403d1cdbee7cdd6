"""Lay a learned face exactly onto a card: outlines are off by a pixel or two, and cards curl.

Lucas and Kanade's alignment with robust weights; the shift over the card is a polynomial of second order, which holds
a homography's small corrections and the bow of a curled card.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.learn.flat import (
    COARSE,
    FINE,
    HEIGHT_MM,
    MARGIN_MM,
    WIDTH_MM,
    Floats,
    Shown,
    blurred,
    grid_mm,
    halved,
    print_area,
    small,
)
from linesies.vision.cards.learn.light import FINITE_GAIN, fit_light, fit_shade, slopes


@dataclass(frozen=True)
class FaceAlignTuning(Tuning):
    """How a face is laid onto another."""

    most_mm: float = tuned(
        0.7, title="by which a place is shifted in one step", unit="mm", low=0.1, high=5, source=by_hand_in("8f31934")
    )
    outlier_grey: float = tuned(
        60.0,
        title="grey levels from which on a pixel shows something else",
        unit="levels",
        low=10,
        high=200,
        source=by_hand_in("8f31934"),
    )
    residuals: float = tuned(
        1.5, title="usual residuals at which a pixel counts a quarter", unit="1", low=0.5, high=5, source=BY_HAND
    )
    stiff: float = tuned(
        0.05,
        title="of the usual slopes, how firmly a place is held to where it lies",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )
    settled_tiles: float = tuned(
        2.5, title="blur by which shifts run smoothly, in tiles", unit="1", low=0.5, high=10, source=BY_HAND
    )


ALIGN = FaceAlignTuning()

ROUNDS = ((2.0, 3), (0.7, 3))  # blur in mm, steps: first wide, to catch an outline that is off by millimetres
EVERY = 2  # pixels at COARSE: enough for twelve numbers
_SPREAD_MM = np.array([2.0, 1.0, 1.0, 0.5, 0.5, 0.5])  # how far each term of the shift strays, the bow least
_PIXELS_A_WITNESS = 30.0  # neighbouring pixels err together
_ONES = np.ones(3, np.float32)
PRINT = print_area(COARSE)


def _terms(px_per_mm: int, every: int) -> Floats:
    x, y = (at[::every, ::every] for at in grid_mm(px_per_mm))
    u, v = (x / WIDTH_MM * 2 - 1).ravel(), (y / HEIGHT_MM * 2 - 1).ravel()
    return np.stack([np.ones_like(u), u, v, u * u, u * v, v * v])


_TERMS = {(scale, every): _terms(scale, every) for scale, every in ((COARSE, 1), (COARSE, EVERY), (FINE, 1))}
_PAIRS = (_TERMS[COARSE, EVERY][:, None] * _TERMS[COARSE, EVERY]).reshape(36, -1)  # each term by each


def take(flat: Shown, shift: NDArray[np.float64], px_per_mm: int, every: int = 1) -> Floats:
    """Sample a card's flat picture (margin and all) where `shift` (2, 6) says that its pixels, or some, lie."""
    x, y = (at[::every, ::every] for at in grid_mm(px_per_mm))
    dx, dy = (shift.astype(np.float32) @ _TERMS[px_per_mm, every]).reshape(2, *x.shape)
    at_x, at_y = ((at + MARGIN_MM) * FINE - 0.5 for at in (x + dx, y + dy))
    return cv2.remap(flat, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def align(flat: Shown, face: Floats, visible: Floats) -> NDArray[np.float64]:
    """Find the shift (2, 6) in millimetres by which `face` (H, W, 3 at COARSE) lies on the card in `flat`."""
    shift = np.zeros((2, 6))
    for blur_mm, steps in ROUNDS:
        soft_flat, soft_face = blurred(flat, blur_mm, FINE), blurred(face, blur_mm, COARSE)
        slope = tuple(np.ascontiguousarray(d[::EVERY, ::EVERY]) for d in slopes(soft_face, COARSE))
        thin_face, base = soft_face[::EVERY, ::EVERY], (visible * PRINT)[::EVERY, ::EVERY]
        bends = np.stack([(a * b) @ _ONES for a, b in combinations_with_replacement(slope, 2)])
        steepness = np.sqrt(bends[0] + bends[2])
        weights, surely = base, base > 0.5
        for _ in range(steps):
            seen = take(soft_flat, shift, COARSE, EVERY)
            gain, offset = fit_light(thin_face, seen, weights)
            off = (seen - offset) / gain - thin_face
            size = np.sqrt((off * off) @ _ONES)
            sigma = ALIGN.residuals * middle(size[surely]) + 1.0
            weights = (
                base / (1 + (size / (sigma + blur_mm * steepness)) ** 2) ** 2
            )  # an edge a little off is no outlier
            pulls = np.stack([((s * off) @ _ONES) * weights for s in slope])
            shift += _step(bends * weights, pulls, _PIXELS_A_WITNESS * (sigma / EVERY) ** 2)
    return shift


def settle(moved: Floats, face: Floats, weights: Floats) -> Floats:
    """Shift an aligned card (H, W, 3 at FINE) place by place onto a face: what bows of another kind leave behind.

    The shift runs smoothly, over some 10 mm, so that a digit does not follow another digit.
    """
    x, y = grid_mm(FINE)
    face, weights = halved(face), halved(weights)
    dx, dy = slopes(face, COARSE)
    across, both, down = (_around(((a * b) @ _ONES) * weights) for a, b in ((dx, dx), (dx, dy), (dy, dy)))
    stiff = ALIGN.stiff * float(across.mean() + down.mean()) + 1.0
    area = (across + stiff) * (down + stiff) - both**2
    by_x = by_y = np.zeros_like(area)
    now = moved
    for _ in range(2):
        seen = halved(now)
        gain, offset = fit_shade(face, seen, weights)
        off = (seen - offset) / np.maximum(gain, FINITE_GAIN) - face
        trusted = weights / (1 + (off * off) @ _ONES / ALIGN.outlier_grey**2)
        pull_x, pull_y = (_around(((slope * off) @ _ONES) * trusted) for slope in (dx, dy))
        step_x = (both * pull_y - (down + stiff) * pull_x) / area
        step_y = (both * pull_x - (across + stiff) * pull_y) / area
        by_x, by_y = (
            by + np.clip(step, -ALIGN.most_mm, ALIGN.most_mm) for by, step in ((by_x, step_x), (by_y, step_y))
        )
        at_x, at_y = ((at + cv2.resize(by, x.shape[::-1])) * FINE - 0.5 for at, by in ((x, by_x), (y, by_y)))
        now = cv2.remap(moved, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return now


def _around(values: Shown) -> Floats:
    return cv2.GaussianBlur(small(values), (0, 0), ALIGN.settled_tiles)


def middle(values: Floats) -> float:
    """Find the median, the upper one of two, of any number of values; 0 of none."""
    half = values.size // 2
    return float(np.partition(values, half)[half]) if values.size else 0.0


def _step(bends: Floats, pulls: Floats, doubt: float) -> NDArray[np.float64]:
    """Solve one Gauss-Newton step of the shift, held back by how far shifts stray.

    `bends` (3, H, W): the weighted products of the slopes across and down; `pulls` (2, H, W): slopes by what is off.
    """
    xx, xy, yy = (_PAIRS @ bends.reshape(3, -1).T).T.reshape(3, 6, 6)
    normal = np.empty((12, 12))
    normal[:6, :6], normal[:6, 6:], normal[6:, :6], normal[6:, 6:] = xx, xy, xy, yy
    normal.flat[::13] += np.tile(doubt / _SPREAD_MM**2, 2)
    pull = _TERMS[COARSE, EVERY] @ pulls.reshape(2, -1).T
    return -np.linalg.solve(normal, pull.T.ravel()).reshape(2, 6)
