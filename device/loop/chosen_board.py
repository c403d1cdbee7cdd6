"""Which board people say that theirs is: the book's in six feet, the table's, either with another side, or a mat."""

from dataclasses import replace

from linesies.calibration import Board
from linesies.games import GAMES, CardsOnMat
from linesies.referee.orders import DrawnBoard, PrintedMat


def drawn_board(told: DrawnBoard | None) -> Board:
    """Draw the board of a kind, `street` or `table`, with the outer side (mm) that people measured."""
    from linesies.calibration.standard_boards import (  # noqa: PLC0415 - wanted once in a box's life
        STREET,
        nominal_board,
    )

    if told is None:
        return nominal_board(STREET)
    board = nominal_board(told.kind, is_five_at_top=told.is_five_at_top)
    return board if told.side is None else scaled(board, told.side / board.size_mm[0])


def printed_mat(told: PrintedMat) -> Board:
    """Draw a mat as `linesies print mat` does; its seats are given to the people who play."""
    from linesies.calibration.card_mats import mat  # noqa: PLC0415 - wanted once in a box's life

    seen = GAMES[told.game].seen
    assert isinstance(seen, CardsOnMat), "the order was looked at before"
    return mat([f"player{seat}" for seat in range(1, told.seats + 1)], told.game, seen)


def scaled(board: Board, share: float) -> Board:
    """Draw a board larger or smaller; its lines stay as wide as they are painted."""
    width, height = board.size_mm
    regions = tuple(replace(region, polygon_mm=region.polygon_mm * share) for region in board.regions)
    start_line = None if board.start_line_mm is None else board.start_line_mm * share
    return replace(board, size_mm=(width * share, height * share), regions=regions, start_line_mm=start_line)
