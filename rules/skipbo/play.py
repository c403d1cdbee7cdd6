"""One function a rule of a turn: turning up, drawing, rolling, playing, discarding, the die's actions.

Each takes a state in which the event is allowed at all (its phase, its player's turn, drawn and rolled where that comes
first) and gives what follows, or why the rule refuses it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linesies.rules.game import Refused, Ruling
from linesies.rules.skipbo.piles import NUMBERS_OF_FACE, Step, fault_of_sequence, lay_card, lay_die, take
from linesies.rules.skipbo.scoring import object_of_the_game
from linesies.rules.skipbo.state import FULL_HAND, Player, State, StockPile
from linesies.rules.skipbo.turns import end_the_turn

EXTRA_DISCARDS = 2


def turn_up(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Turn the top card of a stock pile face up (`Setup`: always turned up)."""
    player = state.player(event["player"])
    if player.stock.cards == 0:
        return Refused("stock_empty", {"player": player.name})
    if player.stock.top is not None:
        return Refused("already_up", {"player": player.name, "card": player.stock.top})
    return state.with_player(replace(player, stock=replace(player.stock, top=event["card"]))), ()


def draw(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Draw to a hand of five (`Play`); cards beyond it go to one's own stock (`Irregularity 1`).

    Refused to one who plays without drawing first (`Irregularity 2`), and beyond what there is to draw.
    """
    player, cards, owed = state.player(event["player"]), event["cards"], state.owed
    if owed == 0 and player.no_draw and state.now.out_of_turn is None:
        return Refused("no_draw_penalty", {"player": player.name})
    if cards > state.drawable:
        return Refused("draw_pile_empty", {"left": state.drawable})
    kept = min(cards, owed)
    player = replace(player, hand=player.hand + kept, stock=player.stock.with_more(cards - kept))
    still_owed = state.now.draws_up and player.hand < FULL_HAND
    turn = replace(state.now, begun=True, draws_up=still_owed)
    state, rulings = take(replace(state.with_player(player), turn=turn), cards)
    if cards > kept:
        extra = Ruling("too_many_drawn", "Irregularity 1", {"player": player.name, "extra": cards - kept})
        rulings = (*rulings, extra)
    return state, rulings


def roll(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Roll the die, once in a turn (`Die`)."""
    die = state.now.die
    if die.face is not None:
        return Refused("already_rolled", {"face": die.face})
    turn = replace(state.now, begun=True, die=replace(die, face=event["face"]))
    return replace(state, turn=turn), ()


def play(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Play a card to a building pile (`Play`, `Building piles`), over the die if it stands in for a number (`Die`)."""
    owner = state.player(event.get("owner", event["player"]))
    number, die = event["pile"], event.get("die")
    pile = state.building[number - 1]
    fault = (
        fault_of_owner(state, event, owner)
        or fault_of_card(owner, event)
        or fault_of_die_as_number(state, die)
        or fault_of_sequence(pile, event["card"], event.get("as"), die)
    )
    if fault:
        return fault
    state, by_die = lay_die(state, number, die) if die is not None else (state, ())
    state, by_card = lay_card(state.with_player(without_card(owner, event)), number)
    state, outcome = after_a_play(state, owner.name, event["from"])
    return state, by_die + by_card + outcome


def fault_of_owner(state: State, event: Mapping[str, Any], owner: Player) -> Refused | None:
    """Refuse another's cards; a partner's stock and discard piles, never the hand, are as one's own (`Partners`)."""
    mine = (event["player"],) if event["from"] == "hand" else state.side_of(event["player"]).players
    return None if owner.name in mine else Refused("not_your_pile", {"owner": owner.name})


def fault_of_card(owner: Player, event: Mapping[str, Any]) -> Refused | None:
    """Refuse a card that is not there, or not on top of its stock or discard pile (`Play`: only the top card)."""
    if event["from"] == "hand":
        return None if owner.hand else Refused("no_card_there")
    if event["from"] == "stock":
        is_empty, top = owner.stock.cards == 0, owner.stock.top
    else:
        pile = owner.discards[event["n"] - 1]
        is_empty, top = not pile, pile[-1] if pile else None
    if is_empty:
        return Refused("no_card_there")
    return Refused("card_mismatch", {"top": top}) if top not in (None, event["card"]) else None


def fault_of_die_as_number(state: State, die: int | None) -> Refused | None:
    """Refuse the die as a number if it is used up, or if its face does not offer that number (`Die`)."""
    rolled = state.now.die
    if die is None:
        return None
    if rolled.used:
        return Refused("die_used")
    return None if die in NUMBERS_OF_FACE[rolled.face] else Refused("die_face", {"face": rolled.face})


def without_card(owner: Player, event: Mapping[str, Any]) -> Player:
    """Take the card played from its place; the stock's next card is not known until it is turned up (`Play`)."""
    if event["from"] == "hand":
        return replace(owner, hand=owner.hand - 1)
    if event["from"] == "stock":
        return replace(owner, stock=StockPile(cards=owner.stock.cards - 1))
    return owner.with_discards(event["n"], owner.discards[event["n"] - 1][:-1])


def after_a_play(state: State, owner: str, source: str) -> Step:
    """See whether the play emptied the hand (`Play`) or a stock pile (`Object`)."""
    if source == "hand":
        return play_all_five(state)
    return object_of_the_game(state, owner) if source == "stock" else (state, ())


def play_all_five(state: State) -> Step:
    """Let the one at the table draw five more once his hand is empty (`Play`)."""
    name = state.now.at_table
    if state.player(name).hand:
        return state, ()
    state = replace(state, turn=replace(state.now, draws_up=True))
    return state, (Ruling("hand_empty", "Play", {"player": name}),)


def discard(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Discard from the hand: to end the turn (`Play`), or as one of the die's two extra discards (`Die`)."""
    is_extra = event.get("die", False)
    die, player = state.now.die, state.player(event["player"])
    if is_extra and die.used:
        return Refused("die_used")
    if is_extra and die.face != "DISCARD2":
        return Refused("die_face", {"face": die.face})
    if not player.hand:
        return Refused("no_card_there")
    pile = (*player.discards[event["pile"] - 1], event["card"])
    state = state.with_player(replace(player, hand=player.hand - 1).with_discards(event["pile"], pile))
    if not is_extra:
        return end_the_turn(state)
    made = die.discards + 1
    die = replace(die, discards=made, used=made == EXTRA_DISCARDS)
    state, emptied = play_all_five(replace(state, turn=replace(state.now, die=die)))
    return state, (Ruling("die_used", "Die", {"player": player.name, "face": die.face, "value": None}), *emptied)


def opponent_draws(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Let an opponent draw a card to the bottom of his stock pile (`Die`)."""
    name, opponent, die = event["player"], state.player(event["opponent"]), state.now.die
    if die.used:
        return Refused("die_used")
    if die.face != "DRAW1":
        return Refused("die_face", {"face": die.face})
    theirs = state.side_of(opponent.name)
    if name in theirs.players or not state.has_cards_in_play(theirs):
        return Refused("not_an_opponent", {"opponent": opponent.name})
    if not state.drawable:
        return Refused("draw_pile_empty", {"left": 0})
    used = Ruling("die_used", "Die", {"player": name, "face": die.face, "value": None})
    drew = Ruling("opponent_drew", "Die", {"player": name, "opponent": opponent.name})
    state = state.with_player(replace(opponent, stock=opponent.stock.with_more(1)))
    state, reshuffled = take(replace(state, turn=replace(state.now, die=replace(die, used=True))), 1)
    return state, (used, *reshuffled, drew)


def end_without_discard(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """End a turn without a discard, which only an empty hand may do (`Play`)."""
    if state.player(event["player"]).hand:
        return Refused("discard_to_end", {"player": event["player"]})
    return end_the_turn(state)


def cheating(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Give a player guilty of cheating two cards, or what there is, under the top of his stock (`Partners`)."""
    if not state.options.partners:
        return Refused("no_partners")
    guilty = state.player(event["player"])
    cards = min(2, state.drawable)
    state = state.with_player(replace(guilty, stock=guilty.stock.with_more(cards)))
    state, reshuffled = take(state, cards)
    return state, (*reshuffled, Ruling("cheating_penalty", "Partners", {"player": guilty.name, "cards": cards}))
