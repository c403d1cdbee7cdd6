"""The sheets that the camera reads: four markers to lay round a board, and the chessboard that tells the lens."""

import numpy as np

from linesies.calibration import MARKER_MM, MARKER_OFF_MM, SHEET_SIZE_MM, charuco_picture, marker_cells
from linesies.device.sheets.paper import EDGE_MM, RULER_MM, Paper, Pen, TextStyle

CORNERS = ("box 1", "the corner after it, clockwise", "the corner opposite box 1", "the corner before box 1")
SIDES = ((1, 1), (0, 1), (0, 0), (1, 0))  # which cut corner of each sheet touches the board: right, bottom


def markers(size_mm: tuple[float, float]) -> bytes:
    """Draw the four markers, one a page, each with the two cuts whose corner touches the board."""
    paper = Paper(size_mm, "Linesies: markers round a board")
    for number, corner in enumerate(CORNERS):
        paper.turn_page()
        _marker(paper, number, corner)
    return paper.to_pdf()


def _marker(paper: Paper, number: int, corner: str) -> None:
    width, height = paper.size_mm
    left, top = (width - MARKER_MM) / 2, (height - MARKER_MM) / 2
    _cells(paper, marker_cells(number), (left, top), MARKER_MM)
    right, bottom = SIDES[number]
    x = left + MARKER_MM + MARKER_OFF_MM if right else left - MARKER_OFF_MM
    y = top + MARKER_MM + MARKER_OFF_MM if bottom else top - MARKER_OFF_MM
    paper.line((x, EDGE_MM), (x, height - EDGE_MM), Pen(is_dashed=True, grey=90))
    paper.line((EDGE_MM, y), (width - EDGE_MM, y), Pen(is_dashed=True, grey=90))
    paper.text((EDGE_MM, EDGE_MM + 6), f"Marker {number}: {corner}", TextStyle(capital_mm=5, is_bold=True))
    for row, words in enumerate(
        (
            "Cut along both dashed lines. Lay the sheet flat outside the board,",
            "the same way up as the board, so that its cut corner just touches",
            "the outer corner of the paint from outside.",
        )
    ):
        paper.text((EDGE_MM, EDGE_MM + 14 + 6 * row), words)
    paper.ruler((EDGE_MM, EDGE_MM + 40))


def lens_sheet(size_mm: tuple[float, float]) -> bytes:
    """Draw the chessboard with markers between its squares, across the page's long side."""
    across = (max(size_mm), min(size_mm))
    paper = Paper(across, "Linesies: the sheet that tells a lens")
    paper.turn_page()
    left, top = (across[0] - SHEET_SIZE_MM[0]) / 2, EDGE_MM
    cells = charuco_picture()
    step = SHEET_SIZE_MM[0] / cells.shape[1]
    for row, column, length in _runs(cells == 0):
        paper.block((left + column * step, top + row * step), (length * step, step))
    foot = top + SHEET_SIZE_MM[1]
    paper.ruler((across[0] - EDGE_MM - RULER_MM - 10, foot + 7))
    paper.text((EDGE_MM, foot + 7), "Glue it on something flat. Ten pictures, leaning to each")
    paper.text((EDGE_MM, foot + 12), "side, near and far: linesies lens *.jpg -o lens.json")
    return paper.to_pdf()


def _cells(paper: Paper, black: np.ndarray, corner_mm: tuple[float, float], side_mm: float) -> None:
    step = side_mm / black.shape[1]
    for row, column, length in _runs(black):
        paper.block((corner_mm[0] + column * step, corner_mm[1] + row * step), (length * step, step))


def _runs(black: np.ndarray) -> list[tuple[int, int, int]]:
    """List the runs of black cells, each as row, first column and length, so that no hairline parts them."""
    runs = []
    for row, cells in enumerate(black):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
        runs += [(row, int(start), int(end - start)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return runs
