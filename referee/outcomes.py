"""What the rules say to an event, as rows have it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from linesies import rules
from linesies.rules import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenEvent:
    """What the rules are given: an event, the row that it is about, and how that was settled."""

    about: int
    event: Json
    settled: Json
    was_seen: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules say to an event: the state after it and the rulings, or why it is refused."""

    state: Any
    rulings: tuple[Json, ...] = ()
    refused: Json | None = None


def rule_on(game_name: str, state: Any, event: Any) -> Outcome:
    """Give one event to the rules."""
    result = rules.GAMES[game_name].apply(state, event)
    if isinstance(result, rules.Refused):
        return Outcome(state, refused={**rules.refused_json(game_name, result), "details": dict(result.details)})
    after, rulings = result
    return Outcome(after, tuple(rules.ruling_json(game_name, ruling) for ruling in rulings))


def is_same(outcome: Outcome, rulings: Sequence[Json], refused: Json | None) -> bool:
    """Tell whether the rules say what was written, in whatever words."""
    if outcome.refused is not None or refused is not None:
        return outcome.refused is not None and refused is not None and outcome.refused["code"] == refused["code"]
    return [_wordless(one) for one in msgspec.to_builtins(outcome.rulings)] == [_wordless(one) for one in rulings]


def _wordless(ruling: Json) -> Json:
    return {key: value for key, value in ruling.items() if key != "text"}
