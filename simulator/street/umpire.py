"""Who tells the players how the game stands: their own eyes and the rules."""

from collections.abc import Iterator
from typing import Any

from linesies import rules
from linesies.simulator.street.truth import Truth


class OwnEyes:
    """Remembers the game's state, as the rules make it from what truly happened."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._game, self._state, _ = rules.start(start)

    def state(self) -> dict[str, Any]:
        """Tell the public state."""
        return self._game.public(self._state)

    def lies_mm(self) -> dict[str, tuple[float, float]]:
        """Tell nothing: a game by one's own eyes is never broken off."""
        return {}

    def tell(self, truth: Truth) -> Iterator[None]:
        """Hear what happened; returns at once."""
        after = self._game.apply(self._state, rules_event(truth))
        if isinstance(after, tuple):
            self._state = after[0]
        yield from ()

    def dismiss(self) -> Iterator[None]:
        """Hear that nothing happened; returns at once."""
        yield from ()

    def say(self, event: dict[str, Any]) -> Iterator[None]:
        """Hear what a player says, as an event of the rules."""
        yield from self.tell(event)


def rules_event(truth: Truth) -> dict[str, Any]:
    """Write a truth as an event of `linesies rule`."""
    if truth["event"] == "shot":
        rest = {player: place["location"] for player, place in truth["rest"].items()}
        return {"event": "shot", "player": truth["player"], "hits": truth["hits"], "rest": rest}
    if truth["event"] == "placed":
        return {key: truth[key] for key in ("event", "player", "at", "of") if key in truth}
    return truth
