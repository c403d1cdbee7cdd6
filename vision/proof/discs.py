"""Where printed discs are seen: by the light that three inks, blurred, would send; they are flat and cast no shadow.

They tell of the plane alone: lens, pose, scale and focus. What bodies do to a picture is told by real caps.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View, share_below, to_linear
from linesies.vision.picture.layout import Image
from linesies.vision.proof.gauge import Gauge
from linesies.vision.proof.laying import Laid
from linesies.vision.proof.proof_tuning import PROOF_FIT

Array = NDArray[np.float64]

BLURS_PX = np.array([0.4, 0.55, 0.7, 0.85, 1.0, 1.25, 1.6, 2.0, 2.6, 3.4])  # tried in turn
ROOM_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Window:
    """The pixels round one disc: their light (N,), their places on the sheet (N, 2), and pixels to its millimetre."""

    light: Array
    sheet_mm: Array
    px_per_mm: float
    white: Array  # how deep in what is left white each lies, in pixels

    def misses(self, gauge: Gauge, number: int, shift_mm: Array, blur_px: float) -> Array:
        """Tell what three inks leave unexplained (N,), of the step from ground to white, with one disc shifted."""
        away = [
            np.hypot(*(self.sheet_mm - disc.xy_mm - (shift_mm if i == number else 0)).T) - disc.diameter_mm / 2
            for i, disc in enumerate(gauge.discs)
        ]
        disc = share_below(-np.min(away, axis=0) * self.px_per_mm / blur_px)
        white = share_below(self.white / blur_px)
        inks = np.stack([(1 - white) * (1 - disc), white * (1 - disc), disc], axis=-1)
        levels = np.linalg.lstsq(inks, self.light, rcond=None)[0]
        return np.asarray((inks @ levels - self.light) / (abs(levels[1] - levels[0]) + 1e-3), float)


def see_discs(picture_bgr: Image, view: View, gauge: Gauge, laid: Laid) -> tuple[Array, float]:
    """Find the discs' middles on the board (D, 2), and the blur of an edge in pixels."""
    from scipy.optimize import least_squares  # noqa: PLC0415 - heavy; a proof is made seldom

    windows = list(_windows(picture_bgr, view, gauge, laid))
    still = np.zeros(2)
    costs = [
        sum(float(np.abs(window.misses(gauge, i, still, float(blur))).mean()) for i, window in enumerate(windows))
        for blur in BLURS_PX
    ]
    blur_px = _lowest(np.array(costs))
    shifts = [
        least_squares(
            lambda shift, i=i, w=window: w.misses(gauge, i, shift, blur_px),
            still,
            loss="soft_l1",
            f_scale=PROOF_FIT.robust,
        ).x
        for i, window in enumerate(windows)
    ]
    return laid.to_board(np.array([disc.xy_mm for disc in gauge.discs]) + np.array(shifts)), blur_px


def _windows(picture_bgr: Image, view: View, gauge: Gauge, laid: Laid) -> Iterator[_Window]:
    height, width = picture_bgr.shape[:2]
    for disc in gauge.discs:
        around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * disc.diameter_mm / 2
        seen = view.mm_to_px(laid.to_board(disc.xy_mm + around))
        low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - ROOM_PX, 0)
        high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + ROOM_PX + 1, (width, height))
        rows, columns = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        ys, xs = np.mgrid[rows, columns]
        on_board = view.px_to_mm(np.column_stack([xs.ravel(), ys.ravel()]).astype(float))
        sheet_mm = (on_board - laid.middle_mm) @ np.linalg.inv(laid.turn).T
        px_per_mm = view.px_per_mm(laid.to_board(disc.xy_mm[None])[0]) * laid.scale
        grey = cv2.cvtColor(picture_bgr[rows, columns], cv2.COLOR_BGR2GRAY)
        yield _Window(
            light=to_linear(np.asarray(grey, np.uint8)).astype(float).ravel(),
            sheet_mm=sheet_mm,
            px_per_mm=px_per_mm,
            white=gauge.white_mm(sheet_mm) * px_per_mm,
        )


def _lowest(costs: Array) -> float:
    """Find the blur of the lowest cost, by a parabola round the best of those tried."""
    best = int(np.clip(costs.argmin(), 1, len(BLURS_PX) - 2))
    bend, slope, _ = np.polyfit(BLURS_PX[best - 1 : best + 2], costs[best - 1 : best + 2], 2)
    lowest = -slope / (2 * bend) if bend > 0 else BLURS_PX[int(costs.argmin())]
    return float(np.clip(lowest, BLURS_PX[0], BLURS_PX[-1]))
