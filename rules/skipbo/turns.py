"""Whose turn it is: ends of turns, and what was played out of turn."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.game import Refused, Ruling
from linesies.rules.skipbo.piles import Step
from linesies.rules.skipbo.state import FULL_HAND, State, Turn


def turn_of(state: State, name: str) -> Turn:
    """Make a player's turn: he draws up to five first, unless a penalty forbids it (`Play`, `Irregularity 2`)."""
    player = state.player(name)
    return Turn(player=name, draws_up=not player.no_draw and player.hand < FULL_HAND)


def begin_turn(state: State, name: str) -> Step:
    """Begin a player's proper turn (`Play`); one under the penalty plays without drawing first (`Irregularity 2`)."""
    rulings = [Ruling("turn_started", "Play", {"player": name})]
    if state.player(name).no_draw:
        rulings.append(Ruling("no_draw", "Irregularity 2", {"player": name}))
    return replace(state, turn=turn_of(state, name)), tuple(rulings)


def end_the_turn(state: State) -> Step:
    """End the turn; the player to the left is next (`Play`).

    A turn out of turn that nobody noticed counts, and play goes on to the left of the offender (`Irregularity 2`).
    A penalty is served by a proper turn alone.
    """
    ended = state.now.at_table
    if state.now.out_of_turn is None:
        state = state.with_player(replace(state.player(ended), no_draw=False))
        return begin_turn(state, state.left_of(ended))
    state, rulings = begin_turn(state, state.left_of(ended))
    return state, (Ruling("out_of_turn_stands", "Irregularity 2", {"player": ended}), *rulings)


def out_of_turn(state: State, name: str) -> State | None:
    """Give the table to one who draws or rolls out of turn, if the proper player has done neither (`Irregularity 2`).

    The referee says nothing: it is for another player to notice. None if the table is not to be had.
    """
    turn = state.now
    if turn.begun or turn.out_of_turn is not None:
        return None
    is_short = state.player(name).hand < FULL_HAND
    return replace(state, turn=Turn(player=turn.player, out_of_turn=name, draws_up=is_short))


def notice(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Stop a turn out of turn that another player notices (`Irregularity 2`).

    What was drawn and played stays, the turn goes back to the proper player, who never had to give it up, and the
    offender will have to play his next proper turn without drawing first.
    """
    offender = state.now.out_of_turn
    if offender is None:
        return Refused("nothing_to_notice")
    if offender == event["player"]:
        return Refused("own_error", {"player": offender})
    state = state.with_player(replace(state.player(offender), no_draw=True))
    stopped = Ruling("out_of_turn_stopped", "Irregularity 2", {"player": offender, "by": event["player"]})
    state, rulings = begin_turn(state, state.now.player)
    return state, (stopped, *rulings)
