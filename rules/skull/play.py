"""One function a rule: placing, bidding, passing, flipping, losing a card.

Each takes a state in which the event is allowed at all (its phase, its player's turn) and gives what follows, or why
the rule refuses it. Headings of both write-ups stand in each docstring, `joris` first.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.game import Refused, Ruling
from linesies.rules.skull.announce import announce
from linesies.rules.skull.contradictions import contradictions, is_flower, is_skull
from linesies.rules.skull.state import Bid, Due, FlippedCard, Phase, State, who_waited_plays

Step = tuple[State, tuple[Ruling, ...]]
POINTS_TO_WIN = 2


def start_of_a_round(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Place the first card, all in any order as if at once (`Start of a round`; `Placement Phase` 1)."""
    name = event["player"]
    if state.player(name).pile:
        return Refused("already_placed", {"player": name})
    return all_placed(_put_card_down(state, name))


def all_placed(state: State) -> Step:
    """Begin the turns once everyone has put a card down (`Start of a round`; `Placement Phase` 1)."""
    if not all(player.pile for player in state.still_in()):
        return state, ()
    state = replace(state, phase=Phase.PLACE, turn=state.starter)
    return state, (announce(state, "all_placed", player=state.starter),)


def place_another_card(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Place one more card on one's own pile; an empty hand must bid (`Player turns`; `Placement Phase` 2.1)."""
    name = event["player"]
    if state.player(name).hand == 0:
        return Refused("no_card_left", {"player": name})
    return turn_goes_on(_put_card_down(state, name), name), ()


def make_a_bet(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Open the bidding, or raise the bid (`Player turns`; `Placement Phase` 2.2, `Bidding Phase`; `Open Bid`).

    Refused under 1, not above the bid, or above the number of cards on the table. The highest possible bid ends the
    bidding at once. A pass lasts for the round in `joris`; in `small_shelf` a raise clears all passes. With open bid
    the bidder's own pass is withdrawn, and nobody raises himself.
    """
    name, number, table = event["player"], event["number"], state.cards_on_table()
    if state.bid and state.bid.player == name:
        return Refused("own_bid", {"player": name, "bid": state.bid.number})
    least = state.bid.number + 1 if state.bid else 1
    if number < least:
        return Refused("bid_too_low", {"player": name, "least": least})
    if number > table:
        return Refused("bid_too_high", {"player": name, "most": table})
    opens = state.bid is None
    passed = state.passed - {name} if state.options.ruleset == "joris" else frozenset[str]()
    state = replace(state, phase=Phase.BID, bid=Bid(player=name, number=number), passed=passed)
    rulings = (announce(state, "bidding_opened", player=name, bid=number),) if opens else ()
    if number == table:
        state, challenge = challenger(state)
        return state, rulings + challenge
    return turn_goes_on(state, name), rulings


def pass_the_bid(state: State, event: Mapping[str, Any]) -> Step:
    """Pass; once everyone else has, the bidder is challenger (`Player turns`; `Bidding Phase` 2.2, 3)."""
    name = event["player"]
    state = replace(state, passed=state.passed | {name})
    if all(player.name in state.passed for player in state.still_in() if player.name != state.highest.player):
        return challenger(state)
    return turn_goes_on(state, name), ()


def challenger(state: State) -> Step:
    """Make the highest bidder reveal what the bid promises (`Player turns`; `Bidding Phase` 3)."""
    state = replace(state, phase=Phase.REVEAL, turn=state.highest.player)
    return state, (announce(state, "challenge", player=state.highest.player, bid=state.highest.number),)


def revealing_cards(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Flip the top card of a pile, one's own whole pile first (`Revealing cards`; `Reveal Phase` 1, 3).

    A card that contradicts what was seen before still counts as seen.
    """
    name, card, owner = event["player"], event["card"], state.player(event["owner"])
    if owner.name != name and state.player(name).face_down:
        return Refused("own_pile_first", {"player": name})
    if not owner.face_down:
        return Refused("pile_empty", {"owner": owner.name})
    if not (is_flower(state.options, card) or is_skull(state.options, card)):
        return Refused("not_a_game_card", {"card": card, "ruleset": state.options.ruleset})
    flip = FlippedCard(card=card, round=state.round)
    broken = contradictions(state, owner, flip)
    rulings = tuple(announce(state, "contradiction", player=owner.name, kind=kind, card=card) for kind in broken)
    top = owner.face_down - 1
    pile = (*owner.pile[:top], card, *owner.pile[top + 1 :])
    state = state.with_player(replace(owner, pile=pile, shown=(*owner.shown, flip)))
    state = replace(state, flipped=state.flipped + 1)
    state, outcome = skull_or_success(state, event)
    return state, rulings + outcome


def skull_or_success(state: State, event: Mapping[str, Any]) -> Step:
    """Stop the challenger at a skull, or at the last flower (`Revealing cards`; `Reveal Phase` 2, 4, 5)."""
    name, owner, card = event["player"], event["owner"], event["card"]
    if is_skull(state.options, card):
        due = Due(player=name, by=owner)
        state = replace(state, phase=Phase.LOSS, loss=due, turn=due.by)
        return state, (announce(state, "skull_shown", player=name, owner=owner, card=card),)
    if state.flipped == state.highest.number:
        return challenge_won(state)
    return state, ()


def challenge_won(state: State) -> Step:
    """Give the challenger a point; the second wins the game (`Revealing cards`; `Consquences Phase` 2)."""
    name = state.highest.player
    points = state.player(name).points + 1
    state = state.with_player(replace(state.player(name), points=points))
    won = announce(state, "challenge_won", player=name, bid=state.highest.number, points=points)
    if points == POINTS_TO_WIN:
        state, end = end_of_the_game(state, name, how="points")
    else:
        state, end = next_round(state, name)
    return state, (won, *end)


def lose_a_card(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Take a card from the challenger, who is out without any (`Revealing cards`; `Consquences Phase` 2, 3).

    He chooses it himself if the skull was his own, else the skull's owner draws it blindly; nobody else learns which.
    """
    name, by = event["player"], event["by"]
    if state.loss != Due(player=name, by=by):
        return Refused("wrong_chooser", {"player": name, "by": state.turn})
    loser = state.player(name).without_a_card()
    state = state.with_player(loser)
    rulings = [announce(state, "card_lost", player=name, by=by, left=loser.cards)]
    if loser.is_out:
        rulings.append(announce(state, "player_out", player=name))
    left = state.there()
    if len(left) == 1:
        state, end = end_of_the_game(state, left[0].name, how="last")
    else:
        state, end = next_round(state, next_starter(state, by))
    return state, (*rulings, *end)


def next_starter(state: State, skull_owner: str) -> str:
    """Find who starts after a failure (`Revealing cards`; `Consquences Phase` 4; `Fortune favours the Bold`).

    The skull's owner; with the variant the challenger, if still in. Is the one so found out: the next still in.
    """
    if state.options.fortune_favours_the_bold and not state.player(state.highest.player).is_out:
        return state.highest.player
    return first_in(state, skull_owner)


def first_in(state: State, name: str) -> str:
    """Name this player, or the next in turn order who plays (`Player turns`)."""
    return next(player.name for player in state.order_from(name) if not player.is_out)


def next_round(state: State, starter: str) -> Step:
    """Return all cards to their owners and start a round (`Revealing cards`; `Consquences Phase` 1, 4).

    Whoever has waited for it plays from now on.
    """
    state = replace(
        who_waited_plays(_piles_taken_back(state)),
        phase=Phase.FIRST,
        round=state.round + 1,
        starter=starter,
        turn=None,
        bid=None,
        passed=frozenset(),
        flipped=0,
        loss=None,
    )
    return state, (announce(state, "round_started", player=starter, round=state.round),)


def end_of_the_game(state: State, winner: str, *, how: str) -> Step:
    """End the game: two points, or the only one left with cards (`End of the game`; `End of the Game`)."""
    state = replace(_piles_taken_back(state), phase=Phase.OVER, turn=None, loss=None, winner=winner)
    return state, (announce(state, "game_won", player=winner, how=how),)


def _put_card_down(state: State, name: str) -> State:
    player = state.player(name)
    return state.with_player(replace(player, pile=(*player.pile, None)))


def turn_goes_on(state: State, name: str) -> State:
    """Give the turn to the next after this player who plays and has not passed (`Player turns`; `Bidding Phase`)."""
    ring = state.order_from(name)
    turn = next(player.name for player in ring[1:] if not player.is_out and player.name not in state.passed)
    return replace(state, turn=turn)


def _piles_taken_back(state: State) -> State:
    return replace(state, players=tuple(replace(player, pile=()) for player in state.players))
