"""The moment of a simulated card game: what lies on the table and what hands hold, and what has truly happened."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.faces import Texture
from linesies.simulator.cards.glass import Glass
from linesies.simulator.cards.paper import THICK_MM, CardSheet, Lie
from linesies.simulator.cards.stage import FPS, TableStage
from linesies.simulator.street.hand import Hand
from linesies.vision import CARD_MM

Array = NDArray[np.float64]
Truth = dict[str, Any]

CORNER_MM = 3.5  # of a card, as most are cut
PHONE = "phone"  # no card, but people put it on the table too
PHONE_MM = (72.0, 150.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lying:
    """One card on the table: its number, what it is, the zone it lies in, which side is up, and how it lies."""

    number: int
    name: str
    zone: str
    is_up: bool
    lie: Lie


class TableWorld:
    """Remembers the cards on the table (lowest first), those in hands, the hands, the frame's number and the truth."""

    def __init__(self, stage: TableStage) -> None:
        self.stage = stage
        self.cards: dict[int, Lying] = {}
        self.held: list[tuple[CardSheet, Lie]] = []
        self.hands: dict[str, Hand] = {}
        self.die: Thrown | None = None  # at rest on the table
        self.glass: Glass | None = None  # likewise
        self.truth: list[Truth] = []
        self.frame = 0
        self._numbers = 0

    @property
    def t_s(self) -> float:
        """The time of the frame that shows this moment."""
        return self.frame / FPS

    def tick(self) -> None:
        """Let a frame's time pass."""
        self.frame += 1

    def sheet(self, name: str, *, is_up: bool) -> CardSheet:
        """Give a card as a sheet whose upper side is its face, or its back."""
        if name == PHONE:
            return plain_sheet(_GLASS, PHONE_MM)
        deck = self.stage.deck
        face, back = deck.texture(name), deck.texture(None)
        up, down = (face, back) if is_up else (back, face)
        return CardSheet(up=up, down=down, size_mm=CARD_MM, radius_mm=CORNER_MM, gloss=deck.gloss)

    def put(self, name: str, zone: str, lie: Lie, *, is_up: bool) -> Lying:
        """Lay a card down on whatever lies there."""
        under = sum(np.hypot(*(card.lie.xy_mm - lie.xy_mm)) < min(CARD_MM) for card in self.cards.values())
        lie = replace(lie, lift_mm=THICK_MM * (1 + under), tilt_rad=0.0)
        self._numbers += 1
        card = Lying(number=self._numbers, name=name, zone=zone, is_up=is_up, lie=lie)
        self.cards[card.number] = card
        return card

    def take(self, number: int) -> Lying:
        """Take a card off the table."""
        return self.cards.pop(number)

    def in_zone(self, zone: str) -> list[Lying]:
        """List what lies in a zone, lowest first."""
        return [card for card in self.cards.values() if card.zone == zone]

    def middle_mm(self, zone: str) -> Array:
        """Give a zone's middle."""
        region = self.stage.board.region(zone)
        assert region is not None
        return np.asarray(region.polygon_mm.mean(axis=0), float)

    def towards_mm(self, player: str) -> Array:
        """Give where a player's shoulder is: behind the zone, away from the table's middle."""
        seat, width = self.middle_mm(f"seat:{player}"), self.stage.board.size_mm[0]
        away = seat - np.array(self.stage.board.size_mm) / 2
        return seat + np.array([0.35 * away[0], np.sign(away[1]) * (450.0 + 0.2 * width)])


_GLASS: Texture = np.full((600, 288, 3), 0.03, np.float32)  # linear: nearly black


def plain_sheet(texture: Texture, size_mm: tuple[float, float]) -> CardSheet:
    """Make a matt sheet that shows the same on both sides."""
    return CardSheet(up=texture, down=texture, size_mm=size_mm, radius_mm=2.0, gloss=0.0)
