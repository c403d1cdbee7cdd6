"""Skull at the table: cards placed face down, turned over by the challenger, and looked at by their owners."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.table.accounting import Act
from linesies.vision.cards.table.arms import Shoulders
from linesies.vision.cards.table.finding import WHY, PlaceFinding
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.teller import Public
from linesies.vision.cards.table.told import TableEvent

Array = NDArray[np.float64]


class SkullTeller:
    """Remembers, player by player, how many cards were told as placed and then taken up again."""

    def __init__(self, shoulders: Shoulders) -> None:
        self._shoulders = shoulders
        self._due: str | None = None
        self._piles: dict[str, int] = {}  # face down, as the rules have it
        self._in_hand: dict[str, int] = {}  # placed, and taken up since
        self._is_revealing = False  # cards are turned over; then they are gathered up

    def expect(self, due: str | None, public: Public | None) -> None:
        """Hear who is due and how many cards the rules hold to lie in each pile; none lie there in a new round."""
        self._due = due
        players = [] if public is None else public["players"]
        self._piles = {player["name"]: player["pile"].count(None) for player in players}
        for name, count in self._piles.items():
            if count == 0:
                self._in_hand.pop(name, None)

    def has_backs(self, _spot: str) -> bool:
        """Tell that cards may lie face down anywhere."""
        return True

    def tell(self, finding: PlaceFinding) -> list[TableEvent]:
        """Tell cards placed, turned over, or taken; one that was looked at, straightened or put back is no event.

        Nor is what is done where nobody sits, or sits any more.
        """
        owner = finding.owner
        if owner is None or owner not in self._shoulders:
            return []
        taken = finding.done("taken")
        laid = [act for act in finding.done("laid") if act.card.reading.face == "down"]
        down = _down([act.card for act in taken])
        missing = 0 if self._is_revealing else self._piles.get(owner, 0) - _down(finding.lying)  # as the rules have it
        self._in_hand[owner] = self._in_hand.get(owner, 0) + max(min(down, missing), 0)
        told = finding.taken(taken)
        for act in laid:
            if self._in_hand[owner]:
                self._in_hand[owner] -= 1
            else:
                told.append(self._placed(finding, owner, act))
                self._is_revealing = False
        self._is_revealing |= bool(finding.done("turned"))
        return told + [self._flip(finding, owner, act) for act in finding.done("turned")]

    def settle(self, _until_s: float) -> list[TableEvent]:
        """Tell nothing more: nothing is held back."""
        return []

    def _placed(self, finding: PlaceFinding, owner: str, act: Act) -> TableEvent:
        player = finding.player(self._shoulders, act.card, owner)
        doubt = WHY[act.doubt]
        return finding.event("placed", player=owner if player == owner else None, doubt=doubt)

    def _flip(self, finding: PlaceFinding, owner: str, act: Act) -> TableEvent:
        player = finding.player(self._shoulders, act.card, self._due)
        return finding.event("flip", act.card, player=player, owner=owner)


def _down(cards: Iterable[SeenCard]) -> int:
    return sum(card.reading.face == "down" for card in cards)
