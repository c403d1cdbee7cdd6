"""What each named pirate can do for the one who won a trick with him: one function a pirate."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.game import Refused, Ruling
from linesies.rules.skull_king.state import State
from linesies.rules.skull_king.tricks import Step, next_trick

HEADING = "Advanced Pirate Abilities"
Used = tuple[State, dict[str, Any]]  # the state after it, and what is told of it
TRADED = 2


def rosie_d_laney(state: State, event: Mapping[str, Any]) -> Used | Refused:
    """Choose who leads the next trick, oneself included (`Advanced Pirate Abilities`); never Graybeard."""
    return replace(state, leader=event["leader"]), {"leader": event["leader"]}


def bendt_the_bandit(state: State, event: Mapping[str, Any]) -> Used | Refused:
    """Draw two undealt cards and discard as many (`Advanced Pirate Abilities`), fewer if fewer are left.

    After new cards a suit once missing may be there: the records of it go.
    """
    cards = min(TRADED, state.deck)
    if (event["drawn"], event["discarded"]) != (cards, cards):
        return Refused("wrong_count", {"cards": cards})
    player = state.player(event["player"])
    if cards:
        player = replace(player, voids=())
    return replace(state.with_player(player), deck=state.deck - cards), {"drawn": cards}


def rascal_of_roatan(state: State, event: Mapping[str, Any]) -> Used | Refused:
    """Bet 0, 10 or 20 points on one's own bid (`Advanced Pirate Abilities`)."""
    player = state.player(event["player"])
    return state.with_player(replace(player, bet=event["bet"])), {"bet": event["bet"]}


def juanita_jade(state: State, event: Mapping[str, Any]) -> Used | Refused:  # noqa: ARG001 - one shape
    """Look privately through the undealt cards (`Advanced Pirate Abilities`); nothing of it is public."""
    return state, {}


def harry_the_giant(state: State, event: Mapping[str, Any]) -> Used | Refused:
    """Change one's bid by one, or leave it (`Advanced Pirate Abilities`), within 0 and the cards dealt."""
    player = state.player(event["player"])
    assert player.bid is not None
    bid = player.bid + event["change"]
    if not 0 <= bid <= state.cards:
        return Refused("bid_out_of_range", {"most": state.cards})
    return state.with_player(replace(player, bid=bid)), {"bid": bid}


ABILITIES: Mapping[str, Callable[[State, Mapping[str, Any]], Used | Refused]] = {
    "rosie": rosie_d_laney,
    "bendt": bendt_the_bandit,
    "rascal": rascal_of_roatan,
    "juanita": juanita_jade,
    "harry": harry_the_giant,
}


def use_ability(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Use the ability of the pirate that won the trick, at once (`Advanced Pirate Abilities`)."""
    assert state.pending is not None
    if event["pirate"] != state.pending.pirate:
        return Refused("wrong_ability", {"pirate": state.pending.pirate})
    used = ABILITIES[event["pirate"]](state, event)
    if isinstance(used, Refused):
        return used
    changed, told = used
    ruling = Ruling("ability_used", HEADING, {"player": event["player"], "pirate": event["pirate"], **told})
    changed, rulings = next_trick(changed)
    return changed, (ruling, *rulings)


def skip_ability(state: State, event: Mapping[str, Any]) -> Step:
    """Forfeit an ability: it is no duty, but it does not wait (`Advanced Pirate Abilities`)."""
    assert state.pending is not None
    ruling = Ruling("ability_skipped", HEADING, {"player": event["player"], "pirate": state.pending.pirate})
    state, rulings = next_trick(state)
    return state, (ruling, *rulings)
