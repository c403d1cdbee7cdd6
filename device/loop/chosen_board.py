"""Which board people say that theirs is: the book's in six feet, the table's, or either with another side."""

from dataclasses import replace

from linesies.calibration import Board
from linesies.referee.orders import DrawnBoard


def drawn_board(told: DrawnBoard | None) -> Board:
    """Draw the board of a kind, `street` or `table`, with the outer side (mm) that people measured."""
    from linesies.calibration.standard_boards import (  # noqa: PLC0415 - wanted once in a box's life
        STREET,
        nominal_board,
    )

    board = nominal_board(STREET if told is None else told.kind)
    side_mm = None if told is None else told.side
    return board if side_mm is None else scaled(board, side_mm / board.size_mm[0])


def scaled(board: Board, share: float) -> Board:
    """Draw a board larger or smaller; its lines stay as wide as they are painted."""
    width, height = board.size_mm
    regions = tuple(replace(region, polygon_mm=region.polygon_mm * share) for region in board.regions)
    start_line = None if board.start_line_mm is None else board.start_line_mm * share
    return replace(board, size_mm=(width * share, height * share), regions=regions, start_line_mm=start_line)
