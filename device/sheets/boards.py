"""The board on paper: its plan with every measure, and a card mat at full size, on one large page or in tiles."""

from collections.abc import Callable

from linesies.calibration import Board
from linesies.calibration.card_mats import WON
from linesies.device.sheets.paper import EDGE_MM, Paper, Pen, Point, TextStyle

TITLE_MM = 16.0
OVERLAP_MM = 10.0  # what neighbouring tiles share, to be glued
CROP_MM = 6.0


def plan(board: Board, size_mm: tuple[float, float]) -> bytes:
    """Draw the board to a scale that fits a page, and list where the corners of each region lie."""
    paper = Paper(size_mm, f"Linesies: plan of {board.name}")
    paper.turn_page()
    width, height = board.size_mm
    paper.text(
        (EDGE_MM, EDGE_MM + 5), f"{board.name}: {width:g} x {height:g} mm", TextStyle(capital_mm=5, is_bold=True)
    )
    paper.text(
        (EDGE_MM, EDGE_MM + 12),
        f"Paint lines {board.line_width_mm:g} mm wide; these measures run to their middle, from the corner of box 1.",
    )
    room = size_mm[0] - 2 * EDGE_MM - 10
    scale = min(room / width, (size_mm[1] - 2 * EDGE_MM - 90) / height)
    above = 0.0 if board.start_line_mm is None else max(0.0, -float(board.start_line_mm[:, 1].min()))
    left, top = EDGE_MM + 10, EDGE_MM + TITLE_MM + 8 + above * scale

    def place(x_mm: float, y_mm: float) -> Point:
        return left + x_mm * scale, top + y_mm * scale

    thick = Pen(width_mm=max(board.line_width_mm * scale, 0.3))
    paper.outline([place(0, 0), place(width, 0), place(width, height), place(0, height)], thick)
    for region in board.regions:
        paper.outline([place(*point) for point in region.polygon_mm.tolist()], thick)
        x, y = place(*region.polygon_mm.mean(axis=0).tolist())
        name = _label(region.name)
        paper.text((x, y + 1.2), name, TextStyle(capital_mm=2.4, is_bold=True, is_centred=True))
    if board.start_line_mm is not None:
        start, end = (place(*point) for point in board.start_line_mm.tolist())
        paper.line(start, end, Pen(is_dashed=True))
    _measures(paper, board, place)
    _corners(paper, board, top + height * scale + 8)
    return paper.to_pdf()


def _label(zone: str) -> str:
    """Say what is printed in a zone: who sits there, or the number of a place for what is won."""
    return zone.rpartition(":")[2] if zone.startswith(WON) else zone.removeprefix("seat:")


def _measures(paper: Paper, board: Board, place: Callable[[float, float], Point]) -> None:
    """Write along the upper and the left border how far each line lies from the corner of box 1."""
    for axis in (0, 1):
        for length in sorted({round(float(point[axis]), 1) for region in board.regions for point in region.polygon_mm}):
            x, y = place(length, 0) if axis == 0 else place(0, length)
            at = (x, y - 2.5) if axis == 0 else (x - 6, y + 0.8)
            paper.text(at, f"{length:g}", TextStyle(capital_mm=1.5, is_centred=True))


def _corners(paper: Paper, board: Board, y_mm: float) -> None:
    columns, row_mm = 2, 4.0
    rows = -(-len(board.regions) // columns)
    for i, region in enumerate(board.regions):
        x = EDGE_MM + (i // rows) * (paper.size_mm[0] - 2 * EDGE_MM) / columns
        points = "  ".join(f"{x_mm:g},{y:g}" for x_mm, y in region.polygon_mm.tolist()[:4])
        paper.text((x, y_mm + (i % rows) * row_mm), f"{region.name}: {points}", TextStyle(capital_mm=1.7))


def mat(board: Board, tile_mm: tuple[float, float] | None) -> bytes:
    """Draw a card table's mat at full size: on one page of its own size, or on tiles to be glued together."""
    width, height = board.size_mm
    if tile_mm is None:
        paper = Paper((width, height), f"Linesies: mat {board.name}")
        paper.turn_page()
        _mat(paper, board, (0.0, 0.0))
        return paper.to_pdf()
    paper = Paper(tile_mm, f"Linesies: mat {board.name}")
    step = [side - 2 * EDGE_MM - OVERLAP_MM for side in tile_mm]
    across, down = (
        max(1, -(-int(whole - OVERLAP_MM) // int(part))) for whole, part in zip((width, height), step, strict=True)
    )
    for row in range(down):
        for column in range(across):
            paper.turn_page()
            _mat(paper, board, (EDGE_MM - column * step[0], EDGE_MM - row * step[1]))
            _crop_marks(paper, f"row {row + 1} of {down}, column {column + 1} of {across}")
    return paper.to_pdf()


def _mat(paper: Paper, board: Board, corner_mm: Point) -> None:
    x0, y0 = corner_mm
    width, height = board.size_mm
    hair = Pen(width_mm=0.4)
    paper.outline([(x0, y0), (x0 + width, y0), (x0 + width, y0 + height), (x0, y0 + height)], hair)
    for region in board.regions:
        points = [(x0 + x, y0 + y) for x, y in region.polygon_mm.tolist()]
        paper.outline(points, Pen(width_mm=board.line_width_mm))
        centre = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
        name = _label(region.name)
        paper.text((centre[0], centre[1] + 3), name, TextStyle(capital_mm=6, is_centred=True, grey=150))


def _crop_marks(paper: Paper, words: str) -> None:
    width, height = paper.size_mm
    paper.text(
        (EDGE_MM, height - EDGE_MM / 3), f"{words}; glue so that the marks of neighbours meet", TextStyle(capital_mm=2)
    )
    for x in (EDGE_MM, width - EDGE_MM - OVERLAP_MM, width - EDGE_MM):
        for y in (EDGE_MM, height - EDGE_MM - OVERLAP_MM, height - EDGE_MM):
            paper.line((x - CROP_MM / 2, y), (x + CROP_MM / 2, y), Pen(width_mm=0.15))
            paper.line((x, y - CROP_MM / 2), (x, y + CROP_MM / 2), Pen(width_mm=0.15))
