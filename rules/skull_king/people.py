"""Who leaves a game of Skull King and who joins it, by agreement: the rules say nothing of either."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.coming_and_going import cannot_join, joined, last_left, left, sat_down, sits_behind
from linesies.rules.game import Refused
from linesies.rules.skull_king.scoring import before_the_deal
from linesies.rules.skull_king.setup import MOST
from linesies.rules.skull_king.state import Phase, Player, State
from linesies.rules.skull_king.tricks import Step


def leave(state: State, event: Mapping[str, Any]) -> Step:
    """Let a player go home; the round is dealt anew without him, as if it had not begun."""
    name = event["player"]
    had_begun_to_play = state.player(name).presence == "in"
    state = state.with_player(replace(state.player(name), presence="left"))
    there = [player.name for player in state.players if player.presence != "left"]
    if len(there) == 1:
        over = replace(before_the_deal(replace(state, dealer=there[0])), phase=Phase.OVER, winners=tuple(there))
        return over, (left(name), last_left(there))
    if had_begun_to_play:
        state = before_the_deal(state)
        state = replace(state, dealer=state.left_of(name)) if state.dealer == name else state
    return state, (left(name),)


def join(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Let somebody join late, with nothing for the rounds before, or come back to his score; from the next deal on."""
    name = event["player"]
    refused = cannot_join(name, {player.name: player.presence for player in state.players}, MOST)
    if refused is not None:
        return refused
    is_new = name not in state.names()
    comer = Player(name=name, rounds=(0,) * (state.round - 1)) if is_new else state.player(name)
    comer = replace(comer, presence="waiting")
    after = sits_behind(event, state.names())
    state = replace(state, players=sat_down(state.players, comer, after))
    state = before_the_deal(state) if state.phase is Phase.DEAL else state
    return state, joined(name, state.player(name).presence, after)
