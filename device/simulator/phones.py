"""People in front of the referee: they hear his ruling, settle what he asks, and object to what is wrong.

They read the journal as a phone does and order as a phone does; only what truly happened do they know better.
"""

from collections.abc import Iterator
from typing import Any

import rules
from device.journal.doubt import NOTHING, standing_of
from device.journal.journal import Journal
from device.journal.story import Entry, Held, Story, rule_on, story_of
from device.simulator.truth import Truth
from device.simulator.umpire import rules_event

PATIENCE_FRAMES = 240  # frames without a word about a shot before people report it themselves
TRIES = 3
SLACK_S = 0.6  # by how much times of first motion and rest may differ
Frames = Iterator[None]


class ByPhone:
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
        event = rules_event(truth)
        before = self._story
        wanted = standing_of(rules.GAMES["skully"].public(rule_on("skully", before.state, event).state))
        yield from self._hear(truth, before)
        for _ in range(TRIES):
            self._read()
            orders = list(self._orders(truth, event, before, wanted))
            if not orders:
                return
            yield from [None] * self._thinking_frames
            for order in orders:
                yield from self._submit(order)

    def lies_mm(self) -> dict[str, tuple[float, float]]:
        """Tell where caps lay when the referee last called them, to go on with a game that was broken off."""
        return {player: (call["x"], call["y"]) for player, call in self._story.calls.items()}

    def say(self, event: dict[str, Any]) -> Frames:
        """Tell the referee something that no camera sees, and wait until he has taken it; his questions go first."""
        yield from self._dismiss_questions()
        yield from self._submit({"order": "event", "event": event})
        yield from self._dismiss_questions()

    def _hear(self, truth: Truth, before: Story) -> Frames:
        """Wait until the referee has said anything about what happened."""
        for _ in range(PATIENCE_FRAMES):
            self._read()
            if any(_is_about(truth, told.event) for told in (*_new(self._story, before), *self._story.held)):
                return
            yield

    def _orders(self, truth: Truth, event: Any, before: Story, wanted: Any) -> Iterator[dict[str, Any]]:
        """Say what is still wrong: what is asked, what was missed, what was invented, what was misread."""
        told = [entry for entry in _new(self._story, before) if entry.event is not None]
        if self._story.pending:
            is_told = any(_is_about(truth, entry.event) for entry in told)
            meant = None if is_told else _meant(truth, self._story.pending)
            yield from (_answer(held, event, is_meant=held is meant) for held in self._story.pending)
            return
        if standing_of(self._story.public) == wanted:
            return
        meant = next((entry for entry in told if _is_about(truth, entry.event)), None)
        for entry in told:
            if entry is not meant and entry.refused is None:
                yield {"order": "undo", "about": entry.row, "why": "nobody did that"}
        if meant is None:
            yield {"order": "event", "event": event, "why": "the referee did not see it"}
        elif not _is_read_as(meant, event):
            yield {"order": "amend", "about": meant.row, "event": event, "why": "it was otherwise"}

    def _dismiss_questions(self) -> Frames:
        """Answer what is asked about things that nobody meant to do."""
        self._read()
        while self._story.pending:
            yield from [None] * self._thinking_frames
            for held in self._story.pending:
                yield from self._submit(_answer(held, {}, is_meant=False))

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
    if "t_start" not in event or "t_start" not in truth:
        return True
    return bool(event["t_start"] < truth["t_end"] + SLACK_S and truth["t_start"] < event["t_end"] + SLACK_S)


def _is_read_as(entry: Entry, event: Any) -> bool:
    return all(entry.event.get(key) == value for key, value in event.items())


def _meant(truth: Truth, pending: tuple[Held, ...]) -> Held | None:
    """Find the question about what truly happened, the one with the true shooter first."""
    about = [held for held in pending if _is_about(truth, held.event)]
    return min(about, key=lambda held: held.event["player"] != truth["player"], default=None)


def _answer(held: Held, event: Any, *, is_meant: bool) -> dict[str, Any]:
    """Settle a question by what truly happened; what did not happen at all is undone afterwards."""
    answers = [answer["event"] for answer in held.proposal.answers]
    settle = {"order": "settle", "about": held.proposal.row}
    if is_meant:
        likely = [answer for answer in answers if all(answer.get(key) == value for key, value in event.items())]
        return {**settle, "event": likely[0] if likely else event}
    return {**settle, "event": NOTHING if NOTHING in answers else answers[0]}
