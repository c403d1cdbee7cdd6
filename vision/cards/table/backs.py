"""Is it a card at all? All backs of a deck look alike, so what lies face down and looks otherwise is no card.

A resting arm or a phone has straight sides too. Judged from the third back on: before, there is nothing to go by but
the reader, who knows other decks; where it takes something for no card that has all sides of one, people are asked.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.change import CARD_CHANGE
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.sources import BY_HAND

Look = NDArray[np.float64]


@dataclass(frozen=True)
class BackTuning(Tuning):
    """When a card face down looks like the other backs."""

    alike: float = tuned(
        0.22,
        title="mean difference of two backs, each in its own light, relative to its mean level",
        unit="1",
        low=0.02,
        high=1.0,
        source=BY_HAND,
    )
    known: int = tuned(3, title="backs seen before one is judged", unit="1", low=1, high=20, source=BY_HAND)
    share: float = tuned(
        0.34,
        title="share of the known backs that one must look like",
        unit="1",
        low=0.05,
        high=1.0,
        source=BY_HAND,
    )


BACKS = BackTuning()
MOST_KEPT = 12
FAINT_LEVELS = 4.0  # added, so that a dark card's noise is no look
SHIFTS_PX = (-1, 0, 1)  # five millimetres: so far off may be the outline of one that lies on another laid with it


class Backs:
    """Remembers how the last cards that were laid face down looked, and apart from them what may be none."""

    def __init__(self) -> None:
        self._known: deque[Look] = deque(maxlen=MOST_KEPT)
        self._strange: deque[Look] = deque(maxlen=MOST_KEPT)

    def sift(self, cards: Sequence[SeenCard]) -> tuple[SeenCard, ...]:
        """Leave out what lies face down and is no card of this deck."""
        return tuple(card for card in cards if self._may_be_card(card))

    def is_strange(self, card: SeenCard) -> bool:
        """Tell whether the reader takes it for no card, and too few backs are known that it could be like."""
        if card.reading.is_card or card.small is None or len(self._known) >= BACKS.known:
            return False
        return _count_alike(_in_own_light(card), self._strange) < BACKS.known

    def learn(self, cards: Sequence[SeenCard]) -> None:
        """Remember cards that came to lie face down; what the reader takes for none says nothing of those that are."""
        for card in cards:
            if card.reading.face == "down" and card.small is not None:
                known = self._known if card.reading.is_card else self._strange
                known.append(_in_own_light(card))

    def _may_be_card(self, card: SeenCard) -> bool:
        if card.reading.face == "up" or card.small is None:
            return card.reading.is_card
        if len(self._known) < BACKS.known:
            return card.reading.is_card or card.sides >= CARD_CHANGE.sure_sides
        return _count_alike(_in_own_light(card), self._known) >= BACKS.share * len(self._known)


def _count_alike(look: Look, known: Iterable[Look]) -> int:
    return sum(_apart(look, one) < BACKS.alike for one in known)


def _in_own_light(card: SeenCard) -> Look:
    assert card.small is not None
    look = card.small.astype(float) + FAINT_LEVELS
    return np.asarray(look / look.mean(), float)


def _apart(look: Look, other: Look) -> float:
    """Tell how far two looks differ, laid on each other as well as they fit; a back looks the same upside down."""
    turns = (look, look[::-1, ::-1])
    steps = list(product(SHIFTS_PX, SHIFTS_PX))
    return min(_difference(turned, other, *step) for turned in turns for step in steps)


def _difference(look: Look, other: Look, down: int, right: int) -> float:
    """Compare one look, moved by so many pixels, with what it then lies on of the other."""
    height, width = look.shape[:2]
    moved = look[max(-down, 0) : height - max(down, 0), max(-right, 0) : width - max(right, 0)]
    under = other[max(down, 0) : height - max(-down, 0), max(right, 0) : width - max(-right, 0)]
    return float(np.abs(moved - under).mean())
