"""Lay a learned face exactly onto a card: outlines are off by a pixel or two, and cards curl.

Lucas and Kanade's alignment with robust weights; the shift over the card is a polynomial of second order, which holds
a homography's small corrections and the bow of a curled card.
"""

from itertools import combinations_with_replacement

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.learned_flat import (
    COARSE,
    FINE,
    HEIGHT_MM,
    MARGIN_MM,
    WIDTH_MM,
    Floats,
    blurred,
    grid_mm,
    print_area,
    small,
)
from vision.cards.learned_light import fit_light, fit_shade, slopes

# blur in mm, every so many pixels, steps: first wide and thin, to catch an outline that is off by millimetres
ROUNDS = ((2.0, 2, 3), (0.7, 1, 3))
_SPREAD_MM = np.array([2.0, 1.0, 1.0, 0.5, 0.5, 0.5])  # how far each term of the shift strays, the bow least
_PIXELS_A_WITNESS = 30.0  # neighbouring pixels err together
MOST_MM = 0.7  # by which a place is shifted in one step, at most
OUTLIER_GREY = 60.0  # from which on a pixel shows something else
_ONES = np.ones(3, np.float32)
PRINT = print_area(COARSE)


def _terms(px_per_mm: int, every: int) -> Floats:
    x, y = (at[::every, ::every] for at in grid_mm(px_per_mm))
    u, v = (x / WIDTH_MM * 2 - 1).ravel(), (y / HEIGHT_MM * 2 - 1).ravel()
    return np.stack([np.ones_like(u), u, v, u * u, u * v, v * v])


_TERMS = {(scale, every): _terms(scale, every) for scale, every in ((COARSE, 1), (COARSE, 2), (FINE, 1))}


def take(flat: NDArray, shift: NDArray[np.float64], px_per_mm: int, every: int = 1) -> Floats:
    """Sample a card's flat picture (margin and all) where `shift` (2, 6) says that its pixels, or some, lie."""
    x, y = (at[::every, ::every] for at in grid_mm(px_per_mm))
    dx, dy = (shift.astype(np.float32) @ _TERMS[px_per_mm, every]).reshape(2, *x.shape)
    at_x, at_y = ((at + MARGIN_MM) * FINE - 0.5 for at in (x + dx, y + dy))
    return cv2.remap(flat, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def align(flat: NDArray, face: Floats, visible: Floats) -> NDArray[np.float64]:
    """Find the shift (2, 6) in millimetres by which `face` (H, W, 3 at COARSE) lies on the card in `flat`."""
    shift = np.zeros((2, 6))
    for blur_mm, every, steps in ROUNDS:
        soft_flat, soft_face = blurred(flat, blur_mm, FINE), blurred(face, blur_mm, COARSE)
        slope = tuple(d[::every, ::every] for d in slopes(soft_face, COARSE))
        thin_face, base = soft_face[::every, ::every], (visible * PRINT)[::every, ::every]
        steepness = np.sqrt((slope[0] ** 2 + slope[1] ** 2) @ _ONES)
        weights = base
        for _ in range(steps):
            seen = take(soft_flat, shift, COARSE, every)
            gain, offset = fit_light(thin_face, seen, weights)
            off = (seen - offset) / gain - thin_face
            size = np.sqrt((off * off) @ _ONES)
            sigma = 1.5 * float(np.median(size[base > 0.5])) + 1.0 if (base > 0.5).any() else 1.0
            weights = (
                base / (1 + (size / (sigma + blur_mm * steepness)) ** 2) ** 2
            )  # an edge a little off is no outlier
            shift += _step(slope, off, weights, _TERMS[COARSE, every], _PIXELS_A_WITNESS * sigma**2 / every**2)
    return shift


def settle(moved: Floats, face: Floats, weights: Floats) -> Floats:
    """Shift an aligned card (H, W, 3 at FINE) place by place onto a face: what bows of another kind leave behind.

    The shift runs smoothly, over some 10 mm, so that a digit does not follow another digit.
    """
    x, y = grid_mm(FINE)
    dx, dy = slopes(face, FINE)
    across, both, down = (_around(((a * b) @ _ONES) * weights) for a, b in ((dx, dx), (dx, dy), (dy, dy)))
    stiff = 0.05 * float(across.mean() + down.mean()) + 1.0
    area = (across + stiff) * (down + stiff) - both**2
    by_x = by_y = np.zeros_like(x)
    now = moved
    for _ in range(2):
        gain, offset = fit_shade(face, now, weights)
        off = (now - offset) / np.maximum(gain, 0.05) - face
        trusted = weights / (1 + (off * off) @ _ONES / OUTLIER_GREY**2)
        pull_x, pull_y = (_around(((slope * off) @ _ONES) * trusted) for slope in (dx, dy))
        step_x = (both * pull_y - (down + stiff) * pull_x) / area
        step_y = (both * pull_x - (across + stiff) * pull_y) / area
        by_x, by_y = (
            by + cv2.resize(np.clip(step, -MOST_MM, MOST_MM), x.shape[::-1])
            for by, step in ((by_x, step_x), (by_y, step_y))
        )
        at_x, at_y = ((at + by) * FINE - 0.5 for at, by in ((x, by_x), (y, by_y)))
        now = cv2.remap(moved, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return now


def _around(values: Floats) -> Floats:
    return cv2.GaussianBlur(small(values), (0, 0), 2.5)


def _step(slope: tuple[Floats, ...], off: Floats, weights: Floats, terms: Floats, doubt: float) -> NDArray[np.float64]:
    """Solve one Gauss-Newton step of the shift, held back by how far shifts stray."""
    xx, xy, yy = ((((a * b) @ _ONES) * weights).ravel() for a, b in combinations_with_replacement(slope, 2))
    square = [[(terms * g) @ terms.T for g in row] for row in ((xx, xy), (xy, yy))]
    pull = [terms @ (((s * off) @ _ONES) * weights).ravel() for s in slope]
    held = np.diag(np.tile(doubt / _SPREAD_MM**2, 2))
    return -np.linalg.solve(np.block(square).astype(np.float64) + held, np.concatenate(pull)).reshape(2, 6)
