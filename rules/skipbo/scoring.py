"""How a game and a match are won."""

from dataclasses import replace

from linesies.rules.game import Ruling
from linesies.rules.skipbo.piles import Step
from linesies.rules.skipbo.state import Phase, Side, State

FOR_WINNING = 25
FOR_EACH_CARD = 5


def object_of_the_game(state: State, owner: str) -> Step:
    """See whether a stock pile is finished, and with it all of its side's (`Object`, `Partners`)."""
    if state.player(owner).stock.cards:
        return state, ()
    finished = Ruling("stock_finished", "Object", {"player": owner})
    side = state.side_of(owner)
    if any(stock.cards for stock in state.stocks_of(side)):
        return state, (finished,)
    state, rulings = win(state, side)
    return state, (finished, *rulings)


def win(state: State, side: Side) -> Step:
    """Score a game won: 25, and 5 for each card in the opponents' stock piles that are in play (`Scoring`).

    At the target, or without one, the match is over.
    """
    others = [other for other in state.sides if other != side and state.has_cards_in_play(other)]
    left = sum(stock.cards for other in others for stock in state.stocks_of(other))
    points = FOR_WINNING + FOR_EACH_CARD * left
    score = side.score + points
    sides = tuple(replace(side, score=score) if other == side else other for other in state.sides)
    state = replace(state, sides=sides, turn=None, phase=Phase.BETWEEN)
    players, target = list(side.players), state.options.target
    won = Ruling("game_won", "Scoring", {"players": players, "points": points})
    if target is not None and score < target:
        return state, (won,)
    state = replace(state, phase=Phase.OVER, winners=side.players)
    return state, (won,) if target is None else (won, Ruling("match_won", "Scoring", {"players": players}))
