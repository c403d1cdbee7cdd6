"""The cards of Skull King: how many there are of each, and what each is in a trick."""

from collections.abc import Mapping

SUITS = ("P", "C", "M", "J")  # parrot, chest, map, Jolly Roger
TRUMP = "J"
NUMBERS = range(1, 15)
PIRATES = ("rosie", "bendt", "rascal", "juanita", "harry")
TIGRESS = "TIGRESS"

# every card that any game may hold, and how many there are of it
COPIES: Mapping[str, int] = {
    **{f"{suit}{number}": 1 for suit in SUITS for number in NUMBERS},
    "ESC": 5,
    **{f"PIRATE:{pirate}": 1 for pirate in PIRATES},
    TIGRESS: 1,
    "SK": 1,
    "MERMAID": 2,
    "KRAKEN": 1,
    "WHALE": 1,
    "LOOT": 2,
}
EXPANSIONS = {"KRAKEN": "kraken", "WHALE": "whale", "LOOT": "loot"}  # card -> the option that brings it

KIND_OF = {
    "ESC": "escape",
    "SK": "skull_king",
    "MERMAID": "mermaid",
    "KRAKEN": "kraken",
    "WHALE": "whale",
    "LOOT": "loot",
}


def kind_of(card: str, declared: str | None) -> str:
    """Say what a card is in its trick; a tigress is what was declared, `pirate` or `escape` (`Character Cards`)."""
    if card == TIGRESS:
        assert declared is not None
        return declared
    if card.startswith("PIRATE:"):
        return "pirate"
    return KIND_OF.get(card, "number")


def deck_size(options: frozenset[str]) -> int:
    """Count the cards of a game with these expansions."""
    return sum(copies for card, copies in COPIES.items() if EXPANSIONS.get(card, "") in ("", *options))
