"""Laying the drawing on the paint: from a rough view to one in which all painted lines lie where they are drawn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.board import Board
from linesies.calibration.cameras import LensPrior
from linesies.calibration.drawing import Drawing
from linesies.calibration.paint import Paint, learn_paint
from linesies.calibration.pose import on_pose_grid, refine
from linesies.calibration.profiles import Picture
from linesies.calibration.ridges import Ridge, find_ridges
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.calibration.view import View

Array = NDArray[np.float64]
NO_BOARD = ("none", "which_way", "corners", "partly", "unpainted", "markers", "moved")  # codes of NoBoard
LOOKS = (1.0, 0.8, 0.4, 0.4)  # shares of that, look by look


@dataclass(frozen=True, kw_only=True)
class AlignTuning(Tuning):
    """When lines in a picture are those of the board."""

    least_separation: float = tuned(
        2.5,
        title="standard deviations between paint and ground; below, these are not the lines",
        unit="1",
        low=0.5,
        high=10,
        source="seen on the public scenes: 3.9 to 9.4 where the board was right, less where it was not",
    )
    least_contrast: float = tuned(
        0.02,
        title="between paint and ground, of the ground's light",
        unit="1",
        low=0.001,
        high=0.5,
        source="by hand: noise on a bare floor reaches 0.006, worn chalk shows 0.1",
    )
    least_laid: float = tuned(
        0.8,
        title="of the lines' length that lies near where it is drawn",
        unit="1",
        low=0.2,
        high=1,
        source="by hand: wrong boards reach 0.75, right ones 0.97",
    )
    least_seen: float = tuned(
        0.5,
        title="of the drawing's lines that lie in the picture",
        unit="1",
        low=0.1,
        high=1,
        source="geometry: with fewer, a whole side of the board may be out of sight, and nothing holds the pose there",
    )
    tap_share: float = tuned(
        0.014,
        title="how far from the taps the lines are looked for at first, of the picture's width",
        unit="1",
        low=0.002,
        high=0.1,
        source="18 px of 1280: two and a half times what taps stray by in the simulator (TAP_PX)",
    )
    least_reach_widths: float = tuned(
        1.2, title="in widths of a line: nearer than this is always looked", unit="1", low=0.5, high=4, source=BY_HAND
    )
    scale_reach: float = tuned(
        0.2,
        title="of that reach, the miss at which a point begins to count less",
        unit="1",
        low=0.02,
        high=1,
        source=BY_HAND,
    )
    least_scale_px: float = tuned(2.0, title="that miss at least", unit="px", low=0.5, high=10, source=BY_HAND)
    near_reach: float = tuned(
        0.3, title="of that reach, within which a point is on its line", unit="1", low=0.05, high=1, source=BY_HAND
    )
    least_near_px: float = tuned(4.0, title="that distance at least", unit="px", low=1, high=20, source=BY_HAND)
    least_near: float = tuned(
        0.3,
        title="share of points on their lines, below which paint is taken from all",
        unit="1",
        low=0.05,
        high=1,
        source=BY_HAND,
    )


ALIGN = AlignTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoBoard:
    """The picture shows no board, too little of it, or not which way round; `reason` says which and the mend.

    `code` names the reason for who says it in another language: see NO_BOARD.
    """

    reason: str
    code: str = "none"

    def __bool__(self) -> bool:
        """Be falsy, as no board is."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned:
    """A view in which the drawing lies on the paint; `miss_px` (N,) is how far the middles seen lie from it."""

    view: View
    paint: Paint
    miss_px: Array
    ridges: list[Ridge]


def align(light: Picture, drawing: Drawing, start: View, board: Board, *, prior: LensPrior | None) -> Aligned | NoBoard:
    """Refine a rough view on all painted lines at once, looking ever closer; the lens too where a prior is given."""
    view, mix = start, None
    width_px = start.px_per_mm(np.array(board.size_mm) / 2) * board.line_width_mm
    for share in LOOKS:
        reach = max(share * ALIGN.tap_share * light.shape[1], ALIGN.least_reach_widths * width_px + 3)
        ridges = find_ridges(light, drawing, view, board.line_width_mm, reach_px=reach, mix_bgr=mix)
        if len(ridges) < ALIGN.least_seen * len(drawing.lines):
            reason = "too little of the board is in the picture; show all of it, or check the corners"
            return NoBoard(code="partly", reason=reason)
        fit = refine(view, drawing, ridges, prior=prior, scale_px=max(ALIGN.scale_reach * reach, ALIGN.least_scale_px))
        view = fit.view
        near = np.abs(fit.miss_px) < max(ALIGN.near_reach * reach, ALIGN.least_near_px)
        paint = _paint(ridges, near if near.mean() > ALIGN.least_near else np.ones_like(near))
        mix = paint.mix_bgr
    if (
        paint.separation < ALIGN.least_separation
        or paint.contrast < ALIGN.least_contrast
        or near.mean() < ALIGN.least_laid
    ):
        return NoBoard(
            code="unpainted",
            reason=f"no board is painted there: {100 * near.mean():.0f} % of its lines lie where they are drawn, "
            f"{paint.separation:.1f} standard deviations off the ground; check corners and board file, or add light",
        )
    return Aligned(view=on_pose_grid(view), paint=paint, miss_px=fit.miss_px, ridges=ridges)


def _paint(ridges: list[Ridge], chosen: NDArray[np.bool_]) -> Paint:
    paint = np.vstack([ridge.paint_bgr for ridge in ridges])
    ground = np.vstack([ridge.ground_bgr for ridge in ridges])
    return learn_paint(paint[chosen], ground[chosen])
