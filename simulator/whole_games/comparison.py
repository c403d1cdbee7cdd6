"""A journal's rulings held against what was truly done in its game.

People settle what the referee asks and object where he is wrong, as they would in the street; so everything is ruled
on from the true standing, and one mistake is counted once. What is equal depends on the game: see `street` for shots,
`table` for cards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from linesies.referee.folding import fold
from linesies.referee.outcomes import Outcome, rule_on
from linesies.referee.rows import Row
from linesies.referee.story import Story

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something that was ruled on otherwise: when, what is wrong with it, and the two readings."""

    t_s: float
    cause: str
    truth: Event | None
    seen: Event | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReport:
    """One game: how much was done, how much ruled on as true, how much of that after asking people."""

    seed: int
    players: int
    winner: str | None
    shots: int
    equal: int
    asked: int
    corrections: int
    took_s: float
    differences: tuple[Difference, ...]
    invented: int = 0  # things that nobody did, ruled on without a question
    fidgets: tuple[tuple[float, str], ...] = ()  # what people did that does not count, as (second, habit)
    options: Mapping[str, Any] | None = None


class EventComparison(Protocol):
    """How the events of one kind of game are held against each other."""

    def is_counted(self, seen: Event) -> bool:
        """Tell whether something seen is of the kind that is counted."""

    def t_s(self, event: Event) -> float:
        """Tell when an event happened, seen or true."""

    def meant_by(self, seen: Event, unseen: list[Event]) -> Event | None:
        """Find what truly happened among what was not told yet."""

    def fault(self, row: Row, seen: Event, true: Event, before: Story) -> str | None:
        """Say what is wrong with a ruling on something that happened, None when it is as it should be."""

    def short(self, event: Event) -> Event:
        """Keep of an event what people need to know which one it was."""


def hold_against(rows: list[Row], done: list[Event], reading: EventComparison) -> GameReport:
    """Hold a journal against what was truly done in its game."""
    unseen = list(done)
    asked: set[int | None] = set()
    equal = asked_equal = corrections = invented = 0
    differences: list[Difference] = []
    story = Story()
    for row in rows:
        if row.kind == "proposal":
            asked.add(row.about)
        corrections += "re_reads" in row.body
        seen = _first_seen(row, story)
        if seen is not None and reading.is_counted(seen):
            true = reading.meant_by(seen, unseen)
            if true is not None:
                unseen.remove(true)
            invented += true is None and row.kind == "ruled" and row.about not in asked
            fault = _invented(row) if true is None else reading.fault(row, seen, true, story)
            equal += fault is None
            asked_equal += fault is None and row.about in asked
            if fault is not None:
                differences.append(_difference(reading, fault, true, seen))
        story = fold([row], story)
    differences += [_difference(reading, "not seen", true, None) for true in unseen]
    return GameReport(
        seed=0,
        players=len(story.players),
        winner=_winner(story.standing),
        shots=len(done),
        equal=equal,
        asked=asked_equal,
        corrections=corrections,
        took_s=0.0,
        invented=invented,
        differences=tuple(sorted(differences, key=lambda difference: difference.t_s)),
    )


def outcomes(row: Row, event: Event, before: Story) -> tuple[Outcome, Outcome]:
    """Give the ruling that the rules give for a true event, and the one that was told."""
    wanted = rule_on(before.game_name, before.state, event)
    return wanted, Outcome(None, tuple(row.body.get("rulings", ())), row.body if row.kind == "refused" else None)


def _first_seen(row: Row, story: Story) -> Event | None:
    """Give what was seen, if this row is the first word on something that the camera saw."""
    if row.kind not in ("ruled", "refused"):
        return None
    return next((held.event for held in story.held if held.row == row.about and held.origin == "vision"), None)


def _invented(row: Row) -> str:
    if row.body.get("code") == "nothing":
        return "nobody did that (people were asked)"
    return f"nobody did that ({'refused by the rules' if row.kind == 'refused' else 'ruled on'})"


def _difference(reading: EventComparison, cause: str, true: Event | None, seen: Event | None) -> Difference:
    return Difference(
        t_s=reading.t_s(seen or true or {}),
        cause=cause,
        truth=None if true is None else reading.short(true),
        seen=None if seen is None else reading.short(seen),
    )


def _winner(public: Mapping[str, Any]) -> str | None:
    winners = public.get("winners") or [public.get("winner")]
    return " and ".join(name for name in winners if name) or None
