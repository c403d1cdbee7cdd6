"""Who tells the people at a card table how the game stands: their own eyes and the rules."""

from collections.abc import Iterator
from typing import Any

from linesies import rules
from linesies.simulator.cards.world import Truth

TRUTH_ONLY = ("t", "t_start", "t_clear", "zone", "pile")


class TableEyes:
    """Remembers the game's state, as the rules make it from what truly happened."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._game, self._state, _ = rules.start(start)

    def state(self) -> dict[str, Any]:
        """Tell the public state."""
        return self._game.public(self._state)

    def tell(self, truth: Truth) -> Iterator[None]:
        """Hear what happened; returns at once."""
        after = self._game.apply(self._state, card_event(truth))
        if isinstance(after, tuple):
            self._state = after[0]
        yield from ()

    def dismiss(self) -> Iterator[None]:
        """Hear that nothing happened; returns at once."""
        yield from ()

    def say(self, event: dict[str, Any]) -> Iterator[None]:
        """Hear what a player says, as an event of the rules."""
        yield from self.tell(event)


def card_event(truth: Truth) -> dict[str, Any]:
    """Write a truth as an event of `linesies rule`."""
    left_out = TRUTH_ONLY if truth["event"] == "placed" else TRUTH_ONLY[:-1]
    return {key: value for key, value in truth.items() if key not in left_out}
