"""Dealing, bidding, and the choice of a cannon load."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.game import Refused, Ruling
from linesies.rules.skull_king.state import Ghost, Phase, State, hands
from linesies.rules.skull_king.tricks import order_led_by

Step = tuple[State, tuple[Ruling, ...]]


def dealing_cards(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Deal this round's cards; the player left of the dealer will lead (`Dealing cards`, `On Your Turn`)."""
    if event["player"] != state.dealer:
        return Refused("wrong_dealer", {"dealer": state.dealer})
    if event["cards"] != state.cards:
        return Refused("wrong_deal", {"cards": state.cards})
    leader = state.left_of(state.dealer)
    state = replace(
        state,
        phase=Phase.BID,
        trick=1,
        leader=leader,
        players=tuple(replace(p, hand=state.cards) if p.presence == "in" else p for p in state.players),
        graybeard=state.graybeard and Ghost(hand=state.cards),
        deck=state.options.deck - hands(len(state.playing)) * state.cards,
    )
    details = {"player": leader, "round": state.round, "cards": state.cards}
    return state, (Ruling("round_started", "Dealing cards", details),)


def bidding(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Take a bid, kept secret until all are in, as if all fists came down at once (`Bidding`)."""
    player = state.player(event["player"])
    if player.bid is not None:
        return Refused("already_bid", {"player": player.name})
    if not 0 <= event["bid"] <= state.cards:
        return Refused("bid_out_of_range", {"most": state.cards})
    state = state.with_player(replace(player, bid=event["bid"]))
    bids = {player.name: player.bid for player in state.playing}
    if None in bids.values():
        return state, ()
    state = replace(state, phase=Phase.LOAD) if state.options.cannonball else on_your_turn(state)
    return state, (Ruling("bids_revealed", "Bidding", {"bids": bids}),)


def changing_a_bid(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Take another bid for one's own while it is secret: no fist has come down yet (`Bidding`)."""
    player = state.player(event["player"])
    if player.bid is None:
        return Refused("no_bid_yet", {"player": player.name})
    if not 0 <= event["bid"] <= state.cards:
        return Refused("bid_out_of_range", {"most": state.cards})
    return state.with_player(replace(player, bid=event["bid"])), ()


def optional_rascal_rules(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Take a cannon load, likewise secret until all are in (`Optional Rascal Rules`)."""
    player = state.player(event["player"])
    if player.load is not None:
        return Refused("already_loaded", {"player": player.name})
    state = state.with_player(replace(player, load=event["load"]))
    loads = {player.name: player.load for player in state.playing}
    if None in loads.values():
        return state, ()
    return on_your_turn(state), (Ruling("loads_revealed", "Optional Rascal Rules", {"loads": loads}),)


def on_your_turn(state: State) -> State:
    """Let the player left of the dealer lead the first trick (`On Your Turn`)."""
    return replace(state, phase=Phase.PLAY, order=order_led_by(state, state.left_of(state.dealer)))
