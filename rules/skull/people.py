"""Who leaves a game of Skull and who joins it, by agreement: no write-up says anything of either."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.coming_and_going import cannot_join, joined, left, sat_down, sits_behind
from linesies.rules.game import Refused
from linesies.rules.skull.play import (
    Step,
    all_placed,
    end_of_the_game,
    first_in,
    next_round,
    next_starter,
    turn_goes_on,
)
from linesies.rules.skull.setup import most_players
from linesies.rules.skull.state import Due, Phase, Player, State, who_waited_plays


def leave(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Let a player go home, who takes his cards along; the others play on without them.

    A bid may have counted on them, so from the first bid on the round is begun anew. A card that another is to lose
    is lost all the same: with its chooser gone, he chooses himself.
    """
    name = event["player"]
    player = state.player(name)
    if player.presence == "left" or player.cards == 0:
        return Refused("player_out", {"player": name})
    state = state.with_player(replace(player, presence="left", pile=()))
    state, rulings = play_on_without(state, name)
    return state, (left(name), *rulings)


def play_on_without(state: State, name: str) -> Step:
    """Go on after somebody has left, as far as the round can."""
    there = state.there()
    if len(there) == 1:
        return end_of_the_game(replace(state, starter=there[0].name), there[0].name, how="last")
    if state.loss is not None and state.loss.player != name:
        due = Due(player=state.loss.player, by=state.loss.player) if state.loss.by == name else state.loss
        return replace(state, loss=due, turn=due.by), ()
    if len(state.still_in()) < 2 or state.phase not in (Phase.FIRST, Phase.PLACE):
        state = who_waited_plays(state)
        return next_round(state, next_starter(state, state.loss.by) if state.loss else first_in(state, state.starter))
    state = replace(state, starter=first_in(state, state.starter))
    if state.phase is Phase.FIRST:
        return all_placed(state)
    return (turn_goes_on(state, name) if state.turn == name else state), ()


def join(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Let somebody join late, with four cards and no point, or come back to what he had.

    He plays from the next round on, or at once while everybody puts down the first card.
    """
    name = event["player"]
    known = next((player for player in state.players if player.name == name), None)
    if known is not None and known.cards == 0:
        return Refused("player_out", {"player": name})
    present = {player.name: player.presence for player in state.players if player.cards}
    refused = cannot_join(name, present, most_players(state.options))
    if refused is not None:
        return refused
    comer = replace(known or Player(name=name), presence="in" if state.phase is Phase.FIRST else "waiting")
    after = sits_behind(event, [player.name for player in state.players])
    state = replace(state, players=sat_down(state.players, comer, after))
    return state, joined(name, comer.presence, after)
