"""What people set right of a game of Skip-Bo: the cards of somebody's stock and hand, and his side's points."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.forms import a_number
from linesies.rules.game import Refused
from linesies.rules.setting_right import correct_form, corrected
from linesies.rules.skipbo.piles import Step
from linesies.rules.skipbo.state import FULL_HAND, Phase, State

MOST_STOCK, MOST_SCORE = 160, 5000

CORRECT = correct_form(
    a_number("stock_cards", 1, MOST_STOCK, is_optional=True),
    a_number("hand", 0, FULL_HAND, is_optional=True),
    a_number("score", 0, MOST_SCORE, is_optional=True),
)


def correct(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Give each player what people say; it finishes no stock pile, and between two games only points are set right."""
    for name, edit in event["players"].items():
        player, side = state.player(name), state.side_of(name)
        if state.phase is Phase.BETWEEN and set(edit) != {"score"}:
            return Refused("bad_correction", {"fault": "this game is over; only points count on"})
        stock = replace(player.stock, cards=edit.get("stock_cards", player.stock.cards))
        scored = replace(side, score=edit.get("score", side.score))
        state = replace(state, sides=tuple(scored if one == side else one for one in state.sides))
        state = state.with_player(replace(player, stock=stock, hand=edit.get("hand", player.hand)))
    return state, corrected(event["players"])
