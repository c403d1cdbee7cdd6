"""One visit of hands to one place, once it is at rest again: what was done there, whose place it is, whose arm."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.table.accounting import Act, Doubt
from linesies.vision.cards.table.arms import Reached, Shoulders, whose
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.cards.table.told import Kind, TableEvent

Array = NDArray[np.float64]

WHY: Mapping[Doubt | None, str | None] = {
    None: None,
    "touched": "it could not be seen whether a card came to lie there or one was only touched",
    "two": "two cards may have come to lie there at once",
    "strange": "it could not be seen whether that is a card",
}


@dataclass(frozen=True)
class HandTuning(Tuning):
    """How much it takes to say whose hand it was."""

    sure: float = tuned(
        0.6,
        title="chance from which on a player is named, else people are asked",
        unit="1",
        low=0.5,
        high=1.0,
        source=BY_HAND,
    )
    sure_against: float = tuned(
        0.97,
        title="the same where the arm by itself looks rather like another's",
        unit="1",
        low=0.5,
        high=1.0,
        source=BY_HAND,
    )
    sure_of_another: float = tuned(
        0.9,
        title="the same for another than the one whose turn or place it is",
        unit="1",
        low=0.5,
        high=1.0,
        source="a flip by an arm that reached across a table of five (Skull 5203), named wrongly at 0.66",
    )
    expected: float = tuned(
        0.9,
        title="chance, before any arm is seen, that it is the one whose turn or place it is",
        unit="1",
        low=0.5,
        high=0.99,
        source=BY_HAND,
    )


HAND = HandTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceFinding:
    """What was done in one place: the acts, the arms that reached there, first motion and rest.

    `owner` is the player before whom the place lies, `number` which of that player's places it is (Skip-Bo: 0 the
    stock, 1 to 4 discard piles), `lying` what lies there now, the lowest first.
    """

    spot: str
    acts: tuple[Act, ...]
    is_bare: bool = False
    owner: str | None = None
    number: int = 0
    lying: tuple[SeenCard, ...] = ()
    arms: Reached
    t_start_s: float
    t_end_s: float

    @property
    def zone(self) -> str:
        """The zone of the table in which the place lies."""
        return self.spot if self.owner is None else ":".join(self.spot.split(":")[:2])

    def done(self, *kinds: str) -> list[Act]:
        """List the acts of these kinds."""
        return [act for act in self.acts if act.kind in kinds]

    def event(self, kind: Kind, card: SeenCard | None = None, *, doubt: str | None = None, **keys: Any) -> TableEvent:
        """Tell something of it; with a card, what that shows and where it lies."""
        shown = {} if card is None else {"card": card.reading.name}
        return TableEvent(
            kind=kind,
            zone=self.zone,
            keys={**keys, **shown},
            t_start_s=self.t_start_s,
            t_end_s=self.t_end_s,
            confidence=1.0 if card is None else card.reading.confidence,
            corners_mm=None if card is None else tuple((float(x), float(y)) for x, y in card.quad_mm),
            doubt=doubt,
        )

    def taken(self, acts: list[Act]) -> list[TableEvent]:
        """Tell that so many cards were taken away."""
        return [self.event("taken", count=len(acts))] if acts else []

    def player(self, shoulders: Shoulders, card: SeenCard, expected: str | None) -> str | None:
        """Name whose arm it was that did something with a card; None: nobody for sure, so people are asked."""
        return self.owner_of(self.arms.crossing_mm(card.quad_mm), shoulders, card.middle_mm, expected)

    def owner_of(
        self, crossing_mm: Array | None, shoulders: Shoulders, at_mm: Array, expected: str | None
    ) -> str | None:
        """Name whose arm came in at a place and reached another; None: nobody for sure, so people are asked.

        Whom the rules or the place lead one to expect counts before any arm is seen; an arm that looks rather like
        another's must speak clearly for either. Where no arm was seen, only a player's own place tells who it was.
        Who has no seat has no arm either (Graybeard): when it is his turn, another lays his cards.
        """
        if expected is not None and expected not in shoulders:
            return expected
        if crossing_mm is None:
            return expected if expected == self.owner else None
        by_arm = whose(shoulders, at_mm, crossing_mm)
        chances = by_arm
        if expected in by_arm and len(by_arm) > 1:
            others = (1 - HAND.expected) / (len(by_arm) - 1)
            chances = {name: c * (HAND.expected if name == expected else others) for name, c in by_arm.items()}
        best = max(chances, key=chances.__getitem__)
        is_agreed = by_arm[best] >= max(by_arm.values())
        if is_agreed and best == expected:
            shoulders.learn(best, at_mm, crossing_mm)
        is_another = expected in by_arm and best != expected
        sure = (HAND.sure_of_another if is_another else HAND.sure) if is_agreed else HAND.sure_against
        return best if chances[best] > sure * sum(chances.values()) else None
