"""A card table whose zones are agreed on but not painted: they count as drawn, as exact as its markers are laid."""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import NoBoard
from linesies.calibration.board import Board
from linesies.calibration.cameras import LensPrior
from linesies.calibration.drawing import corners_mm, draw
from linesies.calibration.lens import Lens
from linesies.calibration.pose import focal_from_taps, guess_lens, pose_from_taps
from linesies.calibration.record import Calibration
from linesies.calibration.survey import PaintedLine, Survey

Array = NDArray[np.float64]
LAID_MM = 5.0  # how exactly people lay a sheet


def take_as_drawn(
    picture_bgr: NDArray[np.uint8], board: Board, corners_px: Array, lens: Lens | None, prior: LensPrior
) -> Calibration | NoBoard:
    """Calibrate on the board's corners (4, 2) alone, every line as it is drawn."""
    size_px = (picture_bgr.shape[1], picture_bgr.shape[0])
    is_lens_given = lens is not None
    lens = lens or guess_lens(size_px, focal_from_taps(corners_px, corners_mm(board), size_px, prior))
    view = pose_from_taps(corners_px, corners_mm(board), lens)
    if view is None:
        reason = "no camera above the table sees its corners there; lay the markers out again"
        return NoBoard(code="corners", reason=reason)
    miss_px = view.mm_to_px(corners_mm(board)) - corners_px
    drawing = draw(board)
    lines = tuple(
        _as_drawn(drawing.nodes_mm[line.start], drawing.nodes_mm[line.end], board.line_width_mm)
        for line in drawing.lines
    )
    return Calibration(
        board=board,
        view=view,
        survey=Survey(lines=lines, misfit_px=LAID_MM * view.px_per_mm(np.array(board.size_mm) / 2)),
        regions=board.regions,
        reprojection_px=float(np.sqrt((miss_px**2).sum(axis=1).mean())),
        empty_bgr=picture_bgr,
        focal_doubt=0.0 if is_lens_given else prior.focal_spread,
    )


def _as_drawn(start_mm: Array, end_mm: Array, width_mm: float) -> PaintedLine:
    along = (end_mm - start_mm) / max(float(np.linalg.norm(end_mm - start_mm)), 1e-9)
    aside = width_mm / 2 * np.array([along[1], -along[0]])
    middle = np.array([start_mm - width_mm / 2 * along, end_mm + width_mm / 2 * along])
    return PaintedLine(left_mm=middle + aside, right_mm=middle - aside, sigma_mm=np.full(2, LAID_MM))
