"""People at a card table before the referee: they say their bids by phone, answer him, and object to what is wrong.

They read the journal as a phone does and order as a phone does; only what truly happened do they know better.
"""

from collections.abc import Iterator
from typing import Any

from device.journal.doubt import NOTHING
from device.journal.journal import Journal
from device.journal.story import Entry, Held, Story, rule_on, story_of
from device.simulator.cards.umpire import card_event
from device.simulator.cards.world import Truth

PATIENCE_FRAMES = 75  # frames without a word about what was done before people report it themselves
TRIES = 3
SLACK_S = 1.0
Frames = Iterator[None]


class TableByPhone:
    """Remembers the story as read so far; people think for some frames before they order anything."""

    def __init__(self, journal_path: str, *, thinking_frames: int = 0) -> None:
        self._journal = Journal(journal_path)
        self._thinking_frames = thinking_frames
        self._story = story_of(self._journal)

    def state(self) -> dict[str, Any]:
        """Tell the public state."""
        self._read()
        return self._story.public

    def tell(self, truth: Truth) -> Frames:
        """Wait for the ruling, answer the referee's question if he has one, and object if he is wrong."""
        event = card_event(truth)
        before = self._story
        wanted = rule_on(before.start["game"], before.state, event).state
        yield from self._hear(truth, before)
        for _ in range(TRIES):
            self._read()
            orders = list(self._orders(truth, event, before, wanted))
            if not orders:
                return
            yield from [None] * self._thinking_frames
            for order in orders:
                yield from self._submit(order)

    def say(self, event: dict[str, Any]) -> Frames:
        """Tell the referee something that no camera sees; his questions go first."""
        self._read()
        for held in self._story.pending:
            yield from self._submit({"order": "settle", "about": held.proposal.row, "event": NOTHING})
        yield from self._submit({"order": "event", "event": event})

    def _hear(self, truth: Truth, before: Story) -> Frames:
        """Wait until the referee has said anything about what happened."""
        for _ in range(PATIENCE_FRAMES):
            self._read()
            if any(_is_about(truth, told.event) for told in (*_new(self._story, before), *self._story.held)):
                return
            yield

    def _orders(self, truth: Truth, event: Any, before: Story, wanted: Any) -> Iterator[dict[str, Any]]:
        """Say what is still wrong: what is asked, what was invented, what was misread, what was missed."""
        told = [entry for entry in _new(self._story, before) if entry.event is not None]
        if self._story.pending:
            yield from (_answer(held, truth, event) for held in self._story.pending)
            return
        if self._story.state == wanted:
            return
        meant = next((entry for entry in told if _is_about(truth, entry.event)), None)
        for entry in told:
            if entry is not meant and entry.refused is None:
                yield {"order": "undo", "about": entry.row, "why": "nobody did that"}
        if meant is None:
            yield {"order": "event", "event": event, "why": "the referee did not see it"}
        elif any(meant.event.get(key) != value for key, value in event.items()):
            yield {"order": "amend", "about": meant.row, "event": event, "why": "it was otherwise"}

    def _submit(self, order: dict[str, Any]) -> Frames:
        """Order something and wait until it is taken."""
        number = self._journal.submit(order, "street")
        while not self._journal.is_taken(number):
            yield
        self._read()

    def _read(self) -> None:
        self._story = story_of(self._journal, self._story)


def _new(story: Story, before: Story) -> tuple[Entry, ...]:
    return story.entries[len(before.entries) :]


def _is_about(truth: Truth, event: Any) -> bool:
    """Tell whether an event is the one that truly happened, by what it is and when."""
    if event is None or event.get("event") != truth["event"]:
        return False
    if "t_end" not in event:
        return True
    return bool(truth["t"] - SLACK_S < event["t_end"] < truth["t_clear"] + SLACK_S)


def _answer(held: Held, truth: Truth, event: Any) -> dict[str, Any]:
    """Settle a question by what truly happened."""
    settle = {"order": "settle", "about": held.proposal.row}
    return {**settle, "event": event if _is_about(truth, held.event) else NOTHING}
