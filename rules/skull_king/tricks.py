"""The course of a trick: a card is played, suits are followed or not, the trick is taken, someone leads the next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.game import Refused, Ruling
from linesies.rules.skull_king.captures import additional_cards, bonus_points, is_ghost
from linesies.rules.skull_king.cards import EXPANSIONS, PIRATES, TIGRESS
from linesies.rules.skull_king.scoring import score_the_round
from linesies.rules.skull_king.state import GRAYBEARD, Pending, Phase, PlayedCard, State, Void
from linesies.rules.skull_king.winning import TrickOutcome, outcome_of

Step = tuple[State, tuple[Ruling, ...]]


def play_a_card(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Play a card face up (`On Your Turn`); a tigress is declared, Graybeard's is an escape (`Two-Player Rules`)."""
    name, card = event["player"], event["card"]
    if card in EXPANSIONS and EXPANSIONS[card] not in state.options.expansions:
        return Refused("card_not_in_game", {"card": card})
    declared = event.get("as") if card == TIGRESS else None
    if card == TIGRESS and is_ghost(state, name):
        declared = "escape"
    if card == TIGRESS and declared is None:
        return Refused("tigress_undeclared", {"player": name})
    played = PlayedCard(player=name, card=card, declared=declared)
    state = replace(_out_of_hand(state, name), seen=(*state.seen, card))
    state, contradicted = the_cards(state, played)
    state, revoked = following_suit(state, played)
    state = replace(state, table=(*state.table, played))
    state, taken = take_the_trick(state) if len(state.table) == len(state.order) else (state, ())
    return state, contradicted + revoked + taken


def the_cards(state: State, played: PlayedCard) -> Step:
    """Notice more copies of a card in a round than exist (`The Carrrds`); the play stands."""
    if not state.is_seen_too_often(played.card):
        return state, ()
    details = {"player": played.player, "kind": "card_twice", "card": played.card}
    return state, (Ruling("contradiction", "The Carrrds", details),)


def following_suit(state: State, played: PlayedCard) -> Step:
    """Notice a suit that was hidden before, and record one that is not followed now (`Suit Cards`).

    Only numbers must follow suit, and hands are unseen: giving another suit is a claim to have none of it. Graybeard
    need not follow (`Two-Player Rules`). A revoke is announced; the play and the score stand.
    """
    if played.kind != "number" or is_ghost(state, played.player):
        return state, ()
    player = state.player(played.player)
    hidden = [void for void in player.voids if void.suit == played.suit]
    voids = tuple(void for void in player.voids if void.suit != played.suit)
    if state.suit not in (None, played.suit):
        voids = (*voids, Void(suit=state.suit or "", trick=state.trick))
    rulings = tuple(
        Ruling("revoke", "Suit Cards", {"player": player.name, "suit": v.suit, "trick": v.trick, "card": played.card})
        for v in hidden
    )
    return state.with_player(replace(player, voids=voids)), rulings


def take_the_trick(state: State) -> Step:
    """Give a complete trick to its winner with all that it brings, or to nobody (`On Your Turn`)."""
    outcome = outcome_of(state.table)
    if outcome.is_won:
        state, rulings = win_the_trick(state, outcome)
    else:
        name, trick = outcome.card.player, state.trick
        code = f"trick_{outcome.by}"
        state = replace(state, leader=leader_after_a_beast(state, outcome))
        rulings = (Ruling(code, outcome.rule, {"player": name, "trick": trick}),)
    state = replace(state, table=())
    state, more = advanced_pirate_abilities(state, outcome)
    return state, rulings + more


def win_the_trick(state: State, outcome: TrickOutcome) -> Step:
    """Count the trick for its winner, who leads next, with bonus points and alliances (`On Your Turn`)."""
    winner = outcome.card.player
    details = {"player": winner, "trick": state.trick, "card": outcome.card.card, "by": outcome.by}
    won = Ruling("trick_won", outcome.rule, details)
    if state.graybeard is not None and is_ghost(state, winner):
        state = replace(state, graybeard=replace(state.graybeard, tricks=state.graybeard.tricks + 1))
    else:
        player = state.player(winner)
        state = state.with_player(replace(player, tricks=player.tricks + 1))
    state, bonus = bonus_points(state, outcome)
    state, allied = additional_cards(state, outcome)
    return replace(state, leader=winner), (won, *bonus, *allied)


def leader_after_a_beast(state: State, outcome: TrickOutcome) -> str:
    """Find who leads after a trick that nobody won (`Leviathans From The Depths`).

    Left of the Kraken's player, or the idle whale's player himself. Graybeard leads only after winning: in both cases
    who played next after him.
    """
    name = outcome.card.player
    if is_ghost(state, name):
        return state.order[state.order.index(name) + 1]
    return state.left_of(name) if outcome.by == "destroyed" else name


def advanced_pirate_abilities(state: State, outcome: TrickOutcome) -> Step:
    """Offer a named pirate's ability to the one who won with him (`Advanced Pirate Abilities`).

    It comes before the next lead; after the last trick of a round only Harry has one.
    """
    pirate = outcome.card.card.removeprefix("PIRATE:")
    is_due = (
        state.options.pirate_abilities
        and outcome.by == "pirate"
        and pirate in PIRATES
        and not is_ghost(state, outcome.card.player)
        and (state.trick < state.cards or pirate == "harry")
    )
    if not is_due:
        return next_trick(state)
    pending = Pending(player=outcome.card.player, pirate=pirate)
    ready = Ruling("ability_ready", "Advanced Pirate Abilities", {"player": pending.player, "pirate": pirate})
    return replace(state, phase=Phase.ABILITY, pending=pending), (ready,)


def next_trick(state: State) -> Step:
    """Go on with the next trick, or score the round after the last one (`On Your Turn`)."""
    state = replace(state, pending=None)
    if state.trick == state.cards:
        return score_the_round(state)
    assert state.leader is not None
    order = order_led_by(state, state.leader)
    return replace(state, phase=Phase.PLAY, trick=state.trick + 1, order=order), ()


def order_led_by(state: State, leader: str) -> tuple[str, ...]:
    """Give the order of a trick: clockwise from its leader, Graybeard second (`On Your Turn`, `Two-Player Rules`).

    Where he leads, the players follow in the order that they had in the trick before.
    """
    if is_ghost(state, leader):
        return (leader, *(name for name in state.order if name != leader))
    names = [player.name for player in state.playing]
    seat = names.index(leader)
    first, *rest = names[seat:] + names[:seat]
    return (first, GRAYBEARD, *rest) if state.graybeard is not None else (first, *rest)


def _out_of_hand(state: State, name: str) -> State:
    if state.graybeard is not None and is_ghost(state, name):
        return replace(state, graybeard=replace(state.graybeard, hand=state.graybeard.hand - 1))
    player = state.player(name)
    return state.with_player(replace(player, hand=player.hand - 1))
