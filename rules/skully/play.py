"""One event being ruled on: the state as it changes under it, and what has been announced so far."""

from typing import Any

from msgspec.structs import replace

from linesies.rules.game import Ruling
from linesies.rules.skully.state import ChoiceDue, DoOverOf, Due, PlacingDue, Player, State


class Play:
    """Remembers, while one event is ruled on, how the state has changed and what was announced; then it is frozen."""

    def __init__(self, state: State) -> None:
        self.options = state.options
        self.players = {player.name: player for player in state.players}
        self.turn = state.turn
        self.shots = state.shots
        self.is_paused = state.is_paused
        self.awaiting: list[Due] = list(state.awaiting)
        self.streak = dict(state.streak)
        self.undo = state.undo
        self.rulings: list[Ruling] = []

    def say(self, code: str, rule: str, **details: Any) -> None:
        """Announce a ruling with the paragraph or heading it rests on."""
        self.rulings.append(Ruling(code, rule, details))

    def change(self, name: str, **changes: Any) -> None:
        """Give a player new values."""
        self.players[name] = replace(self.players[name], **changes)

    def frozen(self) -> State:
        """Freeze what has become of the state."""
        return State(
            options=self.options,
            players=tuple(self.players.values()),
            turn=self.turn,
            shots=self.shots,
            is_paused=self.is_paused,
            awaiting=tuple(self.awaiting),
            streak=tuple(self.streak.items()),
            undo=self.undo,
        )

    def remember(self, player: str, before: State, *, is_blast: bool = False) -> None:
        """Keep what a do-over of this shot or foul would bring back."""
        self.undo = DoOverOf(player, replace(before, undo=None), is_blast)

    @property
    def is_over(self) -> bool:
        """Tell whether the game has been won."""
        return self.turn is None

    @property
    def still_in(self) -> list[Player]:
        """List who is still in the game, in starting order."""
        return [player for player in self.players.values() if player.is_in]

    @property
    def placing(self) -> PlacingDue | None:
        """Find the placing that is due."""
        return next((due for due in self.awaiting if isinstance(due, PlacingDue)), None)

    @property
    def choices(self) -> list[ChoiceDue]:
        """List the choices that are due, oldest first."""
        return [due for due in self.awaiting if isinstance(due, ChoiceDue)]
