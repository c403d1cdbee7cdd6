"""Who leaves a game of Skip-Bo and who joins it, by agreement: the rules say nothing of either."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.coming_and_going import cannot_join, joined, last_left, left, sat_down, sits_behind
from linesies.rules.game import Refused
from linesies.rules.skipbo.piles import Step, take
from linesies.rules.skipbo.setup import MOST
from linesies.rules.skipbo.state import Phase, Player, Side, State, StockPile
from linesies.rules.skipbo.turns import begin_turn


def leave(state: State, event: Mapping[str, Any]) -> Step:
    """Let a player go home: his hand goes under the draw pile, his other piles stay where they are.

    A partner plays on with them; without one they are out of play until he comes back.
    """
    name = event["player"]
    player = state.player(name)
    gone = replace(player, hand=0, no_draw=False, presence="left")
    state = replace(state.with_player(gone), draw=state.draw + player.hand)
    sides = [side for side in state.sides if state.has_cards_in_play(side)]
    if len(sides) == 1:
        winners = sides[0].players
        return replace(state, phase=Phase.OVER, turn=None, winners=winners), (left(name), last_left(list(winners)))
    state, rulings = turn_without(state, name)
    return state, (left(name), *rulings)


def turn_without(state: State, name: str) -> Step:
    """Pass over somebody who has left; one who played out of turn gives the table back."""
    turn = state.turn
    if turn is None or name not in (turn.player, turn.out_of_turn):
        return state, ()
    if turn.out_of_turn is None:
        return begin_turn(state, state.left_of(name))
    if turn.out_of_turn == name:
        return begin_turn(state, turn.player)
    proper = state.left_of(name)
    out_of_turn = None if proper == turn.out_of_turn else turn.out_of_turn
    return replace(state, turn=replace(turn, player=proper, out_of_turn=out_of_turn)), ()


def join(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Let somebody join late, last in turn and with a stock pile of his own, or come back to what he had.

    Who sits down behind somebody else plays after him.
    """
    name = event["player"]
    refused = cannot_join(name, {player.name: player.presence for player in state.players}, MOST)
    if refused is not None:
        return refused
    is_new = all(player.name != name for player in state.players)
    if is_new and state.options.partners:
        return Refused("fixed_sides")
    plays_on = not is_new and state.has_cards_in_play(state.side_of(name))
    comer = Player(name=name, stock=StockPile(cards=0)) if is_new else replace(state.player(name), presence="in")
    after = sits_behind(event, [player.name for player in state.players])
    state = seated(state, comer, after)
    if plays_on:
        return state, joined(name, "in", after)
    dealt = dealt_in(state, name)
    return dealt if isinstance(dealt, Refused) else (dealt[0], (*dealt[1], *joined(name, "in", after)))


def seated(state: State, comer: Player, after: str | None) -> State:
    """Seat somebody who joins; the sides stay in the order of their first player."""
    players = sat_down(state.players, comer, after)
    names = [player.name for player in players]
    is_new = all(player.name != comer.name for player in state.players)
    sides = (*state.sides, Side(players=(comer.name,))) if is_new else state.sides
    in_order = sorted(sides, key=lambda side: min(map(names.index, side.players)))
    return replace(state, players=players, sides=tuple(in_order))


def dealt_in(state: State, name: str) -> Step | Refused:
    """Deal to somebody whose side has nobody else: of its stock piles those that were never dealt."""
    dealt = [one for side in state.sides if state.has_cards_in_play(side) for one in side.players]
    bare = [
        one for one in state.side_of(name).players if state.phase is Phase.PLAY and not state.player(one).stock.cards
    ]
    stock = state.options.stock
    if state.options.deck <= len(dealt) * stock or state.drawable <= len(bare) * stock:
        return Refused("too_few_cards")
    for one in bare:
        state = state.with_player(replace(state.player(one), stock=StockPile(cards=stock)))
    return take(state, len(bare) * stock)
