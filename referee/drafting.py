"""Making drafts: each kind of row that the referee writes about the game, as the journal is to have it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from linesies import rules
from linesies.referee.outcomes import GivenEvent, Outcome
from linesies.referee.rows import Draft, Ordered, Submitted
from linesies.referee.saying import Saying
from linesies.referee.shallow import is_deep
from linesies.rules import Json


def order_draft(origin: str, told: Ordered) -> Draft:
    """Write an order as it was completed."""
    return Draft(origin=origin, kind="order", about=told.about, body=msgspec.to_builtins(told))


def ruled_draft(game: rules.GameRules[Any], about: int, body: Json, state: Any) -> Draft:
    """Write what was ruled with the state after it, so that no later rules are asked what it was."""
    written = rules.write_state(game, state)
    return Draft(origin="referee", kind="ruled", about=about, body=body, rules=game.version, state=written)


def outcome_draft(game_name: str, given: GivenEvent, outcome: Outcome) -> Draft:
    """Write what the rules say; of what was seen also what they refuse, for it may fit after a correction."""
    game = rules.GAMES[game_name]
    if outcome.refused is None:
        body = {"event": given.event, "rulings": list(outcome.rulings), **given.settled}
        return ruled_draft(game, given.about, body, outcome.state)
    meant = {"event": given.event, **given.settled} if given.was_seen else {}
    return replace(refusal_draft(given.about, {**outcome.refused, **meant}), rules=game.version)


def refusal_draft(about: int, refused: Mapping[str, Any]) -> Draft:
    """Write why something is refused."""
    return Draft(origin="referee", kind="refused", about=about, body=refused)


def camera_draft(event: str, message: str) -> Draft:
    """Write what happened to the camera."""
    return Draft(origin="camera", kind="camera", body={"event": event, "message": message})


def unheeded(sent: Submitted, why: Saying, first: int) -> tuple[Draft, ...]:
    """Write that an order is not taken, and why."""
    kept = None if is_deep(sent.body) else sent.body
    body = kept if isinstance(kept, dict) else {"order": kept}
    return (
        Draft(origin=sent.origin, kind="order", body={**body, "refused": True}),
        refusal_draft(first, {"code": "bad_order", **why.as_json()}),
    )
