"""How a match and each of its games begin."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.errors import BadStart
from linesies.rules.game import Ruling
from linesies.rules.options import (
    Choosing,
    Option,
    Preset,
    a_player,
    is_whole,
    read_options,
    read_players,
    whole,
    yes_or_no,
)
from linesies.rules.skipbo.state import Options, Phase, Pile, Player, Side, State, StockPile, Turn

FEWEST, MOST = 2, 6
PARTNERSHIPS = (4, 6)

OPTIONS = (
    whole("stock", 15, 1, 30),
    yes_or_no("partners", default=False),
    Option(
        "target",
        500,
        "a whole number from 1, or null",
        lambda value: value is None or is_whole(value, 1),
        choosing=Choosing(kind="number", least=25, step=25, none="A single game"),
    ),
    Option(
        "deck",
        162,
        "a whole number above players x stock",
        lambda value: is_whole(value, 1),
        choosing=Choosing(kind="number", least=3),
    ),
    a_player("dealer", none="The last player"),
)

PRESETS = (
    Preset("match", {"target": 500}),
    Preset("single", {"target": None}),
    Preset("short", {"stock": 10, "target": None}),
    Preset("partners", {"partners": True, "target": 500}),
)


def begin_match(config: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
    """Seat the players, form the sides, and deal the first game (`Setup`, `Partners`); raises BadStart."""
    agreed = read_options(config, OPTIONS)
    names = read_players(config, FEWEST, MOST)
    if agreed["partners"] and len(names) not in PARTNERSHIPS:
        raise BadStart('option "partners" needs 4 or 6 players')
    if agreed["deck"] <= len(names) * agreed["stock"]:
        raise BadStart(f'option "deck" must be above {len(names)} x {agreed["stock"]}, or no card is left to draw')
    dealer = names[-1] if agreed["dealer"] is None else agreed["dealer"]
    if dealer not in names:
        raise BadStart('option "dealer" must be one of the players')
    options = Options(stock=agreed["stock"], partners=agreed["partners"], target=agreed["target"], deck=agreed["deck"])
    bare = State(
        options=options,
        players=tuple(Player(name=name, stock=StockPile(cards=0)) for name in names),
        sides=sides_of(names, partners=options.partners),
        dealer=dealer,
        turn=None,
        draw=0,
        game_no=0,
    )
    return deal(bare, dealer)


def sides_of(names: tuple[str, ...], *, partners: bool) -> tuple[Side, ...]:
    """Form the sides: each for himself, or with the partner who sits opposite (`Partners`)."""
    if not partners:
        return tuple(Side(players=(name,)) for name in names)
    half = len(names) // 2
    return tuple(Side(players=pair) for pair in zip(names[:half], names[half:], strict=True))


def deal(state: State, dealer: str) -> tuple[State, tuple[Ruling, ...]]:
    """Deal a game: a stock pile each, the rest to draw; the player left of the dealer starts (`Setup`, `Play`)."""
    stock = state.options.stock
    starter = state.left_of(dealer)
    dealt = [name for side in state.sides if state.has_cards_in_play(side) for name in side.players]
    state = replace(
        state,
        phase=Phase.PLAY,
        game_no=state.game_no + 1,
        dealer=dealer,
        turn=Turn(player=starter),
        players=tuple(
            Player(name=one.name, stock=StockPile(cards=stock if one.name in dealt else 0), presence=one.presence)
            for one in state.players
        ),
        draw=state.options.deck - len(dealt) * stock,
        completed=0,
        building=(Pile(),) * len(state.building),
    )
    return state, (Ruling("game_started", "Setup", {"game_no": state.game_no, "dealer": dealer, "player": starter}),)


def next_game(state: State, event: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:  # noqa: ARG001 - one shape
    """Deal the next game of the match, by the player left of the last dealer (`Setup`)."""
    return deal(state, state.left_of(state.dealer))
