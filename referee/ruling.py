"""Ruling: what the rules say to everything that waits for nobody, in its order. Pure."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from linesies.referee.drafting import outcome_draft, refusal_draft
from linesies.referee.entries import DO_OVER, NOTHING, Held
from linesies.referee.outcomes import GivenEvent, rule_on
from linesies.referee.rows import Draft
from linesies.referee.story import Story

DROPPED = {"code": "nothing", "message": "People say that this was nothing."}


def rulings_on(story: Story) -> list[Draft]:
    """Write what the rules say to all that waits for nobody, each in the state that the one before it left."""
    state, drafts = story.state, []
    for held in takewhile(lambda one: not one.is_waiting, story.held):
        for given in _given(held):
            outcome = rule_on(story.game_name, state, given.event)
            state = outcome.state
            drafts.append(outcome_draft(story.game_name, given, outcome))
            if outcome.refused is not None:
                break
        if held.answer is not None and held.answer.event == NOTHING:
            drafts.append(refusal_draft(held.row, {**DROPPED, **held.answer.as_settled}))
    return drafts


def _given(held: Held) -> tuple[GivenEvent, ...]:
    """Say what the rules are given: by the book a shot that is done over was taken; then it is done over."""
    answer, was_seen = held.answer, held.origin == "vision"
    if answer is None:
        return (GivenEvent(about=held.row, event=held.event, settled={}, was_seen=was_seen),)
    if answer.event == NOTHING:
        return ()
    if answer.event != DO_OVER:
        event = _answered(held, answer.event)
        return (GivenEvent(about=held.row, event=event, settled=answer.as_settled, was_seen=was_seen),)
    return (
        GivenEvent(about=held.row, event=held.event, settled=answer.as_settled, was_seen=was_seen),
        GivenEvent(about=answer.row, event=DO_OVER, settled=answer.as_settled, was_seen=False),
    )


def _answered(held: Held, event: Any) -> Any:
    """Give the event that people answered; to a blind call is added what was measured and kept from them."""
    is_called = held.is_blind and isinstance(event, Mapping) and event.get("event") == held.event["event"]
    return {"calls": held.event["calls"], **event} if is_called else event
