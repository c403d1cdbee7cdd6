"""A game's state as text, for whoever keeps it: what was ruled stands, whatever later rules would say."""

from typing import Any

import msgspec

from linesies.rules.game import Game


def write_state(state: Any) -> str:
    """Write a state as JSON; `read_state` by the same version of the rules gives an equal one."""
    return msgspec.json.encode(state).decode()


def read_state(game: Game[Any], text: str) -> Any | None:
    """Read a state, None for one that these rules cannot go on from."""
    try:
        return msgspec.json.decode(text, type=game.state_type)
    except (msgspec.MsgspecError, RecursionError):
        return None
