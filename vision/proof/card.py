"""The scale of a printed sheet, by a bank card that lies on it."""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, share_below
from linesies.vision.picture.layout import Image
from linesies.vision.proof.gauge import BANK_CARD_MM, BANK_CARD_TALL_MM, CARD_MIDDLE_MM, FIELD_MM
from linesies.vision.proof.laying import Laid, grid_mm, seen_from_above

Array = NDArray[np.float64]

STEP_MM = 1.0
INNER = 0.72  # of the card, where it tells its own colour
RING_MM = 3.0  # so near to the field's border there is no card
LEAST_COVERED = 0.85  # of the inner part must have changed its chequers
PRIOR = np.array([2.0, 2.0, 0.05, 0.03])  # how far a card strays: mm, mm, radians, and the scale of print
SCALES = (0.92, 1.08)  # no printer is farther off


def paper_scale(bare_bgr: Image, laid_bgr: Image, calibration: Calibration, laid: Laid) -> float | None:
    """Tell at what scale a sheet was printed, from a picture of it without and one with a card; None without a card.

    Where the card's colour covers the chequers is its inside; an upright rectangle of the card's true shape is fitted
    to that. It is as thick as it is: seen aslant, its far edge hides a little more of the sheet.
    """
    from scipy.optimize import least_squares  # noqa: PLC0415 - heavy; a proof is made seldom

    grid = grid_mm(CARD_MIDDLE_MM, FIELD_MM, STEP_MM)
    bare, card = (seen_from_above(one, calibration, laid, grid)[0].astype(float) for one in (bare_bgr, laid_bgr))
    away = grid - CARD_MIDDLE_MM
    is_ring = (np.abs(away) > np.array(FIELD_MM) / 2 - RING_MM).any(axis=-1)
    is_inner = (np.abs(away) < INNER * np.array(BANK_CARD_MM) / 2).all(axis=-1)
    bare *= float((bare[is_ring] @ card[is_ring]) / (bare[is_ring] @ bare[is_ring]))
    colour = float(np.median(card[is_inner]))
    step = colour - bare
    cover = (card - bare) * step / np.maximum(step**2, 1e-9)
    weight = np.abs(step) / np.percentile(np.abs(step), 95)
    weight = np.clip(weight, 0, 1) * (weight > 0.1)
    if float((cover * weight)[is_inner].sum() / weight[is_inner].sum()) < LEAST_COVERED or not step.any():
        return None
    lean = _lean(calibration, laid)

    def misses(unknown: Array) -> Array:
        model = _rectangle(away, unknown, lean)
        return np.append((weight * np.clip(model - cover, -1, 1)).ravel(), unknown[:4] / PRIOR)

    start = np.array([0.0, 0.0, 0.0, 0.0, 1.5])
    found = least_squares(misses, start, x_scale=[1, 1, 0.02, 0.01, 0.5], loss="soft_l1", f_scale=0.2).x
    scale = float(np.exp(found[3]))
    return scale if SCALES[0] < scale < SCALES[1] else None


def _lean(calibration: Calibration, laid: Laid) -> Array:
    """Tell how far (2,) on the sheet what stands a millimetre tall hides the ground behind it."""
    camera = calibration.view.camera_mm
    over = laid.to_board(CARD_MIDDLE_MM[None])[0]
    return np.asarray(laid.upright.T @ (over - camera[:2]) / calibration.view.camera_height_mm, float)


def _rectangle(away_mm: Array, unknown: Array, lean: Array) -> Array:
    """Cover points of the sheet (h, w, 2) by a card: shift, turn, logarithm of the print's scale, blur."""
    x, y, turn, log_scale, blur_mm = unknown
    c, s = np.cos(turn), np.sin(turn)
    hidden = BANK_CARD_TALL_MM * lean
    along = (away_mm - (x, y) - hidden / 2) @ np.array([[c, -s], [s, c]])
    half = (np.array(BANK_CARD_MM) + np.abs(hidden)) / 2 * np.exp(-log_scale)
    shares = share_below((half - np.abs(along)) / max(abs(blur_mm), 0.2))
    return np.asarray(shares[..., 0] * shares[..., 1], float)
