"""The draw pile and the building piles: taking, building in sequence, completing, reshuffling, the die as a number."""

from collections.abc import Mapping
from dataclasses import replace

from linesies.rules.game import Refused, Ruling
from linesies.rules.skipbo.state import WILD, Pile, State

Step = tuple[State, tuple[Ruling, ...]]
LAST_NUMBER = 12
NUMBERS_OF_FACE: Mapping[str | None, range] = {
    None: range(0),  # not rolled yet
    "1-4": range(1, 5),
    "5-8": range(5, 9),
    "9-12": range(9, 13),
    WILD: range(1, 13),
    "DISCARD2": range(0),
    "DRAW1": range(0),
}
FACES = tuple(face for face in NUMBERS_OF_FACE if face)


def take(state: State, cards: int) -> Step:
    """Take cards from the draw pile, and on from the completed piles once it is used up (`Play`).

    The caller sees to it that there are so many; where they go is his affair.
    """
    return reshuffle(replace(state, draw=state.draw - cards))


def reshuffle(state: State) -> Step:
    """Make the completed piles the draw pile as soon as that is used up (`Play`)."""
    if state.draw > 0 or state.completed == 0:
        return state, ()
    reshuffled = Ruling("reshuffled", "Play", {"cards": state.completed})
    return replace(state, draw=state.drawable, completed=0), (reshuffled,)


def is_right(card: str, number: int) -> bool:
    """Say whether a card can be laid as this number; a wild is always right (`Building piles`)."""
    return card in (WILD, str(number))


def next_number(top: int) -> int:
    """Give the number that follows; after 12 comes the 1 of a new pile (`Building piles`)."""
    return top % LAST_NUMBER + 1


def fault_of_sequence(pile: Pile, card: str, said: int | None, die: int | None) -> Refused | None:
    """Refuse what breaks the sequence of a pile: the die, the card, or the number that it is said to be.

    The card follows the die if that stands in for a number, else the pile's top (`Building piles`, `Die`).
    """
    wanted = next_number(pile.top)
    if die is not None:
        if die != wanted:
            return Refused("out_of_sequence", {"wanted": wanted})
        wanted = next_number(die)
    if not is_right(card, wanted) or said not in (None, wanted):
        return Refused("out_of_sequence", {"wanted": wanted})
    return None


def lay_die(state: State, number: int, die: int) -> Step:
    """Let the die stand for a number on a pile; it is no card, but as 12 it completes the pile (`Die`)."""
    turn = state.now
    used = Ruling("die_used", "Die", {"player": turn.at_table, "face": turn.die.face, "value": die})
    state = replace(state, turn=replace(turn, die=replace(turn.die, used=True)))
    state, rulings = raise_pile(state, number, Pile(top=die, cards=state.building[number - 1].cards))
    return state, (used, *rulings)


def lay_card(state: State, number: int) -> Step:
    """Put a card that is right on a building pile (`Building piles`)."""
    pile = state.building[number - 1]
    return raise_pile(state, number, Pile(top=next_number(pile.top), cards=pile.cards + 1))


def raise_pile(state: State, number: int, pile: Pile) -> Step:
    """Set a pile; at 12 it is completed and removed, and a new one may start in its place (`Building piles`)."""
    if pile.top < LAST_NUMBER:
        return state.with_pile(number, pile), ()
    completed = Ruling("pile_completed", "Building piles", {"pile": number, "cards": pile.cards})
    state = replace(state.with_pile(number, Pile()), completed=state.completed + pile.cards)
    state, rulings = reshuffle(state)
    return state, (completed, *rulings)
