"""What every game's teller is: it makes events of the game out of what hands did, place by place."""

from collections.abc import Mapping
from typing import Any, Protocol

from linesies.vision.cards.table.finding import PlaceFinding
from linesies.vision.cards.table.told import TableEvent

Public = Mapping[str, Any]  # the game's public state, as the rules write it


class Teller(Protocol):
    """What a game makes of findings."""

    def expect(self, due: str | None, public: Public | None) -> None:
        """Hear who is due and what the rules hold to lie where; what is seen overrules both."""
        ...

    def has_backs(self, spot: str, /) -> bool:
        """Tell whether cards may come to lie face down in a place."""
        ...

    def tell(self, finding: PlaceFinding) -> list[TableEvent]:
        """Tell what a finding means; may hold it back for others to come."""
        ...

    def settle(self, until_s: float, /) -> list[TableEvent]:
        """Tell what was held back and lay before then: whatever stirs yet has begun since."""
        ...
