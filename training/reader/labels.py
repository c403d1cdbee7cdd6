"""What the readers are asked: a glyph, a suit, a side; and when a covered corner has no answer."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.decks import IndexBox
from linesies.vision.cards.read import glyphs

Box = tuple[float, float, float, float]  # left, top, right, bottom in millimetres

IGNORED = -1
SIDES = ("up", "down", "neither")


def name_label(rank: str, suit: str) -> tuple[int, int]:
    """Say how the nets number a glyph and a suit."""
    return glyphs.GLYPHS.index(rank), glyphs.SUITS.index(suit)


def seen_share(seen: NDArray[np.float32], box_mm: Box, px_per_mm: float) -> float:
    """Tell how much of a box is seen; `seen` is 1 where the card itself is, on a part of the card laid flat."""
    x0, y0, x1, y1 = (round(v * px_per_mm) for v in box_mm)
    part = seen[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    return float(part.sum()) / max((x1 - x0) * (y1 - y0), 1)


def corner_label(name: tuple[int, int], share_rank: float, share_suit: float) -> tuple[int, int]:
    """Say what an index crop shows: half a rank is nothing to learn from, none of it is `none`."""
    glyph = name[0] if share_rank > 0.8 else glyphs.NONE_GLYPH if share_rank < 0.4 else IGNORED
    suit = name[1] if share_suit > 0.7 else glyphs.NONE_SUIT if max(share_suit, share_rank) < 0.3 else IGNORED
    return glyph, suit


def moved_box(box: IndexBox, matrix: NDArray[np.float64]) -> IndexBox:
    """Tell where an index lies on a card that was laid flat by a wrong outline."""
    suit_mm = None if box.suit_mm is None else _moved(box.suit_mm, matrix)
    return IndexBox(rank_mm=_moved(box.rank_mm, matrix), suit_mm=suit_mm, is_turned=box.is_turned)


def _moved(box_mm: Box, matrix: NDArray[np.float64]) -> Box:
    corners = np.array(box_mm)[[[0, 1], [2, 1], [2, 3], [0, 3]]]
    at = cv2.perspectiveTransform(corners[None], matrix)[0]
    return (*at.min(0).tolist(), *at.max(0).tolist())


def turned_box(box: IndexBox, size_mm: tuple[float, float]) -> IndexBox:
    """Turn an index's place upside down with its card."""

    def flip(box_mm: Box) -> Box:
        left, top, right, bottom = box_mm
        return size_mm[0] - right, size_mm[1] - bottom, size_mm[0] - left, size_mm[1] - top

    return IndexBox(
        rank_mm=flip(box.rank_mm),
        suit_mm=None if box.suit_mm is None else flip(box.suit_mm),
        is_turned=not box.is_turned,
    )
