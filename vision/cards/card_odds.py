"""Does a card lie there? How surely its outline was found and what the reader sees in it, weighed together."""

import math
from dataclasses import dataclass

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import Outline, Reading
from linesies.vision.cards.find.candidate import CANDIDATES

FITTED = "training/card_odds.py, on 15 scenes of each of 12 worlds, seed 89100, and on 89000, 2026-11-30"
LEAST_SHARE = 0.001  # and as much from 1: more than that no net knows


@dataclass(frozen=True)
class CardOdds(Tuning):
    """The weights of a logistic curve."""

    constant: float = tuned(
        -1.28, title="log odds of a card that nothing speaks for or against", unit="nat", low=-9, high=9, source=FITTED
    )
    found: float = tuned(0.65, title="share of the log odds of its outline", unit="1", low=0, high=5, source=FITTED)
    seen: float = tuned(
        0.60, title="share of the log odds of what the reader sees in it", unit="1", low=0, high=5, source=FITTED
    )


ODDS = CardOdds()


def is_there(outline: Outline, reading: Reading) -> bool:
    """Tell whether a card is likely enough to lie there, found so surely, with what is seen in it.

    Where the reader can't tell a card from none, how surely it was found decides alone; a mere hint is none.
    """
    if outline.is_hint:
        return False
    if reading.card_share is None:
        return outline.score >= CANDIDATES.sure_enough
    odds = ODDS.constant + ODDS.found * log_odds(outline.score) + ODDS.seen * log_odds(reading.card_share)
    return odds >= log_odds(CANDIDATES.sure_enough)


def log_odds(share: float) -> float:
    """Take the log odds of a chance, within what any net knows."""
    known = min(max(share, LEAST_SHARE), 1 - LEAST_SHARE)
    return math.log(known / (1 - known))
