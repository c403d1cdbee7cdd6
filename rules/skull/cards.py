"""The cards of Skull: which are roses (flowers), which are skulls, in either write-up."""

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "H", "S")
STANDARD = frozenset(rank + suit for rank in RANKS for suit in SUITS)

FLOWERS = {
    "joris": frozenset(rank + suit for rank in RANKS[:9] for suit in "DH"),  # Setup: 3 red-coloured number cards
    "small_shelf": frozenset(rank + suit for rank in RANKS[:9] for suit in SUITS),  # Setup, 2
}
SKULLS = {
    "joris": frozenset(rank + suit for rank in "JQK" for suit in "CS"),  # Setup: 1 black-coloured face card
    "small_shelf": frozenset("K" + suit for suit in SUITS),  # Setup, 1
}


def number_of(card: str) -> str:
    """Give a card's rank: `10` of `10H`."""
    return card[:-1]
