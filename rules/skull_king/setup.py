"""How a game of Skull King begins: who plays, what was agreed, how many cards each round deals."""

from collections.abc import Mapping
from typing import Any

from linesies.rules.errors import BadStart
from linesies.rules.options import (
    Choosing,
    Option,
    Preset,
    a_player,
    is_whole,
    one_of,
    read_options,
    read_players,
    yes_or_no,
)
from linesies.rules.skull_king.cards import EXPANSIONS, deck_size
from linesies.rules.skull_king.state import GRAYBEARD, Ghost, Options, Player, State, hands

FEWEST, MOST = 2, 8
USUAL_ROUNDS = range(1, 11)  # Dealing cards: 1 card in the first round, ... 10 in the tenth


def _are_rounds(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(is_whole(cards, 1) for cards in value)


OPTIONS = (
    one_of("scoring", "classic", "rascal"),
    yes_or_no("cannonball", default=False),
    yes_or_no("kraken", default=False),
    yes_or_no("whale", default=False),
    yes_or_no("loot", default=False),
    yes_or_no("pirate_abilities", default=False),
    Option(
        "rounds",
        None,
        "a list of whole numbers from 1",
        _are_rounds,
        choosing=Choosing(kind="numbers", least=1, most=35, none="1 to 10"),
    ),
    a_player("dealer", none="The last player"),
)

PRESETS = (
    Preset("beginners", {}),
    Preset("rascal", {"scoring": "rascal", "cannonball": True}),
    Preset("monsters", {"kraken": True, "whale": True}),
    Preset("everything", {"kraken": True, "whale": True, "loot": True, "pirate_abilities": True}),
    Preset("quick", {"rounds": [1, 3, 5, 7]}),
)


def setup(config: Mapping[str, Any]) -> State:
    """Seat the players and put the deck together (`Setup`, `Two-Player Rules`); raises BadStart."""
    agreed = read_options(config, OPTIONS)
    names = read_players(config, FEWEST, MOST)
    if agreed["cannonball"] and agreed["scoring"] != "rascal":
        raise BadStart('option "cannonball" goes only with the scoring rascal')
    if len(names) == FEWEST and GRAYBEARD in names:
        raise BadStart(f'with two players nobody may be called "{GRAYBEARD}"; he is the ghost who plays along')
    dealer = names[-1] if agreed["dealer"] is None else agreed["dealer"]
    if dealer not in names:
        raise BadStart('option "dealer" must be one of the players')
    expansions = frozenset(option for option in EXPANSIONS.values() if agreed[option])
    deck = deck_size(expansions)
    options = Options(
        scoring=agreed["scoring"],
        cannonball=agreed["cannonball"],
        expansions=expansions,
        pirate_abilities=agreed["pirate_abilities"],
        rounds=rounds_of(agreed["rounds"], deck // hands(len(names))),
        deck=deck,
    )
    players = tuple(Player(name=name) for name in names)
    ghost = Ghost() if len(names) == FEWEST else None
    return State(options=options, players=players, dealer=dealer, deck=deck, graybeard=ghost)


def rounds_of(agreed: list[int] | None, most: int) -> tuple[int, ...]:
    """Give the cards of each round (`Dealing cards`); the usual ones are cut to what the deck allows (`7-8 Players`).

    Raises BadStart if a round that was agreed on needs more cards than there are.
    """
    if agreed is None:
        return tuple(min(cards, most) for cards in USUAL_ROUNDS)
    if max(agreed) > most:
        raise BadStart(f'option "rounds" may deal at most {most} cards to so many players')
    return tuple(agreed)
