"""Which heading of which write-up each ruling of Skull rests on."""

from collections.abc import Mapping
from typing import Any

from linesies.rules.game import Ruling
from linesies.rules.skull.state import State

HEADINGS: Mapping[str, Mapping[str, str]] = {
    "joris": {
        "round_started": "Revealing cards",
        "all_placed": "Start of a round",
        "bidding_opened": "Player turns",
        "challenge": "Player turns",
        "contradiction": "Setup",
        "skull_shown": "Revealing cards",
        "challenge_won": "Revealing cards",
        "card_lost": "Revealing cards",
        "player_out": "End of the game",
        "game_won": "End of the game",
    },
    "small_shelf": {  # "Consquences" is the source's spelling
        "round_started": "Consquences Phase",
        "all_placed": "Placement Phase",
        "bidding_opened": "Bidding Phase",
        "challenge": "Bidding Phase",
        "contradiction": "Setup",
        "skull_shown": "Reveal Phase",
        "challenge_won": "Consquences Phase",
        "card_lost": "Consquences Phase",
        "player_out": "Consquences Phase",
        "game_won": "End of the Game",
    },
}
FIRST_ROUND = {"joris": "Setup", "small_shelf": "Gameplay"}
VARIANTS = "Variants"


def announce(state: State, code: str, **details: Any) -> Ruling:
    """Make a ruling that cites the heading of the write-up played by."""
    return Ruling(code, _heading(state, code), details)


def _heading(state: State, code: str) -> str:
    if code == "round_started" and state.round == 1:
        return FIRST_ROUND[state.options.ruleset]
    if code == "round_started" and state.options.fortune_favours_the_bold:
        return VARIANTS
    return HEADINGS[state.options.ruleset][code]
