"""Games: each one value that names its parts, in one file a game, and the registry that is the only way in.

Imports rules alone; what is heavy is named and loaded when it is wanted. Nothing outside this folder and `rules` knows
one game from another but by what stands in its value.
"""

from linesies.games.calls import UmpireCall, UmpireCalls, is_among
from linesies.games.game import API, Caps, CardsOnMat, Doubt, Game, OwnEyes, Part
from linesies.games.guarded import TookTooLong, within
from linesies.games.registry import GAMES, HOUSE, admit, package_of
from linesies.games.tallies import Tally

__all__ = [
    "API",
    "GAMES",
    "HOUSE",
    "Caps",
    "CardsOnMat",
    "Doubt",
    "Game",
    "OwnEyes",
    "Part",
    "Tally",
    "TookTooLong",
    "UmpireCall",
    "UmpireCalls",
    "admit",
    "is_among",
    "package_of",
    "within",
]
