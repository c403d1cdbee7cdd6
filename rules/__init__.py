"""The games and nothing else: no pixels, no clock, no disk, no randomness, no numpy. Imports nothing of ours.

`start` begins a game and gives (game, state, rulings); `game.apply(state, event)` gives (state, rulings)
or a `Refused`.
`sentence`, `ruling_json` and `refused_json` take the game's name and say what was ruled or refused;
`game.public(state)` and `game.view(state, player)` write the state as the contract does.
"""

from linesies.rules.errors import BadStart, RulesError, WrongNumber
from linesies.rules.forms import Field, Form, a_card, a_choice, a_number, a_player
from linesies.rules.game import Event, GameRules, Json, Refused, Ruling
from linesies.rules.keeping import read_state, write_state
from linesies.rules.notation import parse_line, refused_json, ruling_json, sentence, write_line
from linesies.rules.options import Choosing, Option, Preset
from linesies.rules.registry import GAMES, admit, game_named, start, with_known_game
from linesies.rules.words.catalogue import AND, Catalogue, Conjunction, written

__all__ = [
    "AND",
    "GAMES",
    "BadStart",
    "Catalogue",
    "Choosing",
    "Conjunction",
    "Event",
    "Field",
    "Form",
    "GameRules",
    "Json",
    "Option",
    "Preset",
    "Refused",
    "RulesError",
    "Ruling",
    "WrongNumber",
    "a_card",
    "a_choice",
    "a_number",
    "a_player",
    "admit",
    "game_named",
    "parse_line",
    "read_state",
    "refused_json",
    "ruling_json",
    "sentence",
    "start",
    "with_known_game",
    "write_line",
    "write_state",
    "written",
]
