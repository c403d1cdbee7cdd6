"""`linesies print`: sheets on paper, as PDF files true to scale."""

from pathlib import Path

import click

from linesies.calibration import Board, read_board, write_board
from linesies.calibration.card_mats import mat as mat_board
from linesies.calibration.standard_boards import nominal_board
from linesies.device.commands.naming import game_name
from linesies.device.errors import BadInput
from linesies.device.sheets.boards import mat, plan
from linesies.device.sheets.gauge import gauge_sheet
from linesies.device.sheets.markers import lens_sheet, markers
from linesies.device.sheets.paper import PAPERS
from linesies.device.sheets.stencils import stencils
from linesies.games import GAMES, CardsOnMat
from linesies.vision import draw_gauge

SHEETS = {
    "markers": "four markers to lay round a board (calibrate --markers)",
    "lens": "the chessboard that tells a lens (linesies lens)",
    "board": "a plan of the board with every measure",
    "stencils": "the boxes' numbers to cut out and paint through",
    "mat": "a card mat at full size",
    "gauge": "what `linesies proof` measures",
}


@click.command("print", epilog="Sheets: " + "; ".join(f"{name}: {what}" for name, what in SHEETS.items()) + ".")
@click.argument("sheet", type=click.Choice(list(SHEETS)))
@click.option("-o", "--output", metavar="FILE", help="The PDF to write; SHEET.pdf where not given.")
@click.option("--paper", type=click.Choice([*PAPERS, "whole"]), default=None, help="a4, or for a mat one whole page.")
@click.option("--board", "board_file", metavar="FILE", help="The board's drawing; a 6 ft street board where not given.")
@click.option(
    "--five-at-top", "is_five_at_top", is_flag=True, help="A board whose box 5 is where 9 usually is (1.6.13)."
)
@click.option("--seats", type=click.IntRange(2, 8), default=4, help="How many play on the mat.")
@click.option("--game", type=game_name, default="skull", metavar="GAME", help="Which game the mat is for.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    sheet: str,
    output: str | None,
    paper: str | None,
    board_file: str | None,
    is_five_at_top: bool,
    seats: int,
    game: str,
) -> None:
    """Draw a sheet to print.

    Print at 100 %, without fitting to the page, and check the ruler on it. A mat comes on one page of its own size,
    for a copy shop, or with --paper a4 in tiles to be glued. Beside a board's plan or a mat lies its drawing for
    `calibrate`: board.json, mat.json.
    """
    if paper == "whole" and sheet != "mat":
        raise BadInput(f"--paper whole is for mats; {sheet} come on {' or '.join(PAPERS)}")
    size_mm = PAPERS.get(paper or "a4", PAPERS["a4"])
    target = Path(output or f"{sheet}.pdf")
    if board_file:
        board = read_board(board_file)
    else:
        board = (
            mat_board([f"player{n + 1}" for n in range(seats)], game, _mat(game))
            if sheet == "mat"
            else nominal_board("street", is_five_at_top=is_five_at_top)
        )
    if sheet == "mat":
        _write(target, mat(board, None if paper in (None, "whole") else size_mm))
    else:
        _write(target, _sheet(sheet, board, size_mm))
    if sheet in ("mat", "board"):
        write_board(board, target.with_suffix(".json"))
    click.echo(f"{target} is written; print it at 100 %.", err=True)


def _mat(game: str) -> CardsOnMat:
    seen = GAMES[game].seen
    if not isinstance(seen, CardsOnMat):
        raise BadInput(f"{game} is played on a painted board; print that with: linesies print board")
    return seen


def _sheet(sheet: str, board: Board, size_mm: tuple[float, float]) -> bytes:
    if sheet == "markers":
        return markers(size_mm)
    if sheet == "lens":
        return lens_sheet(size_mm)
    if sheet == "board":
        return plan(board, size_mm)
    if sheet == "gauge":
        return gauge_sheet(draw_gauge(board.line_width_mm), size_mm)
    return stencils([region.name for region in board.regions], size_mm)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as fault:
        raise BadInput(f"{path}: cannot be written ({fault.strerror}); choose another place with -o") from None
