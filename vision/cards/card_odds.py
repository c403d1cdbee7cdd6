"""Does a card lie there? How surely its outline was found and what the reader sees in it, weighed together."""

from dataclasses import dataclass

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import Outline, Reading
from linesies.vision.cards.find.candidate import CANDIDATES
from linesies.vision.cards.find.trust import log_odds

FITTED = "training/card_odds.py, on 10 scenes of each of 13 worlds, seed 89700, and on 89800, 2026-11-30"


@dataclass(frozen=True)
class CardOdds(Tuning):
    """The weights of a logistic curve."""

    constant: float = tuned(
        -0.82, title="log odds of a card that nothing speaks for or against", unit="nat", low=-9, high=9, source=FITTED
    )
    found: float = tuned(0.66, title="share of the log odds of its outline", unit="1", low=0, high=5, source=FITTED)
    seen: float = tuned(
        0.61, title="share of the log odds of what the reader sees in it", unit="1", low=0, high=5, source=FITTED
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
