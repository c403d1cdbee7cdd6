"""Skull King at the table: cards played to the trick, and the trick taken."""

import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.table.accounting import Act
from linesies.vision.cards.table.arms import Shoulders
from linesies.vision.cards.table.finding import WHY, PlaceFinding
from linesies.vision.cards.table.teller import Public
from linesies.vision.cards.table.told import TableEvent

Array = NDArray[np.float64]


class TrickTeller:
    """Remembers who played last, and which cards of this trick somebody has taken up again."""

    def __init__(self, shoulders: Shoulders) -> None:
        self._shoulders = shoulders
        self._due: str | None = None
        self._table: list[str] | None = None  # the trick as the rules have it
        self._last: str | None = None
        self._in_hand: list[str | None] = []

    def expect(self, due: str | None, public: Public | None) -> None:
        """Hear who is due and which cards the rules hold to lie in the trick."""
        self._due = due
        if public is not None:
            self._table = [played["card"] for played in public["table"]]
            self._in_hand = [name for name in self._in_hand if name in self._table]

    def has_backs(self, _spot: str) -> bool:
        """Tell that cards may lie face down anywhere."""
        return True

    def tell(self, finding: PlaceFinding) -> list[TableEvent]:
        """Tell cards played to the trick, or the trick taken; one put back where it had been played is no event."""
        if finding.spot != "trick":
            return []
        taken = finding.done("taken")
        for act in taken:
            self._take_up(act.card.reading.name, finding)
        if finding.is_bare:
            self._last = None
        told = finding.taken(taken)
        for act in finding.done("laid", "turned"):
            name = act.card.reading.name
            if act.card.reading.face != "up":
                continue
            if name is not None and name in self._in_hand:
                self._in_hand.remove(name)
            else:
                told.append(self._play(finding, act))
        return told

    def settle(self, _until_s: float) -> list[TableEvent]:
        """Tell nothing more: nothing is held back."""
        return []

    def _take_up(self, name: str | None, finding: PlaceFinding) -> None:
        """Hold in mind that a card of the trick is in somebody's hand, unless as many like it lie there still."""
        lying = [card.reading.name for card in finding.lying].count(name)
        if name is not None and lying + self._in_hand.count(name) < (self._table or []).count(name):
            self._in_hand.append(name)

    def _play(self, finding: PlaceFinding, act: Act) -> TableEvent:
        player = finding.player(self._shoulders, act.card, self._due or self._next())
        self._last = player
        is_odd = self._table is not None and (player != self._due or len(finding.lying) > len(self._table) + 1)
        is_odd = is_odd or act.is_exactly  # cards of a trick are thrown down: none comes to lie just as another does
        return finding.event("play", act.card, player=player, doubt=WHY[act.doubt_where(is_odd=is_odd)])

    def _next(self) -> str | None:
        """Tell who follows the last player, clockwise."""
        names = list(self._shoulders)
        return None if self._last not in names else names[(names.index(self._last) + 1) % len(names)]
