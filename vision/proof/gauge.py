"""The gauge: a printed sheet on which discs lie at known gaps to printed lines, and real caps are laid at known gaps.

Its lines, paper left white on a dark ground, bound an octagon, so that gaps are measured in eight directions: one disc
lies before each side, outside and inside by turns, and four rings outside, far enough apart for caps of any size. A
ring is a nest of circles that all touch two strokes at right angles: whatever the size of a cap, laid so that it just
touches both it lies at the ring's gap to a line, and its radius away from the other stroke, so that each cap tells of
its size twice. Beside them a chequered field waits for a bank card, by whose size it is seen at what scale the sheet
was printed. Millimetres from the middle of the sheet, x to the right, y down.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import linear
from linesies.vision.caps.cap import Cap

Array = NDArray[np.float64]

BANK_CARD_MM = (85.60, 53.98)  # ISO/IEC 7810, ID-1
BANK_CARD_TALL_MM = 0.76
SHEET_MM = (180.0, 252.0)  # what is printed on, A4 and letter alike
MIDDLE_MM = np.array([0.0, -36.0])  # of the octagon
REACH_MM = 56.0  # from there to the outer edge of its lines
CARD_MIDDLE_MM = np.array([0.0, 90.0])
FIELD_MM = (100.0, 70.0)  # what is chequered round the card
CHEQUER_MM = 10.0
OUTLINE_MM, OUTLINE_GREY = 0.4, 128  # of the card's place: its width, and its light as stored
GROUND_MM = (
    (-90.0, -126.0),
    (180.0, 178.0),
)  # corner and size of what is printed dark, as a street is, round the lines
GROUND_SHARE = 0.4  # of white, as stored
DISC_RGB = (173, 173, 173)  # between ground and white, and of no hue: colours are stored coarsely
DISCS = ((-5.0, 26.0), (4.0, 22.0), (-1.0, 26.0), (7.0, 22.0), (-3.0, 26.0), (2.0, 22.0), (10.0, 22.0), (1.0, 22.0))
SEATS = ((3.0, 1), (1.5, 3), (3.0, 5), (1.5, 7))  # gap, and before which side
ASIDE_MM = 20.0  # from the middle of a side to where the strokes before it meet
CIRCLES_MM = (20.0, 22.0, 24.0, 26.0, 28.0, 30.0, 32.0, 36.0, 40.0)  # of a nest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disc:
    """A printed disc; `towards` (2,) is the direction from its middle to the line before it."""

    xy_mm: Array
    diameter_mm: float
    gap_mm: float
    towards: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapSeat:
    """Where a cap is laid so that it touches two strokes, which meet at `corner_mm` (2,).

    `towards` (2,) leads from the first of them to the line, `gap_mm` beyond it.
    """

    corner_mm: Array
    gap_mm: float
    towards: Array

    @property
    def aside(self) -> Array:
        """The direction (2,) along the first stroke to where the second one stands."""
        return np.array([-self.towards[1], self.towards[0]])

    @property
    def sides(self) -> tuple[tuple[Array, float], ...]:
        """What bounds the cap: in which direction (2,), and at what gap from its rim."""
        return (self.towards, self.gap_mm), (self.aside, 0.0)

    def middle_mm(self, diameter_mm: float) -> Array:
        """Give the middle (2,) of a cap of that size."""
        return np.asarray(self.corner_mm - (self.towards + self.aside) * diameter_mm / 2, float)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gauge:
    """What is printed, for lines as wide as a board's paint."""

    line_width_mm: float
    discs: tuple[Disc, ...]
    seats: tuple[CapSeat, ...]

    @property
    def corners_mm(self) -> Array:
        """The octagon's corners (8, 2), in the middle of its lines."""
        apothem_mm = REACH_MM - self.line_width_mm / 2
        turns = np.pi / 4 * (np.arange(8) + 0.5)
        return np.asarray(
            MIDDLE_MM + apothem_mm / np.cos(np.pi / 8) * np.column_stack([np.cos(turns), np.sin(turns)]), float
        )

    def white_mm(self, xy_mm: Array) -> Array:
        """Tell how deep in what is left white, lines and border, points (..., 2) lie; negative outside."""
        turns = np.pi / 4 * np.arange(8)
        out_mm = ((xy_mm - MIDDLE_MM) @ np.array([np.cos(turns), np.sin(turns)])).max(axis=-1)
        in_line = np.minimum(REACH_MM - out_mm, out_mm - (REACH_MM - self.line_width_mm))
        corner, size = np.array(GROUND_MM)
        beyond_ground = np.maximum(corner - xy_mm, xy_mm - corner - size).max(axis=-1)
        return np.asarray(np.maximum(in_line, beyond_ground), float)

    def beyond_discs_mm(self, xy_mm: Array) -> Array:
        """Tell how far beyond the discs points (..., 2) lie; negative inside any."""
        away = [np.hypot(*np.moveaxis(xy_mm - one.xy_mm, -1, 0)) - one.diameter_mm / 2 for one in self.discs]
        return np.asarray(np.min(away, axis=0), float)


def draw_gauge(line_width_mm: float) -> Gauge:
    """Draw the gauge for lines of that width."""
    discs = tuple(_disc(side, line_width_mm) for side in range(len(DISCS)))
    return Gauge(line_width_mm=line_width_mm, discs=discs, seats=tuple(_seat(*seat) for seat in SEATS))


def _disc(side: int, line_width_mm: float) -> Disc:
    (gap_mm, diameter_mm), out = DISCS[side], _out(side)
    is_inside = side % 2 == 1
    away_mm = gap_mm + diameter_mm / 2
    at_mm = REACH_MM - line_width_mm - away_mm if is_inside else REACH_MM + away_mm
    towards = out if is_inside else -out
    return Disc(xy_mm=MIDDLE_MM + at_mm * out, diameter_mm=diameter_mm, gap_mm=gap_mm, towards=towards)


def _seat(gap_mm: float, side: int) -> CapSeat:
    out = _out(side)
    aside = np.array([out[1], -out[0]])
    corner_mm = MIDDLE_MM + (REACH_MM + gap_mm) * out + ASIDE_MM * aside
    return CapSeat(corner_mm=corner_mm, gap_mm=gap_mm, towards=-out)


def seated_at(gauge: Gauge, caps: Sequence[Cap], place: int) -> dict[int, Cap]:
    """Say which cap lies on which ring (its index) at a place: one ring on from place to place."""
    return {number: caps[(number - place) % len(caps)] for number in range(min(len(gauge.seats), len(caps)))}


def chequers_mm() -> list[tuple[float, float]]:
    """List the upper left corners of the black squares round and under the bank card."""
    left, top = CARD_MIDDLE_MM - np.array(FIELD_MM) / 2
    columns, rows = (round(side / CHEQUER_MM) for side in FIELD_MM)
    return [
        (float(left + column * CHEQUER_MM), float(top + row * CHEQUER_MM))
        for row in range(rows)
        for column in range(columns)
        if (row + column) % 2 == 0
    ]


def is_chequered(xy_mm: Array) -> NDArray[np.bool_]:
    """Tell which points (..., 2) lie on a black square round or under the bank card."""
    from_corner = xy_mm - (CARD_MIDDLE_MM - np.array(FIELD_MM) / 2)
    is_field = ((from_corner >= 0) & (from_corner < FIELD_MM)).all(axis=-1)
    return np.asarray(is_field & (np.floor(from_corner / CHEQUER_MM).sum(axis=-1) % 2 == 0), bool)


def bank_card_mm() -> Array:
    """Give the corners (4, 2) of the place for a bank card, clockwise."""
    width, height = BANK_CARD_MM
    return np.asarray(CARD_MIDDLE_MM + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2], float)


def darkness(away_mm: Array, step_mm: float) -> Array:
    """Tell how dark, of black, the card's field is printed at points (..., 2) so far apart, from its middle."""
    beyond_mm = (np.abs(away_mm) - np.array(BANK_CARD_MM) / 2).max(axis=-1)
    outline = np.clip((OUTLINE_MM / 2 - np.abs(beyond_mm)) / step_mm + 0.5, 0, 1)
    grey = 1 - float(linear(np.array(OUTLINE_GREY / 255)))
    return np.asarray(outline * grey + (1 - outline) * is_chequered(CARD_MIDDLE_MM + away_mm), float)


def _out(side: int) -> Array:
    """Give the direction (2,) from the octagon's middle to one of its sides."""
    turn_rad = side * np.pi / 4
    return np.array([np.cos(turn_rad), np.sin(turn_rad)])
