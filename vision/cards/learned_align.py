"""Lay a learned face exactly onto a card: outlines are off by a pixel or two, and cards curl.

Lucas and Kanade's alignment with robust weights; the shift over the card is a polynomial of second order, which holds
a homography's small corrections and the bow of a curled card.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.learned_flat import COARSE, FINE, HEIGHT_MM, MARGIN_MM, WIDTH_MM, Floats, blurred, grid_mm, print_area
from vision.cards.learned_light import fit_light

BLURS_MM = (2.0, 2.0, 2.0, 0.7, 0.7, 0.7, 0.7)  # one a step: first wide, to catch an outline that is off by millimetres
_SPREAD_MM = np.array([2.0, 1.0, 1.0, 0.5, 0.5, 0.5])  # how far each term of the shift strays, the bow least
_PIXELS_A_WITNESS = 30.0  # neighbouring pixels err together
_ONES = np.ones(3, np.float32)
PRINT = print_area(COARSE)


def _terms(px_per_mm: int) -> Floats:
    x, y = grid_mm(px_per_mm)
    u, v = (x / WIDTH_MM * 2 - 1).ravel(), (y / HEIGHT_MM * 2 - 1).ravel()
    return np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], 1)


_TERMS = {scale: _terms(scale) for scale in (COARSE, FINE)}


def take(flat: NDArray, shift: NDArray[np.float64], px_per_mm: int) -> Floats:
    """Sample a card's flat picture (margin and all) where `shift` (2, 6) says that its pixels lie."""
    x, y = grid_mm(px_per_mm)
    dx, dy = (_TERMS[px_per_mm] @ shift.T.astype(np.float32)).T.reshape(2, *x.shape)
    at_x, at_y = ((at + MARGIN_MM) * FINE - 0.5 for at in (x + dx, y + dy))
    return cv2.remap(flat, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def align(flat: NDArray, face: Floats, visible: Floats) -> NDArray[np.float64]:
    """Find the shift (2, 6) in millimetres by which `face` (H, W, 3 at COARSE) lies on the card in `flat`."""
    shift = np.zeros((2, 6))
    base = visible * PRINT
    for step, blur_mm in enumerate(BLURS_MM):
        if step == 0 or blur_mm != BLURS_MM[step - 1]:
            soft_flat, soft_face = blurred(flat, blur_mm, FINE), blurred(face, blur_mm, COARSE)
            slope_x = cv2.Sobel(soft_face, cv2.CV_32F, 1, 0, ksize=3, scale=COARSE / 8)
            slope_y = cv2.Sobel(soft_face, cv2.CV_32F, 0, 1, ksize=3, scale=COARSE / 8)
            steepness = np.sqrt((slope_x**2 + slope_y**2) @ _ONES)
            weights = base
        seen = take(soft_flat, shift, COARSE)
        gain, offset = fit_light(soft_face, seen, weights)
        off = (seen - offset) / gain - soft_face
        size = np.sqrt((off * off) @ _ONES)
        sigma = 1.5 * float(np.median(size[base > 0.5])) + 1.0 if (base > 0.5).any() else 1.0
        weights = base / (1 + (size / (sigma + blur_mm * steepness)) ** 2) ** 2  # an edge a little off is no outlier
        shift += _step(slope_x, slope_y, off, weights, sigma)
    return shift


def _step(slope_x: Floats, slope_y: Floats, off: Floats, weights: Floats, sigma: float) -> NDArray[np.float64]:
    """Solve one Gauss-Newton step of the shift, held back by how far shifts stray."""
    terms = _TERMS[COARSE]
    xx, xy, yy = (
        (((a * b) @ _ONES) * weights).ravel() for a, b in ((slope_x, slope_x), (slope_x, slope_y), (slope_y, slope_y))
    )
    square = [[terms.T @ (g[:, None] * terms) for g in row] for row in ((xx, xy), (xy, yy))]
    pull = [terms.T @ (((slope * off) @ _ONES) * weights).ravel() for slope in (slope_x, slope_y)]
    held = np.diag(np.tile(_PIXELS_A_WITNESS * sigma**2 / _SPREAD_MM**2, 2))
    return -np.linalg.solve(np.block(square).astype(np.float64) + held, np.concatenate(pull)).reshape(2, 6)
