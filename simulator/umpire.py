"""Who tells simulated people how their game stands: their own eyes and the rules."""

from collections.abc import Callable, Iterator
from typing import Any

from linesies import rules

Event = dict[str, Any]


class RulesUmpire:
    """Remembers the game's state, as the rules make it from what truly happened.

    `as_event` writes a truth of the simulator as an event of the rules.
    """

    def __init__(self, start: Event, as_event: Callable[[Event], Event]) -> None:
        self._game, self._state, _ = rules.start(start)
        self._as_event = as_event

    def state(self) -> Event:
        """Tell the public state."""
        return self._game.public(self._state)

    def lies_mm(self) -> dict[str, tuple[float, float]]:
        """Tell nothing: a game by one's own eyes is never broken off."""
        return {}

    def tell(self, truth: Event) -> Iterator[None]:
        """Hear what happened; returns at once."""
        after = self._game.apply(self._state, self._as_event(truth))
        if isinstance(after, tuple):
            self._state = after[0]
        yield from ()

    def dismiss(self) -> Iterator[None]:
        """Hear that nothing happened; returns at once."""
        yield from ()

    def say(self, event: Event) -> Iterator[None]:
        """Hear what a player says, as an event of the rules."""
        yield from self.tell(event)
