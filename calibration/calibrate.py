"""Calibration: from a picture of the board to the camera's pose and the survey of its paint."""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import NoBoard
from linesies.calibration.board import Board
from linesies.calibration.cameras import ANY_CAMERA, LensPrior
from linesies.calibration.drawing import draw, has_border
from linesies.calibration.errors import BadInput
from linesies.calibration.lens import Lens
from linesies.calibration.light import to_linear
from linesies.calibration.markers import corners_from_markers
from linesies.calibration.overreach import overreach_px
from linesies.calibration.record import Calibration
from linesies.calibration.seeking import Scene, align_by_itself, align_to_taps, check_taps
from linesies.calibration.surveying import lay_out, move_regions, survey_lines
from linesies.calibration.unpainted import take_as_drawn

Array = NDArray[np.float64]
GROSS_PX = 10.0  # misses above this count as this much in the RMS


def calibrate(
    picture_bgr: NDArray[np.uint8],
    board: Board,
    *,
    lens: Lens | None = None,
    corners_px: Array | None = None,
    prior: LensPrior = ANY_CAMERA,
) -> Calibration | NoBoard:
    """Find pose and paint in a picture (H, W, 3) of the empty board.

    `corners_px` (4, 2) are rough taps on the outer corners, clockwise from the corner of box 1; without them the
    board is found by itself. Without a lens it is estimated from this one view, beginning with what
    is usual of such cameras. A lens for another picture size,
    or taps that are no clockwise quadrangle, raise BadInput.
    """
    height, width = picture_bgr.shape[:2]
    if lens is not None and tuple(lens.size_px) != (width, height):
        raise BadInput(
            f"the lens is for pictures of {lens.size_px[0]}x{lens.size_px[1]}, this one is {width}x{height}; "
            f"give the lens file of this camera mode"
        )
    light = to_linear(picture_bgr)
    drawing = draw(board)
    scene = Scene(picture_bgr=picture_bgr, light=light, board=board, drawing=drawing, lens=lens, prior=prior)
    if corners_px is None:
        aligned = align_by_itself(scene)
    else:
        check_taps(corners_px, (width, height))
        aligned = align_to_taps(scene, corners_px)
    if isinstance(aligned, NoBoard):
        return aligned
    plane = aligned.paint.sharpest(picture_bgr, light)
    surveyed = survey_lines(plane, drawing, aligned.view, board, aligned.ridges)
    reads_wide_px = overreach_px(aligned.paint, surveyed.blur_px, surveyed.usual_width_px)
    return Calibration(
        board=board,
        view=aligned.view,
        survey=lay_out(surveyed, drawing, aligned.view, reads_wide_px),
        regions=move_regions(board, drawing, surveyed, aligned.view),
        reprojection_px=float(np.sqrt(np.mean(np.minimum(np.abs(aligned.miss_px), GROSS_PX) ** 2))),
        empty_bgr=picture_bgr,
        focal_doubt=0.0 if lens else prior.focal_spread,
    )


def calibrate_by_markers(
    picture_bgr: NDArray[np.uint8], board: Board, *, lens: Lens | None = None, prior: LensPrior = ANY_CAMERA
) -> Calibration | NoBoard:
    """Find the board by the printed markers round it; its lines are surveyed, or a card table's taken as drawn."""
    corners_px = corners_from_markers(picture_bgr, board, lens)
    if isinstance(corners_px, NoBoard):
        return corners_px
    surveyed = calibrate(picture_bgr, board, lens=lens, corners_px=corners_px, prior=prior)
    if not surveyed and not has_border(board):
        return take_as_drawn(picture_bgr, board, corners_px, lens, prior)
    return surveyed
