"""How a game of Skull begins: who may play, what was agreed, and the first state."""

from collections.abc import Mapping
from typing import Any

from linesies.rules.errors import BadStart
from linesies.rules.options import Preset, a_player, one_of, read_options, read_players, yes_or_no
from linesies.rules.skull.state import Options, Player, State

FEWEST_AND_MOST = {"joris": (4, 6), "small_shelf": (2, 8)}  # "Players: 4-6", "Players: 2-8"
KINGS_IN_A_DECK = 4

OPTIONS = (
    one_of("ruleset", "joris", "small_shelf"),
    one_of("decks", 1, 3),
    a_player("starter", none="The first player"),
    yes_or_no("open_bid", default=False),
    yes_or_no("fortune_favours_the_bold", default=False),
)

PRESETS = (
    Preset("joris", {"ruleset": "joris"}),
    Preset("small_shelf", {"ruleset": "small_shelf"}),
    Preset("three_decks", {"ruleset": "small_shelf", "decks": 3}),
    Preset("party", {"ruleset": "small_shelf", "decks": 3, "open_bid": True}),
    Preset("newcomers", {"ruleset": "small_shelf", "decks": 3, "fortune_favours_the_bold": True}),
)


def most_players(options: Options) -> int:
    """Say for how many the cards are (`Setup`): by `small_shelf` with one deck for as many as there are Kings."""
    if options.ruleset == "small_shelf" and options.decks == 1:
        return KINGS_IN_A_DECK
    return FEWEST_AND_MOST[options.ruleset][1]


def setup(config: Mapping[str, Any]) -> State:
    """Seat the players, each with four cards, and choose who starts (`Setup`; `Setup`, `Gameplay` 1).

    Raises BadStart for a number of players outside the write-up's range, and for five or more at one deck of
    `small_shelf`, which has only four Kings.
    """
    agreed = read_options(config, OPTIONS)
    ruleset, decks = agreed["ruleset"], agreed["decks"]
    names = read_players(config, *FEWEST_AND_MOST[ruleset])
    if decks == 3 and ruleset == "joris":
        raise BadStart('option "decks" can be 3 only with the ruleset small_shelf')
    if ruleset == "small_shelf" and decks == 1 and len(names) > KINGS_IN_A_DECK:
        raise BadStart('one deck has four Kings, so at most 4 can play small_shelf with it; set option "decks" to 3')
    starter = names[0] if agreed["starter"] is None else agreed["starter"]
    if starter not in names:
        raise BadStart('option "starter" must be one of the players')
    options = Options(
        ruleset=ruleset,
        decks=decks,
        open_bid=agreed["open_bid"],
        fortune_favours_the_bold=agreed["fortune_favours_the_bold"],
    )
    return State(options=options, players=tuple(Player(name=name) for name in names), starter=starter)
