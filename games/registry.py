"""All games by name: those of the house, and those that other packages brought; the only way in."""

from collections.abc import Mapping
from types import MappingProxyType

from linesies import rules
from linesies.games.game import API, Game
from linesies.games.guarded import Guarded, guarded
from linesies.games.skipbo import SKIPBO
from linesies.games.skull import SKULL
from linesies.games.skull_king import SKULL_KING
from linesies.games.skully import SKULLY
from linesies.games.tallies import fault_of_tallies

_known: dict[str, Game] = {game.name: game for game in (SKULLY, SKULL, SKULL_KING, SKIPBO)}
GAMES: Mapping[str, Game] = MappingProxyType(_known)
HOUSE = frozenset(_known)
_packages: dict[str, str] = {}


def package_of(game: str) -> str | None:
    """Name the package that brought a game; None for one of the house."""
    return _packages.get(game)


def admit(game: object, package: str) -> str | None:
    """Take a game from outside in, brought by that package; says why not, None when it is in.

    Its rules, and what is asked of it while a game is on, are behind a guard: whatever they do, the referee goes on.
    """
    if not isinstance(game, Game):
        return "is no linesies.games.Game"
    if game.api != API:
        return f"is made for version {game.api} of games, and this is version {API}"
    if game.name in HOUSE:
        return f'is called "{game.name}" like a game of the house'
    if (fault := fault_of_tallies(game.tallies)) is not None:
        return fault
    _known[game.name] = guarded(game)
    _packages[game.name] = package
    rules.admit(Guarded(game.rules))
    return None
