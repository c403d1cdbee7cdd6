"""What people set right of a game of Skull: how many points and cards somebody has."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.forms import a_number
from linesies.rules.game import Refused
from linesies.rules.setting_right import correct_form, corrected
from linesies.rules.skull.play import POINTS_TO_WIN, Step
from linesies.rules.skull.state import FULL_HAND, Player, State

CORRECT = correct_form(
    a_number("points", 0, POINTS_TO_WIN - 1, is_optional=True), a_number("cards", 1, FULL_HAND, is_optional=True)
)


def correct(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Give each player what people say; it ends no game, and nobody has fewer cards than lie before him."""
    for name, edit in event["players"].items():
        player = state.player(name)
        if player.is_out:
            return Refused("player_out", {"player": name})
        if edit.get("cards", player.cards) < len(player.pile):
            return Refused("bad_correction", {"fault": f"{name} has {len(player.pile)} cards on the table"})
        state = state.with_player(_with_cards(replace(player, points=edit.get("points", player.points)), edit))
    return state, corrected(event["players"])


def _with_cards(player: Player, edit: Mapping[str, int]) -> Player:
    """Let cards be lost, or not have been: then the last losses fall away."""
    wanted = edit.get("cards", player.cards)
    while player.cards > wanted:
        player = player.without_a_card()
    losses = tuple(loss for loss in player.losses if loss.left >= wanted)
    return replace(player, cards=wanted, losses=losses)
