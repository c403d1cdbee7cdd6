"""What truly happened in the street, as an event of the rules."""

from collections.abc import Mapping
from typing import Any


def rules_event(truth: Mapping[str, Any]) -> dict[str, Any]:
    """Write a truth as an event of `linesies rule`."""
    if truth["event"] == "shot":
        rest = {player: place["location"] for player, place in truth["rest"].items()}
        return {"event": "shot", "player": truth["player"], "hits": truth["hits"], "rest": rest}
    if truth["event"] == "placed":
        return {key: truth[key] for key in ("event", "player", "at", "of") if key in truth}
    return dict(truth)
