"""Agreement: what players want that they may not do alone, and who of those asked has said what so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from linesies.referee.rows import Ordered

PLAYER = "player:"  # how the origin of a player's order begins; his name follows
PLAYERS = "players:"
APPEAL = "appeal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """An order that waits for agreement: the row that moved it first, how it will act, who is asked, who has agreed.

    Of an appeal also who is against it; anything else is dropped as soon as anybody is.
    """

    row: int
    at_s: float
    order: Ordered
    asked: tuple[str, ...]
    agreed: tuple[str, ...]
    declined: tuple[str, ...] = ()

    @property
    def is_appeal(self) -> bool:
        """Tell whether it is an appeal: others decide on that."""
        return bool(self.order.order == APPEAL)

    @property
    def missing(self) -> tuple[str, ...]:
        """Name those who have yet to agree."""
        return tuple(name for name in self.asked if name not in self.agreed)

    def with_consent(self, name: str, enough: int) -> Ordered:
        """Give its order after one more has agreed: it acts once enough of those asked have."""
        agreed = self.agreed if name in self.agreed else (*self.agreed, name)
        asked = self.asked if len([one for one in agreed if one in self.asked]) < enough else ()
        return structs.replace(self.order, motion=self.row or None, asked=asked, agreed=agreed)

    @property
    def essence(self) -> tuple[Any, ...]:
        """Reduce it to what it would do, so that two players who want the same agree by wanting it."""
        return self.order.order, self.order.about, self.order.event


def player_of(origin: str) -> str | None:
    """Name the player who gave an order, None when it came from somebody who needs no agreement."""
    return origin.removeprefix(PLAYER) if origin.startswith(PLAYER) else None


def givers(origin: str, agreed: Sequence[str]) -> str:
    """Say who an order is from: all who agreed to it, else the one who gave it."""
    return PLAYERS + ", ".join(agreed) if agreed else origin
