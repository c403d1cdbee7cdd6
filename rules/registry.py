"""All games by name; a new game is one new file and one line here."""

from collections.abc import Mapping
from typing import Any

from rules.errors import BadStart
from rules.game import Game

_ALL: tuple[Game[Any], ...] = ()
GAMES: Mapping[str, Game[Any]] = {game.name: game for game in _ALL}


def start(config: object) -> tuple[Game[Any], Any]:
    """Begin the game that a decoded start event asks for; raises BadStart saying what is wrong and how to mend it."""
    if not isinstance(config, dict) or config.get("event") != "start":
        raise BadStart('the first line must start a game, such as {"event": "start", "game": "skully", ...}')
    name = config.get("game")
    if not isinstance(name, str) or name not in GAMES:
        raise BadStart(f'"game" must be one of {", ".join(GAMES)}')
    game = GAMES[name]
    return game, game.start(config)
