"""What people set right of a game of Skull King: somebody's tricks and bonus in this round, and the score."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.forms import a_number
from linesies.rules.game import Refused
from linesies.rules.setting_right import correct_form, corrected
from linesies.rules.skull_king.state import Player, State
from linesies.rules.skull_king.tricks import Step

MOST_TRICKS, MOST_BONUS, MOST_SCORE = 35, 500, 5000

CORRECT = correct_form(
    a_number("tricks", 0, MOST_TRICKS, is_optional=True),
    a_number("bonus", 0, MOST_BONUS, is_optional=True),
    a_number("score", -MOST_SCORE, MOST_SCORE, is_optional=True),
)


def correct(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Give each player what people say; of the score, the last round that was counted takes the difference."""
    for name, edit in event["players"].items():
        player = state.player(name)
        if edit.get("tricks", 0) > state.cards:
            return Refused("bad_correction", {"fault": f"this round has {state.cards} tricks"})
        if "score" in edit and not player.rounds:
            return Refused("bad_correction", {"fault": "no round has been counted yet"})
        state = state.with_player(_set_right(player, edit))
    return state, corrected(event["players"])


def _set_right(player: Player, edit: Mapping[str, int]) -> Player:
    rounds = player.rounds
    if "score" in edit:
        rounds = (*rounds[:-1], rounds[-1] + edit["score"] - player.score)
    tricks, bonus = edit.get("tricks", player.tricks), edit.get("bonus", player.bonus)
    return replace(player, tricks=tricks, bonus=bonus, rounds=rounds)
