"""A card's own white: paper is white under any lamp and to any camera, so what tints it is taken off."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.learn.align import PRINT
from linesies.vision.cards.learn.flat import Floats, halved

DRAWN = "by hand, on drawn cards in full colour under drawn cameras (training/learned_decks.py), 2026-11"


@dataclass(frozen=True)
class WhiteTuning(Tuning):
    """What of a card's print is white paper."""

    whitest: float = tuned(
        0.04,
        title="of a card's print: white rims, ovals and digits are more",
        unit="1",
        low=0.005,
        high=0.5,
        source=DRAWN,
    )
    least_level: float = tuned(
        50.0, title="grey levels of a white that says anything", unit="levels", low=5, high=200, source=DRAWN
    )
    least_even: float = tuned(
        0.4,
        title="of the strongest channel in the weakest: less is a colour",
        unit="1",
        low=0.05,
        high=1,
        source=DRAWN,
    )


WHITE = WhiteTuning()

_SURELY = PRINT > 0


def white_of(card: Floats) -> Floats | None:
    """Find the colour (3,) of the white that a card (H, W, 3, FINE or COARSE) shows; None where it shows none."""
    print_bgr = halved(card)[_SURELY]
    least = print_bgr.min(1)
    whitest = print_bgr[
        np.argpartition(least, -max(1, int(WHITE.whitest * len(least))))[-max(1, int(WHITE.whitest * len(least))) :]
    ]
    white = np.asarray(np.median(whitest, 0), np.float32)
    is_white = white.max() >= WHITE.least_level and white.min() >= WHITE.least_even * white.max()
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
