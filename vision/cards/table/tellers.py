"""How each game tells what cards did: the same changes on the table mean other things in other games."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.table.arms import whose
from linesies.vision.cards.table.piles import Difference
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.told import TableEvent

Array = NDArray[np.float64]

SURE_PLAYER = 0.6  # else nobody is named
DUE_CHANCE = 0.9  # that the one who is due plays, before anything is seen
LATELY_S = 2.0  # what left a pile so shortly before is what was laid, however it was read
WILD = "SB"  # alone may lie on a building pile again: squarely on its like, it looks as that did
MEMORY_S = 6.0  # a card taken from one place is laid in another within this


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """One place at rest again, and not as it was: cards seen anew, where the arm came in, first motion and rest."""

    spot: str
    difference: Difference
    cards: tuple[SeenCard, ...]
    crossing_mm: Array | None
    t_start_s: float
    t_end_s: float

    def event(self, kind: Any, zone: str, card: SeenCard | None = None, **keys: Any) -> TableEvent:
        """Tell something of it."""
        event = TableEvent(kind=kind, zone=zone, keys=keys, t_start_s=self.t_start_s, t_end_s=self.t_end_s)
        if card is None:
            return event
        return replace(
            event,
            keys={**keys, "card": card.reading.name},
            confidence=card.reading.confidence,
            corners_mm=tuple((float(x), float(y)) for x, y in card.quad_mm),
        )


class Teller(Protocol):
    """What a game makes of findings."""

    due: str | None

    def tell(self, finding: Finding) -> list[TableEvent]:
        """Tell what a finding means; may hold it back for others to come."""
        ...

    def settle(self) -> list[TableEvent]:
        """Tell what was held back: the whole table is at rest."""
        ...


class SkullTeller:
    """Remembers, zone by zone, how many cards lie face down and which lie face up."""

    def __init__(self, shoulders: Mapping[str, Array]) -> None:
        self.due: str | None = None
        self._shoulders = shoulders
        self._down: dict[str, int] = {}
        self._up: dict[str, list[SeenCard]] = {}

    def tell(self, finding: Finding) -> list[TableEvent]:
        """Tell cards placed, turned over beside their pile, or taken."""
        zone, owner = finding.spot, finding.spot.removeprefix("seat:")
        down, up = self._down.get(zone, 0), self._up.setdefault(zone, [])
        if finding.difference.is_bare or finding.difference.removed:
            count = down + len(up) if finding.difference.is_bare else finding.difference.removed
            self._down[zone] = 0 if finding.difference.is_bare else max(down - count, 0)
            if finding.difference.is_bare:
                up.clear()
            return [finding.event("taken", zone, count=count)] if count else []
        shown = [card for card in finding.cards if card.reading.face == "up" and not _is_known(card, up)]
        if not shown and all(card.reading.face == "up" for card in finding.cards):
            return []  # an open card was nudged
        if not shown:
            self._down[zone] = down + 1
            return [finding.event("placed", zone, player=owner)]
        up += shown
        self._down[zone] = max(down - len(shown), 0)
        return [finding.event("flip", zone, card, player=self.due, owner=owner) for card in shown]

    def settle(self) -> list[TableEvent]:
        """Tell nothing more: nothing is held back."""
        return []


class TrickTeller:
    """Remembers which cards lie in the trick and who played last."""

    def __init__(self, shoulders: Mapping[str, Array]) -> None:
        self.due: str | None = None
        self._shoulders = shoulders
        self._trick: list[SeenCard] = []
        self._last: str | None = None

    def tell(self, finding: Finding) -> list[TableEvent]:
        """Tell cards played to the trick, or the trick taken."""
        if finding.spot != "trick":
            return []
        if finding.difference.is_bare or finding.difference.removed:
            count = len(self._trick) if finding.difference.is_bare else finding.difference.removed
            del self._trick[len(self._trick) - count :]
            self._last = None
            return [finding.event("taken", "trick", count=count)] if count else []
        played = [card for card in finding.cards if card.reading.face == "up" and not _is_known(card, self._trick)]
        return [self._play(finding, card) for card in played]

    def settle(self) -> list[TableEvent]:
        """Tell nothing more: nothing is held back."""
        return []

    def _play(self, finding: Finding, card: SeenCard) -> TableEvent:
        player = likely_player(self._shoulders, finding, card.middle_mm, self.due or self._next())
        self._trick.append(card)
        self._last = player
        return finding.event("play", "trick", card, player=player)

    def _next(self) -> str | None:
        """Tell who follows the last player, clockwise."""
        names = list(self._shoulders)
        return None if self._last is None else names[(names.index(self._last) + 1) % len(names)]


def likely_player(shoulders: Mapping[str, Array], finding: Finding, card_mm: Array, due: str | None) -> str | None:
    """Name whose arm it was; who is due counts before any arm is seen. None: nobody for sure.

    Who has no seat has no arm either: another lays his cards, when it is his turn.
    """
    if due is not None and due not in shoulders:
        return due
    chances = whose(shoulders, card_mm, finding.crossing_mm)
    if due in chances and len(chances) > 1:
        others = (1 - DUE_CHANCE) / (len(chances) - 1)
        chances = {player: chance * (DUE_CHANCE if player == due else others) for player, chance in chances.items()}
    best = max(chances, key=chances.__getitem__)
    return best if chances[best] > SURE_PLAYER * sum(chances.values()) else None


def _is_known(card: SeenCard, known: list[SeenCard]) -> bool:
    """Tell whether a card lay there before and was only nudged."""
    return any(card.reading.name == other.reading.name and card.is_where(other.quad_mm) for other in known)


@dataclass(slots=True, kw_only=True)
class _Gone:
    """A card that was taken from the top of a player's pile; `number` 0 is the stock."""

    player: str
    number: int
    name: str | None
    t_s: float


@dataclass(slots=True, kw_only=True)
class _Held:
    """A card laid on a building pile, not told yet: where it came from may still show."""

    finding: Finding
    card: SeenCard


@dataclass(slots=True, kw_only=True)
class SkipBoTeller:
    """Remembers the cards on every pile, those just taken from one, and those laid on building piles meanwhile."""

    shoulders: Mapping[str, Array]
    due: str | None = None
    _piles: dict[str, list[SeenCard]] = field(default_factory=dict)
    _gone: list[_Gone] = field(default_factory=list)
    _held: list[_Held] = field(default_factory=list)

    def tell(self, finding: Finding) -> list[TableEvent]:
        """Tell discards and piles taken at once; plays wait until it is seen which pile they came from."""
        kind, _, rest = finding.spot.partition(":")
        pile = self._piles.setdefault(finding.spot, [])
        laid = [card for card in finding.cards[:1] if card.reading.face == "up"]  # also square on its like
        if kind == "seat":
            player, _, number = rest.rpartition(":")
            return self._at_seat(finding, player, int(number), laid)
        if not kind.startswith("pile"):
            return []
        if finding.difference.is_bare:
            count = len(pile)
            pile.clear()
            return [finding.event("taken", finding.spot, count=count)] if count else []
        below = pile[-1 - finding.difference.removed :][:1]  # it looks as if the cards on this one were gone
        if finding.difference.removed:
            laid = [card for card in below if card.reading.name == WILD]
            if not laid:
                del pile[len(pile) - finding.difference.removed :]
        pile += laid
        self._held += [_Held(finding=finding, card=card) for card in laid]
        return []

    def settle(self) -> list[TableEvent]:
        """Tell the plays held back, each with the pile that its card came from, else from the hand."""
        told = [self._play(held) for held in self._held]
        self._held.clear()
        return told

    def _at_seat(self, finding: Finding, player: str, number: int, laid: list[SeenCard]) -> list[TableEvent]:
        pile = self._piles[finding.spot]
        is_below = len(pile) > 1 and bool(laid) and laid[0].is_exactly(pile[-2])  # what lay under the top
        is_gone = finding.difference.is_bare or finding.difference.removed or is_below or (number == 0 and not laid)
        if is_gone and pile:
            if len(pile) > 1 and finding.difference.is_bare:
                count = len(pile)
                pile.clear()
                return [finding.event("taken", f"seat:{player}", count=count)]
            self._gone.append(_Gone(player=player, number=number, name=pile.pop().reading.name, t_s=finding.t_end_s))
            return []
        if number == 0:
            pile[:] = laid
            return []
        pile += laid
        return [finding.event("discard", f"seat:{player}", card, player=player, pile=number) for card in laid]

    def _play(self, held: _Held) -> TableEvent:
        finding, card = held.finding, held.card
        self._gone = [gone for gone in self._gone if abs(finding.t_end_s - gone.t_s) < MEMORY_S]
        named = (gone for gone in self._gone if gone.name == card.reading.name)
        lately = (gone for gone in self._gone if abs(finding.t_end_s - gone.t_s) < LATELY_S)  # whatever was read there
        source = next(named, None) or next(lately, None)
        number = int(finding.spot.removeprefix("pile"))
        player = self.due or likely_player(self.shoulders, finding, card.middle_mm, None)
        keys: dict[str, Any] = {"player": player, "from": "hand"}
        if source is not None:
            self._gone.remove(source)
            keys["from"] = "discard" if source.number else "stock"
            keys |= {"n": source.number} if source.number else {}
            keys |= {"owner": source.player} if source.player != player else {}
        return finding.event("play", finding.spot, card, **keys, pile=number)
