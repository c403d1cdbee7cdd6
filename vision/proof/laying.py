"""Where the gauge lies on the board, and how large it is seen: found as what is new there, laid by its whole drawing.

The sheet is paper, so it is the largest new thing of its size; which way round it lies, and its exact place, is told
by matching the drawing as a whole (an affine map by ECC: Evangelidis and Psarakis, 2008), so that no marker has to be
read and every printed edge counts.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, linear, to_linear
from linesies.vision.picture.layout import Image
from linesies.vision.proof.gauge import DISC_RGB, GROUND_SHARE, SHEET_MM, Gauge, is_chequered
from linesies.vision.proof.proof_tuning import PROOF_FIT

Array = NDArray[np.float64]
Plane = NDArray[np.float32]

SEEK_MM = 3.0  # a pixel of the plan on which the sheet is sought
AROUND_MM = 150.0  # beyond the board it may lie, partly
FAINT = 0.01  # linear light; added, so that its gain stays finite in the dark
PAPER_MM2 = (0.5 * 210 * 297, 1.7 * 210 * 297)  # of what may be a sheet, A4 or letter
CLOSED_MM, OPENED_MM = 9.0, 60.0  # gaps in its border are narrower, and it is wider, than this
MATCHED_MM = (
    SHEET_MM[0] + 12.0,
    SHEET_MM[1] + 12.0,
)  # with some white round it: an edge cut in half would pull the scale
FINE = 4  # points of the drawing to a pixel of its plan, each way
FINE_MM = 1.0  # a pixel of the plan on which it is laid
BLURS_MM = (6.0, 2.0)  # of the drawing, look by look
ROUNDS, STILL = 60, 1e-5  # of the matching at most, and how little more it may gain
INK, PAPER = 0.04, 0.8  # linear light of both, beside each other
LUMA_RGB = (0.299, 0.587, 0.114)  # as pictures store it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Laid:
    """Where a gauge lies: a point (2,) of the sheet is `turn` (2, 2) times it, plus `middle_mm` (2,), on the board."""

    turn: Array
    middle_mm: Array
    likeness: float

    @property
    def scale(self) -> float:
        """How large it is seen, of its size as drawn."""
        return float(np.sqrt(abs(np.linalg.det(self.turn))))

    @property
    def upright(self) -> Array:
        """Its rotation alone, (2, 2)."""
        left, _, right = np.linalg.svd(self.turn)
        return np.asarray(left @ right, float)

    def to_board(self, sheet_mm: Array) -> Array:
        """Give the board points (N, 2) of points of the sheet (N, 2)."""
        return np.asarray(np.asarray(sheet_mm, float) @ self.turn.T + self.middle_mm, float)


def lay(picture_bgr: Image, calibration: Calibration, gauge: Gauge) -> Laid | None:
    """Find the gauge in a picture (H, W, 3) of the calibrated board; None where it does not lie there whole."""
    ways = [
        laid
        for middle_mm, turn in _sheets(picture_bgr, calibration)
        for start in (turn, -turn)
        if (laid := _laid(picture_bgr, calibration, gauge, Laid(turn=start, middle_mm=middle_mm, likeness=0.0)))
    ]
    best = max(ways, key=lambda laid: laid.likeness, default=None)
    return best if best is not None and best.likeness > PROOF_FIT.like else None


def seen_from_above(
    picture_bgr: Image, calibration: Calibration, laid: Laid, grid_mm: Array
) -> tuple[Plane, NDArray[np.bool_]]:
    """Give the luma, in linear light, at points of the sheet (h, w, 2), and whether each is in the picture."""
    h, w = grid_mm.shape[:2]
    seen_px = calibration.view.mm_to_px(laid.to_board(grid_mm.reshape(-1, 2))).reshape(h, w, 2).astype(np.float32)
    height, width = picture_bgr.shape[:2]
    is_seen = ((seen_px >= 0) & (seen_px <= (width - 1, height - 1))).all(axis=-1)
    low = np.maximum(np.floor(seen_px.reshape(-1, 2).min(axis=0)).astype(int) - 4, 0)
    high = np.minimum(np.ceil(seen_px.reshape(-1, 2).max(axis=0)).astype(int) + 5, (width, height))
    if (high - low < 8).any():
        return np.zeros((h, w), np.float32), np.asarray(is_seen, bool)
    part = picture_bgr[low[1] : high[1], low[0] : high[0]]
    luma = to_linear(np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8))
    seen = cv2.remap(
        luma, *cv2.split(seen_px - low.astype(np.float32)), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.float32), np.asarray(is_seen, bool)


def grid_mm(middle_mm: Array, size_mm: tuple[float, float], step_mm: float) -> Array:
    """List points of the sheet (h, w, 2) round a place."""
    width, height = size_mm
    xs, ys = (np.arange(-side / 2 + step_mm / 2, side / 2, step_mm) for side in (width, height))
    return np.stack(np.meshgrid(middle_mm[0] + xs, middle_mm[1] + ys), axis=-1)


@lru_cache(maxsize=4)
def drawn(gauge: Gauge, step_mm: float, blur_mm: float) -> Plane:
    """Draw the gauge as light (h, w) on the grid of what is matched, blurred."""
    fine_mm = grid_mm(np.zeros(2), MATCHED_MM, step_mm / FINE)
    luma = float(np.dot(DISC_RGB, LUMA_RGB)) / 255
    dark, grey = (PAPER * float(linear(np.array(share))) for share in (GROUND_SHARE, luma))
    light = np.where(gauge.white_mm(fine_mm) < 0, dark, PAPER)
    light = np.where(gauge.beyond_discs_mm(fine_mm) < 0, grey, light)
    light = np.where(is_chequered(fine_mm), INK, light).astype(np.float32)
    height, width = light.shape
    small = cv2.resize(light, (width // FINE, height // FINE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur_mm / step_mm), np.float32)


def _sheets(picture_bgr: Image, calibration: Calibration) -> list[tuple[Array, Array]]:
    """Find what is new and of a sheet's size: where its middle is (2,), and how it is turned (2, 2), one way of two."""
    width, height = (side + 2 * AROUND_MM for side in calibration.board.size_mm)
    flat = Laid(turn=np.eye(2), middle_mm=np.array(calibration.board.size_mm) / 2, likeness=0.0)
    plan = grid_mm(np.zeros(2), (width, height), SEEK_MM)
    now, empty = (
        cv2.GaussianBlur(seen_from_above(one, calibration, flat, plan)[0], (0, 0), PROOF_FIT.soft_mm / SEEK_MM)
        for one in (picture_bgr, calibration.empty_bgr)
    )
    gain = float(np.median((now + FAINT) / (empty + FAINT)))
    is_new = (np.abs(now - gain * empty) > PROOF_FIT.new * float(np.percentile(now, 99))).astype(np.uint8)
    outlines, _ = cv2.findContours(
        _morphed(is_new, cv2.MORPH_CLOSE, CLOSED_MM), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    filled = cv2.drawContours(np.zeros_like(is_new), outlines, -1, 1, cv2.FILLED)
    outlines, _ = cv2.findContours(
        _morphed(filled, cv2.MORPH_OPEN, OPENED_MM), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    found = []
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True):
        if not PAPER_MM2[0] < cv2.contourArea(outline) * SEEK_MM**2 < PAPER_MM2[1]:
            continue
        (x, y), *_ = rect = cv2.minAreaRect(outline)
        corners = cv2.boxPoints(rect)
        sides = np.diff(corners[[0, 1, 2]], axis=0)
        down = max(sides, key=lambda one: float(np.hypot(*one)))
        down = down / np.hypot(*down)
        middle = plan[0, 0] + SEEK_MM * np.array([x, y]) + flat.middle_mm
        found.append((middle, np.array([[down[1], down[0]], [-down[0], down[1]]], float)))
    return found


def _morphed(mask: NDArray[np.uint8], how: int, reach_mm: float) -> NDArray[np.uint8]:
    side = round(reach_mm / SEEK_MM) | 1
    return np.asarray(cv2.morphologyEx(mask, how, np.ones((side, side), np.uint8)), np.uint8)


def _laid(picture_bgr: Image, calibration: Calibration, gauge: Gauge, start: Laid) -> Laid | None:
    """Match the drawing from a rough place on, ever more sharply."""
    laid = start
    for blur_mm, motion in zip(BLURS_MM, (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE), strict=True):
        matched = _matched(picture_bgr, calibration, gauge, laid, blur_mm, motion)
        if matched is None:
            return None
        laid = matched
    return _matched(picture_bgr, calibration, gauge, laid, BLURS_MM[-1], cv2.MOTION_AFFINE)


def _matched(
    picture_bgr: Image, calibration: Calibration, gauge: Gauge, laid: Laid, blur_mm: float, motion: int
) -> Laid | None:
    plan = grid_mm(np.zeros(2), MATCHED_MM, FINE_MM)
    seen, is_seen = seen_from_above(picture_bgr, calibration, laid, plan)
    if is_seen.mean() < PROOF_FIT.least_seen:
        return None
    if motion == cv2.MOTION_EUCLIDEAN:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), blur_mm / FINE_MM), np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, ROUNDS, STILL)
    try:
        likeness, warp = cv2.findTransformECC(
            drawn(gauge, FINE_MM, blur_mm), seen, np.eye(2, 3, dtype=np.float32), motion, criteria, None, 1
        )
    except cv2.error:  # it went astray: the sheet does not lie there
        return None
    # the map goes from the drawing's pixels to those of what is seen; both have the sheet's middle in their own
    centre = (np.array([plan.shape[1], plan.shape[0]]) - 1) / 2
    turn = np.asarray(warp[:, :2], float)
    shift_mm = FINE_MM * (turn @ centre + warp[:, 2] - centre)
    return Laid(turn=laid.turn @ turn, middle_mm=laid.to_board(shift_mm), likeness=float(likeness))
