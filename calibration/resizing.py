"""A board that proved larger or smaller than its file says: all that was measured on it is as many times as large."""

from dataclasses import replace

from linesies.calibration.board import Board, Region
from linesies.calibration.record import Calibration
from linesies.calibration.survey import PaintedLine, Survey


def resized(calibration: Calibration, times: float) -> Calibration:
    """Enlarge everything on the board so many times; the picture stays as it is, so the camera hangs farther off."""
    view, survey = calibration.view, calibration.survey
    return replace(
        calibration,
        board=_board(calibration.board, times),
        view=replace(view, translation_mm=times * view.translation_mm),
        survey=Survey(lines=tuple(_line(line, times) for line in survey.lines), misfit_px=survey.misfit_px),
        regions=tuple(_region(region, times) for region in calibration.regions),
    )


def _board(board: Board, times: float) -> Board:
    width_mm, height_mm = board.size_mm
    return replace(
        board,
        size_mm=(times * width_mm, times * height_mm),
        line_width_mm=times * board.line_width_mm,
        regions=tuple(_region(region, times) for region in board.regions),
        start_line_mm=None if board.start_line_mm is None else times * board.start_line_mm,
    )


def _line(line: PaintedLine, times: float) -> PaintedLine:
    return replace(line, left_mm=times * line.left_mm, right_mm=times * line.right_mm, sigma_mm=times * line.sigma_mm)


def _region(region: Region, times: float) -> Region:
    return replace(region, polygon_mm=times * region.polygon_mm)
