"""The scale of a printed sheet, by a bank card that lies on it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, linear, stored
from linesies.vision.picture.layout import Image
from linesies.vision.proof.gauge import BANK_CARD_MM, BANK_CARD_TALL_MM, CARD_MIDDLE_MM, FIELD_MM, darkness
from linesies.vision.proof.laying import LUMA_RGB, Laid, grid_mm, seen_from_above
from linesies.vision.proof.proof_tuning import PROOF_FIT

Array = NDArray[np.float64]

LEAST_BLUR_MM = 0.2  # a sharper picture is drawn as this
STEP_MM = 0.5  # of what is drawn; the chequers' edges lie between points
PRIOR = np.array([2.0, 2.0, 0.05, 0.03])  # how far a card strays: mm, mm, radians, and the scale of print
USUAL_BLUR_MM = 1.5  # where the fit begins
SCALES = (0.92, 1.08)  # no printer is farther off


def paper_scale(bare_bgr: Image, laid_bgr: Image, calibration: Calibration, laid: Laid) -> float | None:
    """Tell at what scale a sheet was printed, from a picture of it without and one with a card; None without a card.

    The field and a card of the true shape are drawn sharply, and blurred together until they look like the picture: in
    the picture without a card, what will be hidden is blurred across its edge already, and would make it smaller. The
    card is as thick as it is: seen aslant, its far edge hides a little more of the sheet.
    """
    from scipy.optimize import least_squares  # noqa: PLC0415 - heavy; a proof is made seldom

    grid = grid_mm(CARD_MIDDLE_MM, FIELD_MM, STEP_MM)
    bare, light = (seen_from_above(one, calibration, laid, grid)[0].astype(float) for one in (bare_bgr, laid_bgr))
    away = grid - CARD_MIDDLE_MM
    dark = darkness(away, STEP_MM)
    is_inner = (np.abs(away) < PROOF_FIT.card_middle * np.array(BANK_CARD_MM) / 2).all(axis=-1)
    left = float(np.abs(light[is_inner] - np.median(light[is_inner])).mean())
    if left > (1 - PROOF_FIT.least_covered) * float(np.abs(bare[is_inner] - np.median(bare[is_inner])).mean()):
        return None
    colour = _colour(laid_bgr, calibration, laid)
    seen_card = _SeenCard(away, calibration, laid)

    def misses(unknown: Array) -> Array:
        covered = seen_card.covered(unknown)
        blur = max(abs(float(unknown[4])), LEAST_BLUR_MM) / STEP_MM
        inks = [
            cv2.GaussianBlur(one, (0, 0), blur, borderType=cv2.BORDER_CONSTANT)  # round the field all is white
            for one in (covered, (1 - covered) * dark)
        ]
        shares = np.stack([*inks, np.ones_like(dark)], axis=-1).reshape(-1, 3)
        _, less, white = np.linalg.lstsq(shares, light.ravel(), rcond=None)[0]
        lit = shares @ np.stack([colour - white, np.full(3, less), np.full(3, white)])
        return np.append((_luma(lit) - light.ravel()) / (abs(less) + 1e-3), unknown[:4] / PRIOR)

    start = np.array([0.0, 0.0, 0.0, 0.0, USUAL_BLUR_MM])
    found = least_squares(misses, start, x_scale=[1, 1, 0.02, 0.01, 0.5], loss="soft_l1", f_scale=PROOF_FIT.robust).x
    scale = float(np.exp(found[3]))
    return scale if SCALES[0] < scale < SCALES[1] else None


def _colour(picture_bgr: Image, calibration: Calibration, laid: Laid) -> Array:
    """Tell the card's light (b, g, r), from its middle."""
    x, y = calibration.view.mm_to_px(laid.to_board(CARD_MIDDLE_MM[None]))[0].round().astype(int)
    middle = picture_bgr[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3)
    return np.asarray(linear(np.median(middle, axis=0) / 255), float)


def _luma(light_bgr: Array) -> Array:
    """Give the light (N,) that the luma of light (N, 3) looks like: what is stored mixes otherwise than light does."""
    return np.asarray(linear(stored(np.clip(light_bgr, 0, 1)) @ LUMA_RGB[::-1]), float)


class _SeenCard:
    """Remembers points of the sheet (h, w, 2), from the middle of the card's place, and how a card there is seen."""

    def __init__(self, away_mm: Array, calibration: Calibration, laid: Laid) -> None:
        camera_mm, height_mm = calibration.view.camera_mm, calibration.view.camera_height_mm
        over = laid.to_board(CARD_MIDDLE_MM[None])[0]
        self._away_mm = away_mm
        self._nearer = height_mm / (height_mm - BANK_CARD_TALL_MM)  # its face looks larger
        self._hidden_mm = BANK_CARD_TALL_MM * laid.upright.T @ (over - camera_mm[:2]) / height_mm

    def covered(self, unknown: Array) -> Array:
        """Tell the share (h, w) that is hidden by a card: shift, turn, logarithm of the print's scale."""
        x, y, turn, log_scale = unknown[:4]
        c, s = np.cos(turn), np.sin(turn)
        upright = np.array([[c, -s], [s, c]])
        card_mm = np.exp(log_scale) * (self._away_mm - (x, y)) @ upright
        face_mm, half = self._hidden_mm @ upright, np.array(BANK_CARD_MM) / 2
        low, high = np.minimum(-half, face_mm - self._nearer * half), np.maximum(half, face_mm + self._nearer * half)
        depth_mm = np.minimum(card_mm - low, high - card_mm)
        return np.asarray(np.clip(depth_mm / STEP_MM + 0.5, 0, 1).prod(axis=-1), float)
