"""What the flips prove: that a card cannot be honest, and where a skull must be.

Both write-ups deal each player three flowers and one skull (heading `Setup`). A flip that contradicts this stands and
is announced, one ruling a kind; the sources name no penalty. "Single" means that each card exists once: `joris`, or
`small_shelf` with one deck.
"""

from collections.abc import Callable, Iterable, Iterator

from linesies.rules.skull.cards import FLOWERS, SKULLS, number_of
from linesies.rules.skull.state import FULL_HAND, FlippedCard, Options, Player, State

FLOWERS_DEALT = 3
COPIES_OF_A_KING = 3  # with three decks


def is_single(options: Options) -> bool:
    """Say whether each card exists once."""
    return options.decks == 1


def is_flower(options: Options, card: str) -> bool:
    """Say whether this card is a rose in this write-up."""
    return card in FLOWERS[options.ruleset]


def is_skull(options: Options, card: str) -> bool:
    """Say whether this card is a skull in this write-up."""
    return card in SKULLS[options.ruleset]


def has_shown(player: Player, card: str) -> bool:
    """Say whether this card was ever flipped from this player's piles."""
    return any(shown.card == card for shown in player.shown)


def card_twice(state: State, owner: Player, flip: FlippedCard) -> bool:
    """Tell whether more copies were seen than exist: in other hands, or twice in this pile (`Setup`)."""
    is_new = not has_shown(owner, flip.card)
    showed_it = sum(has_shown(other, flip.card) for other in state.others(owner.name))
    if is_single(state.options):
        return (is_new and showed_it > 0) or flip in owner.shown
    copies = COPIES_OF_A_KING if is_skull(state.options, flip.card) else 1
    return is_new and showed_it >= copies


def second_skull(state: State, owner: Player, flip: FlippedCard) -> bool:
    """Tell whether this is the owner's second skull (`Setup`: one each)."""
    skulls = {shown.card for shown in owner.shown if is_skull(state.options, shown.card)}
    return is_skull(state.options, flip.card) and flip.card not in skulls and bool(skulls)


def fourth_flower(state: State, owner: Player, flip: FlippedCard) -> bool:
    """Tell whether this is the owner's fourth flower (`Setup`: three each)."""
    if not is_flower(state.options, flip.card):
        return False
    if is_single(state.options):
        different = {shown.card for shown in _flowers(state.options, owner.shown)}
        return flip.card not in different and len(different) >= FLOWERS_DEALT
    this_round = [shown for shown in _flowers(state.options, owner.shown) if shown.round == flip.round]
    return len(this_round) == FLOWERS_DEALT


def mixed_flowers(state: State, owner: Player, flip: FlippedCard) -> bool:
    """Tell whether a flower differs from the owner's first: in number, with three decks also in suit (`Setup` 2)."""
    first = next(_flowers(state.options, owner.shown), None)
    if state.options.ruleset != "small_shelf" or first is None or not is_flower(state.options, flip.card):
        return False
    if is_single(state.options):
        return not has_shown(owner, flip.card) and number_of(flip.card) != number_of(first.card)
    return not has_shown(owner, flip.card)


def too_many_cards(state: State, owner: Player, flip: FlippedCard) -> bool:
    """Tell whether more cards are proved than owned at the start or after any loss (`Setup`: four each)."""
    moments = [(FULL_HAND, 0), *((loss.left, loss.flips_before) for loss in owner.losses)]
    for owned, flips_before in moments:
        since = owner.shown[flips_before:]
        known_now = known(state.options, (*since, flip))
        if known_now > owned and known_now > known(state.options, since):
            return True
    return False


KINDS: tuple[tuple[str, Callable[[State, Player, FlippedCard], bool]], ...] = (
    ("card_twice", card_twice),
    ("second_skull", second_skull),
    ("fourth_flower", fourth_flower),
    ("mixed_flowers", mixed_flowers),
    ("too_many_cards", too_many_cards),
)


def contradictions(state: State, owner: Player, flip: FlippedCard) -> tuple[str, ...]:
    """Name each kind of contradiction (`Setup`) that this flip, not yet in the owner's record, brings to light."""
    return tuple(kind for kind, is_broken in KINDS if is_broken(state, owner, flip))


def known(options: Options, shown: Iterable[FlippedCard]) -> int:
    """Count the cards that these flips prove: the flowers, and one more if a skull is among them."""
    flips = tuple(shown)
    return flowers_known(options, flips) + any(is_skull(options, flip.card) for flip in flips)


def flowers_known(options: Options, shown: Iterable[FlippedCard]) -> int:
    """Count the flowers that these flips prove: different ones, or with three decks the most shown in one round."""
    flowers = tuple(_flowers(options, shown))
    if is_single(options):
        return len({flip.card for flip in flowers})
    rounds = [flip.round for flip in flowers]
    return max(map(rounds.count, rounds), default=0)


def skull_proof(options: Options, player: Player) -> str:
    """Say what the table has proved of a player's skull: `held`, `gone` or `unknown` (`Why Three Decks?`)."""
    if not player.losses or _shows_skull(options, player.shown[player.losses[-1].flips_before :]):
        return "held"
    for loss in player.losses:
        since = player.shown[loss.flips_before :]
        if flowers_known(options, since) >= loss.left and not _shows_skull(options, since):
            return "gone"
    return "unknown"


def _flowers(options: Options, shown: Iterable[FlippedCard]) -> Iterator[FlippedCard]:
    return (flip for flip in shown if is_flower(options, flip.card))


def _shows_skull(options: Options, shown: Iterable[FlippedCard]) -> bool:
    return any(is_skull(options, flip.card) for flip in shown)
