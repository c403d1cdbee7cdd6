"""What our judge of cards is held against: the approach of tutorials.

Contours of four corners are taken for cards and laid flat; of the corner's index the two largest shapes are
compared with templates of ranks and suits.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision import Image

Array = NDArray[np.float64]
Named = tuple[Array, str | None]  # corners (4, 2), and what the card shows
Way = Callable[[Image], list[Named]]

SIDES, GLYPHS = 4, 2
FLAT_PX = (200, 300)
INDEX_PX = (40, 92)  # of a card laid flat: where its rank stands over its suit
GLYPH_PX = (40, 60)
LEAST_AREA = 0.001  # of the picture
MOST_UNLIKE = 0.25  # of a glyph's pixels: beyond that, it is refused
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("H", "D", "S", "C")


def plain() -> Way:
    """Make the approach of tutorials ready: quadrilaterals, and templates for their corners."""
    ranks, suits = {rank: _rank(rank) for rank in RANKS}, {suit: _suit(suit) for suit in SUITS}

    def way(picture: Image) -> list[Named]:
        grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5), 0)
        edges = cv2.dilate(cv2.Canny(grey, 50, 150), None)
        contours = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
        quads = (cv2.approxPolyDP(c, 0.02 * cv2.arcLength(c, closed=True), closed=True) for c in contours)
        return [
            (corners, _named(grey, corners, ranks, suits))
            for corners in (_turned(quad[:, 0].astype(float)) for quad in quads if len(quad) == SIDES)
            if cv2.contourArea(corners.astype(np.float32)) > LEAST_AREA * grey.size
        ]

    return way


def _turned(quad: Array) -> Array:
    """Order corners (4, 2) clockwise from one before a short side."""
    middle = quad - quad.mean(axis=0)
    quad = quad[np.argsort(np.arctan2(middle[:, 1], middle[:, 0]))]
    first, second = (float(np.hypot(*(quad[i] - quad[i + 1]))) for i in (0, 1))
    return quad if first < second else np.roll(quad, -1, axis=0)


def _named(grey: Image, corners: Array, ranks: dict[str, Image], suits: dict[str, Image]) -> str | None:
    width, height = FLAT_PX
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = cv2.warpPerspective(grey, cv2.getPerspectiveTransform(corners.astype(np.float32), target), FLAT_PX)
    index = cv2.resize(flat[2 : INDEX_PX[1], : INDEX_PX[0]], None, fx=4, fy=4)
    dark = cv2.threshold(index, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)[1]
    boxes = map(cv2.boundingRect, cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0])
    largest = sorted(boxes, key=lambda box: box[2] * box[3])[-GLYPHS:]
    if len(largest) < GLYPHS:
        return None
    glyphs = [_glyph(dark[y : y + h, x : x + w]) for x, y, w, h in sorted(largest, key=lambda box: box[1])]
    rank, suit = (_likest(glyph, known) for glyph, known in zip(glyphs, (ranks, suits), strict=True))
    return None if rank is None or suit is None else rank + suit


def _likest(glyph: Image, known: dict[str, Image]) -> str | None:
    unlike = {name: float(np.mean(glyph != template)) for name, template in known.items()}
    best = min(unlike, key=lambda name: unlike[name])
    return best if unlike[best] < MOST_UNLIKE else None


def _template(drawn: Image) -> Image:
    x, y, w, h = cv2.boundingRect(drawn)
    return _glyph(drawn[y : y + h, x : x + w])


def _glyph(dark: Image) -> Image:
    """Stretch what is dark to one size, black or white."""
    return np.asarray(cv2.resize(dark, GLYPH_PX, interpolation=cv2.INTER_AREA) > 127, np.uint8)


def _rank(rank: str) -> Image:
    drawn = np.zeros((140, 200), np.uint8)
    cv2.putText(drawn, rank, (20, 110), cv2.FONT_HERSHEY_DUPLEX, 3.2, 255, 11, cv2.LINE_AA)
    return _template(drawn)


def _suit(suit: str) -> Image:
    drawn = np.zeros((100, 100), np.uint8)
    heart = [(50, 98), (4, 42), (96, 42)]
    if suit == "D":
        cv2.fillConvexPoly(drawn, np.array([(50, 2), (92, 50), (50, 98), (8, 50)]), 255)
    elif suit == "C":
        for centre in ((50, 26), (26, 58), (74, 58)):
            cv2.circle(drawn, centre, 23, 255, -1)
        cv2.fillConvexPoly(drawn, np.array([(50, 45), (66, 98), (34, 98)]), 255)
    else:
        cv2.fillConvexPoly(drawn, np.array(heart), 255)
        for centre in ((28, 28), (72, 28)):
            cv2.circle(drawn, centre, 25, 255, -1)
        if suit == "S":
            drawn = np.ascontiguousarray(drawn[::-1])
            cv2.fillConvexPoly(drawn, np.array([(50, 55), (64, 98), (36, 98)]), 255)
    return _template(drawn)
