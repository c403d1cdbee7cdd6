"""A card's own white: paper is white under any lamp and to any camera, so what tints it is taken off."""

from collections.abc import Iterable

import numpy as np

from linesies.vision.cards.learn.align import PRINT
from linesies.vision.cards.learn.flat import Floats, halved

# Set by hand on drawn cards in full colour under drawn cameras (training/learned_decks.py), November 2026.
WHITEST = 0.04  # of a card's print: white rims, and the ovals and digits of cards in full colour, are more
LEAST_LEVEL = 50.0  # grey levels of a white that says anything
LEAST_EVEN = 0.4  # of the strongest channel in the weakest: less is a colour, and no light on white paper
_SURELY = PRINT > 0


def white_of(card: Floats) -> Floats | None:
    """Find the colour (3,) of the white that a card (H, W, 3, FINE or COARSE) shows; None where it shows none."""
    print_bgr = halved(card)[_SURELY]
    least = print_bgr.min(1)
    whitest = print_bgr[
        np.argpartition(least, -max(1, int(WHITEST * len(least))))[-max(1, int(WHITEST * len(least))) :]
    ]
    white = np.asarray(np.median(whitest, 0), np.float32)
    is_white = white.max() >= LEAST_LEVEL and white.min() >= LEAST_EVEN * white.max()
    return white if is_white else None


def untinted(cards: Iterable[Floats]) -> list[Floats]:
    """Tell by what each card's colours (3,) are to be multiplied to be seen in white light, as bright as they are.

    Cards that show no white are taken to lie in the same light as most of the others.
    """
    whites = [white_of(card) for card in cards]
    gains = [None if white is None else white.mean() / white for white in whites]
    known = [gain for gain in gains if gain is not None]
    usual = np.median(known, 0).astype(np.float32) if known else np.ones(3, np.float32)
    return [usual if gain is None else gain for gain in gains]
