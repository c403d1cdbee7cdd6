"""Is it a card at all? All backs of a deck look alike, so what lies face down and looks otherwise is no card.

A resting arm or a phone has straight sides too. Judged from the third back on: before, there is nothing to go by but
the reader, who knows other decks; where it takes something for no card that has all sides of one, people are asked.
Light differs from one end of a table to the other: a back need look but like one that lay near, and where the reader
and all its sides say that it is a card and only its look does not, people are asked too. But not by so much that a
black phone were a plain grey back.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.change import CARD_CHANGE
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.sources import BY_HAND

Array = NDArray[np.float64]
Look = Array


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
    times_as_bright: float = tuned(
        1.7,
        title="how many times as bright as another a back is at most, in stored levels, that looks like it else",
        unit="1",
        low=1.1,
        high=4,
        source="by hand: backs of one deck differ by 1.1 to 1.6 in whole games of simulated Skull (988032 in a lamp's "
        "gleam, 988034, 988044, 988048), a black phone on 988048 by 1.84 from the darkest; 2026-11-29",
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
    near_mm: float = tuned(
        150.0,
        title="so near to each other two backs lie in one light",
        unit="mm",
        low=20,
        high=1000,
        source="by hand: the width of a seat's place; a lamp at one end of simulated Skull 988032 made red backs paler",
    )


BACKS = BackTuning()
MOST_KEPT = 12
FAINT_LEVELS = 4.0  # added, so that a dark card's noise is no look
SHIFTS_PX = (-1, 0, 1)  # five millimetres: so far off may be the outline of one that lies on another laid with it


class LaidBack(NamedTuple):
    """How a card face down looked in its own light, how bright that was, and where its middle lay."""

    look: Look
    level: float
    at_mm: Array

    @classmethod
    def of(cls, card: SeenCard) -> "LaidBack":
        """Note how a card looks."""
        assert card.small is not None
        levels = card.small.astype(float) + FAINT_LEVELS
        mean = float(levels.mean())
        return cls(look=np.asarray(levels / mean, float), level=mean, at_mm=card.middle_mm)

    def is_like(self, other: "LaidBack") -> bool:
        """Tell whether two may be backs of one deck."""
        is_as_bright = 1 / BACKS.times_as_bright < self.level / other.level < BACKS.times_as_bright
        return is_as_bright and _apart(self.look, other.look) < BACKS.alike


class Backs:
    """Remembers how the last cards that were laid face down looked, and apart from them what may be none."""

    def __init__(self) -> None:
        self._known: deque[LaidBack] = deque(maxlen=MOST_KEPT)
        self._strange: deque[LaidBack] = deque(maxlen=MOST_KEPT)

    def sift(self, cards: Sequence[SeenCard]) -> tuple[SeenCard, ...]:
        """Leave out what lies face down and is no card of this deck."""
        return tuple(card for card in cards if self._may_be_card(card))

    def is_strange(self, card: SeenCard) -> bool:
        """Tell whether the reader or the known backs take it for no card, and too little is known to rely on that."""
        if card.reading.face == "up" or card.small is None:
            return False
        if len(self._known) >= BACKS.known:
            return not self._looks_known(card)
        return not card.reading.is_card and len(_alike(card, self._strange)) < BACKS.known

    def learn(self, cards: Sequence[SeenCard]) -> None:
        """Remember cards that came to lie face down; what the reader takes for none says nothing of those that are."""
        for card in cards:
            if card.reading.face == "down" and card.small is not None:
                known = self._known if card.reading.is_card else self._strange
                known.append(LaidBack.of(card))

    def _may_be_card(self, card: SeenCard) -> bool:
        if card.reading.face == "up" or card.small is None:
            return card.reading.is_card
        has_all_sides = card.sides >= CARD_CHANGE.sure_sides
        if len(self._known) < BACKS.known:
            return card.reading.is_card or has_all_sides
        return self._looks_known(card) or (card.reading.is_card and has_all_sides)

    def _looks_known(self, card: SeenCard) -> bool:
        """Tell whether it looks like enough of the known backs, or like one that lay near and so in its light."""
        alike = _alike(card, self._known)
        has_near = any(np.hypot(*(one.at_mm - card.middle_mm)) < BACKS.near_mm for one in alike)
        return has_near or len(alike) >= BACKS.share * len(self._known)


def _alike(card: SeenCard, known: Iterable[LaidBack]) -> list[LaidBack]:
    seen = LaidBack.of(card)
    return [one for one in known if seen.is_like(one)]


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
