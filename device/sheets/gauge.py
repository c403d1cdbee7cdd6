"""The gauge on paper: what `linesies proof` measures."""

import numpy as np
from numpy.typing import NDArray

from linesies.device.sheets.paper import Paper, Pen, Point, TextStyle
from linesies.vision import (
    CHEQUER_MM,
    CIRCLES_MM,
    DISC_RGB,
    GROUND_MM,
    GROUND_SHARE,
    OUTLINE_GREY,
    OUTLINE_MM,
    CapSeat,
    Gauge,
    bank_card_mm,
    chequers_mm,
)

INK, PAPER = 0, 255
FAINT, PLAIN = Pen(width_mm=0.25, grey=120), Pen(width_mm=0.25, grey=180)
STROKE_MM = 22.0  # of each, from where they meet: beyond where the widest cap touches


def gauge_sheet(gauge: Gauge, size_mm: tuple[float, float]) -> bytes:
    """Draw the gauge on one page, true to scale."""
    paper = Paper(size_mm, "Linesies: the gauge")
    paper.turn_page()
    at = _At(size_mm)
    corner, size = GROUND_MM
    paper.block(at(np.array(corner)), size, grey=round(255 * GROUND_SHARE))
    paper.outline([at(xy) for xy in gauge.corners_mm], Pen(width_mm=gauge.line_width_mm, grey=PAPER))
    for disc in gauge.discs:
        paper.disc(at(disc.xy_mm), disc.diameter_mm, DISC_RGB)
    for number, seat in enumerate(gauge.seats, 1):
        _seat(paper, at, seat, str(number))
    for corner in chequers_mm():
        paper.block(at(np.array(corner)), (CHEQUER_MM, CHEQUER_MM), grey=INK)
    paper.outline([at(corner) for corner in bank_card_mm()], Pen(width_mm=OUTLINE_MM, grey=OUTLINE_GREY))
    _words(paper, size_mm)
    return paper.to_pdf()


class _At:
    """Remembers where a page's middle lies."""

    def __init__(self, size_mm: tuple[float, float]) -> None:
        self._middle = np.array(size_mm) / 2

    def __call__(self, xy_mm: NDArray[np.float64]) -> Point:
        x, y = self._middle + xy_mm
        return float(x), float(y)


def _seat(paper: Paper, at: _At, seat: CapSeat, name: str) -> None:
    """Draw a nest of circles that all touch two strokes."""
    for diameter_mm in CIRCLES_MM:
        paper.circle(at(seat.middle_mm(diameter_mm)), diameter_mm, FAINT)
    for back in (seat.towards, seat.aside):
        paper.line(at(seat.corner_mm), at(seat.corner_mm - STROKE_MM * back), PLAIN)
    paper.text(
        at(seat.middle_mm(12.0) + np.array([0.0, 1.0])), name, TextStyle(capital_mm=2.5, is_centred=True, grey=120)
    )


def _words(paper: Paper, size_mm: tuple[float, float]) -> None:
    middle, foot = size_mm[0] / 2, size_mm[1] - 9.0
    paper.text(
        (middle, foot),
        "Lay it flat on the board, a bank card on its field, caps so that they just touch both strokes of their rings.",
        TextStyle(capital_mm=2.0, is_centred=True, grey=90),
    )
    paper.text((middle, foot + 4), "linesies proof", TextStyle(capital_mm=2.0, is_centred=True, grey=90))
