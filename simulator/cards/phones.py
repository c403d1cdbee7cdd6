"""People at a card table before the referee: they say their bids by phone, answer him, and object to what is wrong."""

from typing import Any

from linesies.referee.entries import NOTHING, Entry
from linesies.simulator.cards.umpire import card_event
from linesies.simulator.cards.world import Truth
from linesies.simulator.street.bystander import Bystander, Frames, Order

SLACK_S = 1.0  # by how much times of rest may differ


class TableByPhone(Bystander):
    """A player at the table with his phone."""

    PATIENCE_FRAMES = 75

    def say(self, event: dict[str, Any]) -> Frames:
        """Tell the referee something that no camera sees; his questions go first."""
        self._read()
        for held in self._story.pending:
            yield from self._submit({"order": "settle", "about": held.question.row, "event": NOTHING})
        yield from self._submit({"order": "event", "event": event})

    def _event(self, truth: Truth) -> dict[str, Any]:
        return card_event(truth)

    def _standing(self, game: str, state: Any) -> Any:  # noqa: ARG002 - every card matters, whatever the game
        return state

    def _is_about(self, truth: Truth, event: Any) -> bool:
        if event is None or event.get("event") != truth["event"]:
            return False
        if "t_end" not in event:
            return True
        return bool(truth["t"] - SLACK_S < event["t_end"] < truth["t_clear"] + SLACK_S)

    def _answers(self, truth: Truth, event: dict[str, Any], told: list[Entry]) -> list[Order]:  # noqa: ARG002 - a table's question is about one event
        return [
            {
                "order": "settle",
                "about": held.question.row,
                "event": event if self._is_about(truth, held.event) else NOTHING,
            }
            for held in self._story.pending
        ]
