"""Somebody who saw what truly happened: he hears the ruling, settles what is asked, and objects to what is wrong.

He reads the journal as a phone does and orders as a phone does; only the truth does he know better. What he can tell
from it depends on the game: see `phones` for the street, `cards.phones` for the table.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from linesies.device.journal.journal import Journal
from linesies.referee.entries import NOTHING, Entry, Held
from linesies.referee.folding import story_of
from linesies.referee.outcomes import rule_on
from linesies.referee.story import Story
from linesies.simulator.street.truth import Truth

TRIES = 3
Order = dict[str, Any]
Frames = Iterator[None]


class Bystander(ABC):
    """Remembers the story as read so far; thinks for some frames before he orders anything."""

    HEARD_FRAMES = 15  # until the referee has said what he takes something for
    PATIENCE_FRAMES: int  # frames without a word about what happened before it is reported by phone

    def __init__(self, journal_path: str, *, thinking_frames: int = 0) -> None:
        self._journal = Journal(journal_path)
        self._thinking_frames = thinking_frames
        self._story = story_of(self._journal)

    def state(self) -> dict[str, Any]:
        """Tell the public state."""
        self._read()
        return self._story.standing

    def tell(self, truth: Truth) -> Frames:
        """Wait for the ruling, answer the referee's question if he has one, and object if he is wrong."""
        event = self._event(truth)
        before = self._story
        wanted = self._standing(before.game_name, rule_on(before.game_name, before.state, event).state)
        yield from self._hear(truth, before)
        for _ in range(TRIES):
            self._read()
            told = [entry for entry in _new(self._story, before) if entry.event is not None]
            if self._story.pending:
                orders = self._answers(truth, event, told)
            elif self._standing(before.game_name, self._story.state) != wanted:
                orders = self._objections(truth, event, told)
            else:
                return
            yield from [None] * self._thinking_frames
            for order in orders:
                yield from self._submit(order)

    def dismiss(self) -> Frames:
        """Say of whatever is asked or ruled on meanwhile that it was nothing."""
        before = self._story
        yield from [None] * self.HEARD_FRAMES
        for _ in range(TRIES):
            self._read()
            orders = [self._dismissal(held) for held in self._story.pending]
            orders += [
                {"order": "undo", "about": entry.row, "why": "nobody did that"}
                for entry in _new(self._story, before)
                if entry.event is not None and entry.refused is None
            ]
            if not orders:
                return
            for order in orders:
                yield from self._submit(order)

    def _dismissal(self, held: Held) -> Order:
        """Answer a question about something that did not happen."""
        return {"order": "settle", "about": held.question.row, "event": NOTHING}

    @abstractmethod
    def _event(self, truth: Truth) -> dict[str, Any]:
        """Say what happened as the rules understand it."""

    @abstractmethod
    def _standing(self, game: str, state: Any) -> Any:
        """Say what of a state has to be right."""

    @abstractmethod
    def _is_about(self, truth: Truth, event: Any) -> bool:
        """Tell whether an event is the one that truly happened, by what it is and when."""

    @abstractmethod
    def _answers(self, truth: Truth, event: dict[str, Any], told: list[Entry]) -> list[Order]:
        """Answer each question that stands."""

    def _objections(self, truth: Truth, event: dict[str, Any], told: list[Entry]) -> list[Order]:
        """Say what was invented, what was missed, what was misread."""
        meant = next((entry for entry in told if self._is_about(truth, entry.event)), None)
        orders: list[Order] = [
            {"order": "undo", "about": entry.row, "why": "nobody did that"}
            for entry in told
            if entry is not meant and entry.refused is None
        ]
        if meant is None:
            orders.append({"order": "event", "event": event, "why": "the referee did not see it"})
        elif any(meant.acts.get(key) != value for key, value in event.items()):
            orders.append({"order": "amend", "about": meant.row, "event": event, "why": "it was otherwise"})
        return orders

    def _hear(self, truth: Truth, before: Story) -> Frames:
        """Wait until the referee has said anything about what happened."""
        for _ in range(self.PATIENCE_FRAMES):
            self._read()
            told = [entry.event for entry in _new(self._story, before)] + [held.event for held in self._story.held]
            if any(self._is_about(truth, event) for event in told):
                return
            yield

    def _submit(self, order: Order) -> Frames:
        """Order something and wait until it is taken."""
        number = self._journal.submit(order, "street")
        while not self._journal.is_taken(number):
            yield
        self._read()

    def _read(self) -> None:
        self._story = story_of(self._journal, self._story)


def _new(story: Story, before: Story) -> tuple[Entry, ...]:
    return story.entries[len(before.entries) :]
