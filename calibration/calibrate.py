"""Calibration: from a picture of the board to the camera's pose and the survey of its paint."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.drawing import Drawing, corners_mm, draw
from calibration.errors import BadInput
from calibration.lens import Lens
from calibration.light import to_linear
from calibration.paint import Paint, learn_paint
from calibration.pose import focal_from_taps, guess_lens, pose_from_taps, refine
from calibration.profiles import Picture
from calibration.record import Calibration
from calibration.ridges import Ridge, find_ridges
from calibration.surveying import lay_out, move_regions, survey_lines
from calibration.view import View

Array = NDArray[np.float64]
LEAST_SEPARATION = 2.5  # standard deviations between paint and ground; below, these are not the lines
LEAST_SEEN = 0.5  # of the drawing's lines must lie in the picture
TAP_SHARE = 0.014  # of the picture's width: how far from the taps the lines are looked for at first


@dataclass(frozen=True, slots=True, kw_only=True)
class NoBoard:
    """The picture shows no board, too little of it, or not which way round; `reason` says which and the mend."""

    reason: str

    def __bool__(self) -> bool:
        return False


def calibrate(
    picture_bgr: NDArray[np.uint8], board: Board, *, lens: Lens | None = None, corners_px: Array | None = None
) -> Calibration | NoBoard:
    """Find pose and paint in a picture (H, W, 3) of the empty board.

    `corners_px` (4, 2) are rough taps on the outer corners, clockwise from the corner of box 1. Without a lens
    it is estimated from this one view. A lens for another picture size, or taps that are no clockwise quadrangle,
    raise BadInput.
    """
    height, width = picture_bgr.shape[:2]
    if lens is not None and tuple(lens.size_px) != (width, height):
        raise BadInput(
            f"the lens is for pictures of {lens.size_px[0]}x{lens.size_px[1]}, this one is {width}x{height}; "
            f"give the lens file of this camera mode"
        )
    if corners_px is not None:
        check_taps(corners_px, (width, height))
    light = to_linear(picture_bgr)
    drawing = draw(board)
    if corners_px is None:
        return NoBoard(reason="the board is not found by itself yet; give its corners with --corners")
    start = _start(corners_px, board, lens, (width, height))
    if start is None:
        return NoBoard(reason="no camera above the board sees its corners there; tap them again with --corners")
    pose = _pose(light, drawing, start, board, is_lens_known=lens is not None)
    if isinstance(pose, NoBoard):
        return pose
    mixed = np.asarray(light @ pose.paint.mix_bgr.astype(np.float32), np.float32)
    surveyed = survey_lines(mixed, drawing, pose.view, board, pose.ridges)
    return Calibration(
        board=board,
        view=pose.view,
        survey=lay_out(surveyed, drawing, pose.view),
        regions=move_regions(board, drawing, surveyed, pose.view),
        reprojection_px=float(np.sqrt(np.mean(np.minimum(pose.miss_px**2, 100)))),
        empty_bgr=picture_bgr,
    )


def check_taps(corners_px: Array, size_px: tuple[int, int]) -> None:
    """Raise BadInput where the taps (4, 2) are no convex quadrangle, clockwise in the picture, in or near it."""
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    turns = [float(a[0] * b[1] - a[1] * b[0]) for a, b in zip(sides, np.roll(sides, -1, axis=0), strict=True)]
    if max(turns) < 0:
        raise BadInput("`--corners` run anticlockwise; give them clockwise from the corner of box 1")
    if min(turns) < 0.01 * size_px[0] ** 2 * 0.1:
        raise BadInput("`--corners` make no quadrangle; tap the four outer corners, clockwise from the corner of box 1")
    if (np.abs(corners_px - np.array(size_px) / 2) > np.array(size_px)).any():
        raise BadInput("`--corners` lie far outside the picture; give them in its own pixels")


def _start(corners_px: Array, board: Board, lens: Lens | None, size_px: tuple[int, int]) -> View | None:
    if lens is None:
        lens = guess_lens(size_px, focal_from_taps(corners_px, corners_mm(board), size_px))
    return pose_from_taps(corners_px, corners_mm(board), lens)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pose:
    view: View
    paint: Paint
    miss_px: Array
    ridges: list[Ridge]


def _pose(light: Picture, drawing: Drawing, start: View, board: Board, *, is_lens_known: bool) -> _Pose | NoBoard:
    """Refine the view on the lines, looking ever closer."""
    view, mix = start, None
    width_px = start.px_per_mm(np.array(board.size_mm) / 2) * board.line_width_mm
    far = TAP_SHARE * light.shape[1]
    for share in (1.0, 0.8, 0.4, 0.4):
        reach = max(share * far, 1.2 * width_px + 3)
        ridges = find_ridges(light, drawing, view, board.line_width_mm, reach_px=reach, mix_bgr=mix)
        if len(ridges) < LEAST_SEEN * len(drawing.lines):
            return NoBoard(reason="too little of the board is in the picture; show all of it, or check the corners")
        fit = refine(view, drawing, ridges, is_lens_known=is_lens_known, scale_px=max(0.2 * reach, 2.0))
        view = fit.view
        near = np.abs(fit.miss_px) < max(0.3 * reach, 4.0)
        if near.mean() < 0.3:
            near[:] = True
        paint = learn_paint(
            np.vstack([r.paint_bgr for r in ridges])[near], np.vstack([r.ground_bgr for r in ridges])[near]
        )
        mix = paint.mix_bgr
    if paint.separation < LEAST_SEPARATION:
        return NoBoard(
            reason=f"no painted lines where the board should be (paint and ground differ by only "
            f"{paint.separation:.1f} standard deviations); check the corners and the board file, or give more light"
        )
    return _Pose(view=view, paint=paint, miss_px=fit.miss_px, ridges=ridges)
