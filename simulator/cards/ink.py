"""Drawing on a card: text, suit pips and emblems in millimetres, the same from either end."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
Place = tuple[float, float]  # mm from the top-left corner

PX_PER_MM = 8
WIDE_MM, TALL_MM = CARD_MM
SHIFT = 4


def blank(paper: Colour) -> Image:
    """Take an empty card of that paper."""
    return np.full((round(TALL_MM * PX_PER_MM), round(WIDE_MM * PX_PER_MM), 3), paper, np.uint8)


def write(  # noqa: PLR0913 - a text has that many properties
    card: Image, text: str, at: Place, tall_mm: float, ink: Colour, *, font: int, bold: float = 0.14
) -> None:
    """Write centred text, `bold` the stroke's width of its height."""
    size, thick = tall_mm * PX_PER_MM / 22.0, max(round(tall_mm * PX_PER_MM * bold), 1)
    (wide, high), _ = cv2.getTextSize(text, font, size, thick)
    most = 0.94 * WIDE_MM * PX_PER_MM
    if wide > most:
        size, wide, high = size * most / wide, most, high * most / wide
    x, y = at[0] * PX_PER_MM - wide / 2, at[1] * PX_PER_MM + high / 2
    cv2.putText(card, text, (round(x), round(y)), font, size, ink, thick, cv2.LINE_AA)


def fill(card: Image, outline: NDArray[np.float64], at: Place, tall_mm: float, ink: Colour) -> None:
    """Fill an outline (N, 2), drawn in a unit square about (0, 0), as tall as asked."""
    points = (outline * tall_mm + np.array(at)) * PX_PER_MM - 0.5
    cv2.fillPoly(card, [np.rint(points * 2**SHIFT).astype(np.int32)], ink, cv2.LINE_AA, SHIFT)


def frame(card: Image, inset_mm: float, wide_mm: float, ink: Colour) -> None:
    """Draw a rectangle's outline within the card's edge."""
    low = round(inset_mm * PX_PER_MM)
    high = (card.shape[1] - 1 - low, card.shape[0] - 1 - low)
    cv2.rectangle(card, (low, low), high, ink, max(round(wide_mm * PX_PER_MM), 1), cv2.LINE_AA)


def from_both_ends(card: Image, paper: Colour) -> Image:
    """Add to a card what stands on it, upside down."""
    turned = card[::-1, ::-1]
    is_free = (card == np.array(paper, np.uint8)).all(axis=2, keepdims=True)
    return np.where(is_free, turned, card)


def circle(
    x: float = 0.0, y: float = 0.0, radius: float = 0.5, start: float = 0.0, end: float = 360.0
) -> NDArray[np.float64]:
    """Outline a circle, or a piece of pie's rim."""
    turn = np.radians(np.linspace(start, end, 48))
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])


def star(points: int, inner: float) -> NDArray[np.float64]:
    """Outline a star."""
    turn = np.pi * np.arange(2 * points) / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2, inner, 0.5)
    return np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])


def _heart() -> NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 80)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.column_stack([x, y - 2.5]) / 31.0


# as pips look, by eye; a pip's height is 1
_STEM = np.array([(0.0, -0.05), (0.16, 0.5), (-0.16, 0.5)])
_SPADE = _heart() * [0.95, -0.85] - [0.0, 0.08]  # a heart turned over, and its stem
PIPS: dict[str, list[NDArray[np.float64]]] = {
    "H": [_heart()],
    "D": [np.array([(0, -0.52), (0.38, 0), (0, 0.52), (-0.38, 0)])],
    "S": [_SPADE, _STEM],
    "C": [circle(0, -0.24, 0.23), circle(-0.24, 0.1, 0.23), circle(0.24, 0.1, 0.23), circle(0, 0, 0.12), _STEM],
}


def pip(card: Image, suit: str, at: Place, tall_mm: float, ink: Colour, *, is_turned: bool = False) -> None:
    """Draw one suit's sign."""
    for outline in PIPS[suit]:
        fill(card, -outline if is_turned else outline, at, tall_mm, ink)
