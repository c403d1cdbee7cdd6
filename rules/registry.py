"""All rules by name: those of the house, and those that `linesies.games` has let in from outside."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from linesies.rules.errors import BadStart
from linesies.rules.game import GameRules, Ruling
from linesies.rules.skipbo.game import SKIPBO
from linesies.rules.skull.game import SKULL
from linesies.rules.skull_king.game import SKULL_KING
from linesies.rules.skully.game import SKULLY

_ALL: tuple[GameRules[Any], ...] = (SKULLY, SKULL, SKULL_KING, SKIPBO)
_known: dict[str, GameRules[Any]] = {game.name: game for game in _ALL}
GAMES: Mapping[str, GameRules[Any]] = MappingProxyType(_known)


def admit(game: GameRules[Any]) -> None:
    """Let the rules of another package in; `linesies.games.admit` asks first whether they may come."""
    _known[game.name] = game


def game_named(name: str) -> str | None:
    """Find the game that people mean, however its words are joined and whatever their case; None where there is none.

    >>> game_named("Skull King"), game_named("skull-king"), game_named("Skip-Bo"), game_named("chess")
    ('skull_king', 'skull_king', 'skipbo', None)
    """
    return next((known for known in GAMES if _joined(known) == _joined(name)), None)


def with_known_game(config: object) -> object:
    """Write the game of a start event as it is known here, where people wrote it otherwise; leaves all else alone."""
    if not isinstance(config, dict) or not isinstance(config.get("game"), str):
        return config
    return {**config, "game": game_named(config["game"]) or config["game"]}


def _joined(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def start(config: object) -> tuple[GameRules[Any], Any, tuple[Ruling, ...]]:
    """Begin the game that a decoded start event asks for: game, first state, rulings; raises BadStart with the mend."""
    if not isinstance(config, dict) or config.get("event") != "start":
        raise BadStart('a game begins with {"event": "start", "game": ..., "players": [...], "options": {...}}')
    name = config.get("game")
    if not isinstance(name, str) or name not in GAMES:
        raise BadStart(f'"game" must be one of {", ".join(GAMES)}')
    state, rulings = GAMES[name].start(config)
    return GAMES[name], state, rulings
