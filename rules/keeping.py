"""A game's state as text, for whoever keeps it: what was ruled stands, whatever later rules would say."""

from typing import Any

import msgspec

from linesies.rules.game import GameRules


def write_state(game: GameRules[Any], state: Any) -> str | None:
    """Write a state as JSON, which the same version of the rules reads as an equal one; None where it cannot be."""
    if game.state_type is None:
        return None
    try:
        return msgspec.json.encode(state).decode()
    except (TypeError, ValueError, RecursionError):  # a value of another package's own
        return None


def read_state(game: GameRules[Any], text: str) -> Any | None:
    """Read a state, None for one that these rules cannot go on from."""
    if game.state_type is None:
        return None
    try:
        return msgspec.json.decode(text, type=game.state_type)
    except (msgspec.MsgspecError, TypeError, RecursionError):
        return None
