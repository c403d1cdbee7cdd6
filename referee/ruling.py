"""Ruling: what the rules say to everything that waits for nobody, in its order. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from linesies import rules
from linesies.referee.drafting import as_rows, refusal_draft, ruled_draft
from linesies.referee.entries import DO_OVER, NOTHING, Held
from linesies.referee.outcomes import rule_on
from linesies.referee.rows import Draft
from linesies.referee.story import Story, fold


def with_rulings(story: Story, drafts: Sequence[Draft], first: int) -> tuple[Draft, ...]:
    """Add what the rules say to everything that waits for nobody."""
    drafts = tuple(drafts)
    story = fold(as_rows(drafts, first), story)
    while story.held and not story.held[0].is_waiting:
        ruled = _rule_on_held(story, story.held[0])
        story = fold(as_rows(ruled, first + len(drafts)), story)
        drafts = (*drafts, *ruled)
    return drafts


def _rule_on_held(story: Story, held: Held) -> list[Draft]:
    settled = {}
    if held.answer is not None:
        settled = {"settled_by": held.answer.row, "by": held.answer.by, "why": held.answer.why}
    event = held.event if held.answer is None else _answered(held, held.answer.event)
    if event == NOTHING and held.answer is not None:
        return [refusal_draft(held.row, {"code": "nothing", "message": "People say that this was nothing.", **settled})]
    if event != DO_OVER or held.answer is None:
        return [_ruling(story, held.row, event, settled)]
    shot = _ruling(story, held.row, held.event, settled)  # by the book it was taken; then it is done over
    after = fold(as_rows([shot], held.row), story)
    return [shot, _ruling(after, held.answer.row, DO_OVER, settled)] if shot.kind == "ruled" else [shot]


def _answered(held: Held, event: Any) -> Any:
    """Give the event that people answered; to a blind call is added what was measured and kept from them."""
    is_called = held.is_blind and isinstance(event, Mapping) and event.get("event") == held.event["event"]
    return {"calls": held.event["calls"], **event} if is_called else event


def _ruling(story: Story, about: int, event: Any, extra: Mapping[str, Any]) -> Draft:
    game = rules.GAMES[story.game_name]
    outcome = rule_on(story.game_name, story.state, event)
    if outcome.refused is None:
        body = {"event": event, "rulings": list(outcome.rulings), **extra}
        return ruled_draft(game, about, body, outcome.state)
    held = next((one for one in story.held if one.row == about), None)
    was_seen = held is not None and held.origin == "vision"
    meant = {"event": event, **extra} if was_seen else {}
    return replace(refusal_draft(about, {**outcome.refused, **meant}), rules=game.version)
