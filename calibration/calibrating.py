"""Calibration: from a picture of the board to the camera's pose and the survey of its paint."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import Aligned, NoBoard, align
from linesies.calibration.board import Board
from linesies.calibration.cameras import ANY_CAMERA, LensPrior
from linesies.calibration.drawing import draw, has_border
from linesies.calibration.errors import BadInput
from linesies.calibration.lens import Lens
from linesies.calibration.light import to_linear
from linesies.calibration.markers import corners_from_markers
from linesies.calibration.overreach import overreach_px
from linesies.calibration.profiles import Picture
from linesies.calibration.record import Calibration
from linesies.calibration.ridges import find_ridges
from linesies.calibration.seeking import BoardPicture, align_by_itself, align_to_taps, check_taps
from linesies.calibration.survey import Survey
from linesies.calibration.surveying import lay_out, move_regions, sight_of, survey_lines
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.calibration.unpainted import take_as_drawn
from linesies.calibration.weighing import PlaneReading, weighed

Array = NDArray[np.float64]
GROSS_PX = 10.0  # misses above this count as this much in the RMS


@dataclass(frozen=True)
class AgainTuning(Tuning):
    """How far from where it was painted a line is looked for that is surveyed anew."""

    widths: float = tuned(1.2, title="of its width", unit="1", low=0.2, high=5, source=BY_HAND)
    more_px: float = tuned(3.0, title="and so much more", unit="px", low=0, high=20, source=BY_HAND)


AGAIN = AgainTuning()


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
    scene = BoardPicture(picture_bgr=picture_bgr, light=light, board=board, drawing=drawing, lens=lens, prior=prior)
    if corners_px is None:
        aligned = align_by_itself(scene)
    else:
        check_taps(corners_px, (width, height))
        aligned = align_to_taps(scene, corners_px)
    if isinstance(aligned, NoBoard):
        return aligned
    surveyed = weighed(_readings(picture_bgr, light, board, aligned))
    return Calibration(
        board=board,
        view=aligned.view,
        survey=lay_out(surveyed, drawing, aligned.view),
        regions=move_regions(board, drawing, surveyed, aligned.view),
        reprojection_px=float(np.sqrt(np.mean(np.minimum(np.abs(aligned.miss_px), GROSS_PX) ** 2))),
        empty_bgr=picture_bgr,
        focal_doubt=0.0 if lens else prior.focal_spread,
    )


def surveys_again(calibration: Calibration, picture_bgr: NDArray[np.uint8]) -> tuple[Survey, ...]:
    """Survey the paint anew in a picture (H, W, 3) by the pose as it was calibrated: lines that moved are seen to.

    As a calibration is, and coloured paint once in each plane, as older programs read it; nothing of no board.
    """
    light, drawing, view, board = to_linear(picture_bgr), draw(calibration.board), calibration.view, calibration.board
    aligned = align(light, drawing, view, board, prior=None)
    if isinstance(aligned, NoBoard):
        return ()
    reach_px = view.px_per_mm(np.array(board.size_mm) / 2) * board.line_width_mm * AGAIN.widths + AGAIN.more_px
    ridges = find_ridges(light, drawing, view, board.line_width_mm, reach_px=reach_px, mix_bgr=aligned.paint.mix_bgr)
    then = align(to_linear(calibration.empty_bgr), drawing, view, board, prior=None)
    paint = aligned.paint if isinstance(then, NoBoard) else then.paint  # whether hue tells it may be a close thing, too
    again = replace(aligned, view=view, ridges=ridges, paint=paint)
    readings = _readings(picture_bgr, light, board, again)
    told = [weighed(readings), *(one.as_painted for one in readings if len(readings) > 1)]
    return tuple(lay_out(surveyed, drawing, view) for surveyed in told)


def _readings(picture_bgr: NDArray[np.uint8], light: Picture, board: Board, aligned: Aligned) -> list[PlaneReading]:
    """Survey the paint in each plane in which its edges are read, and tell how far outside them that was."""
    drawing = draw(board)
    readings = []
    for plane in aligned.paint.planes(picture_bgr, light):
        found = survey_lines(sight_of(picture_bgr, plane.light), drawing, aligned.view, board, aligned.ridges)
        wide_px = overreach_px(aligned.paint, found.blur_px, found.usual_width_px, is_luma=plane.is_luma)
        readings.append(PlaneReading(surveyed=found, wide_px=wide_px))
    return readings


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
