"""Who wins a trick: one function a heading, tried from the beasts down to the escapes."""

from dataclasses import dataclass

from linesies.rules.skull_king.cards import TRUMP
from linesies.rules.skull_king.state import PlayedCard

Table = tuple[PlayedCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickOutcome:
    """How a trick ended: `by` what, resting on which heading, and the card that won it.

    `by` is suit, trump, first_escape, pirate, skull_king, mermaid or whale; or destroyed (by the Kraken) or discarded
    (an idle whale), where `card` is that beast's.
    """

    by: str
    rule: str
    card: PlayedCard

    @property
    def is_won(self) -> bool:
        """Whether somebody won the trick."""
        return self.by not in ("destroyed", "discarded")


def outcome_of(table: Table) -> TrickOutcome:
    """Say how a complete trick ends: beasts before characters before suits before escapes (`The Carrrds`)."""
    return leviathans(table) or character_cards(table) or suit_cards(table) or escape_cards(table)


def leviathans(table: Table) -> TrickOutcome | None:
    """Let the beast act, of two the later one (`Leviathans From The Depths`, `Roiling waters`)."""
    beasts = _of_kind(table, "kraken", "whale")
    if not beasts:
        return None
    both = len({beast.kind for beast in beasts}) > 1
    rule = "Roiling waters" if both else "Leviathans From The Depths"
    acts = kraken if beasts[-1].kind == "kraken" else white_whale
    return acts(table, beasts[-1], rule)


def kraken(table: Table, beast: PlayedCard, rule: str) -> TrickOutcome:  # noqa: ARG001 - one shape for both beasts
    """Destroy the trick: nobody wins (`Leviathans From The Depths`)."""
    return TrickOutcome(by="destroyed", rule=rule, card=beast)


def white_whale(table: Table, beast: PlayedCard, rule: str) -> TrickOutcome:
    """Let the highest number of any suit win, or discard a trick without numbers (`Leviathans From The Depths`)."""
    numbers = _of_kind(table, "number")
    if not numbers:
        return TrickOutcome(by="discarded", rule=rule, card=beast)
    return TrickOutcome(by="whale", rule=rule, card=max(numbers, key=_number))


def character_cards(table: Table) -> TrickOutcome | None:
    """Let characters win: a mermaid takes the Skull King, he the pirates, they the mermaids (`Character Cards`)."""
    kings, mermaids = _of_kind(table, "skull_king"), _of_kind(table, "mermaid")
    ranking = (mermaids if kings else (), kings, _of_kind(table, "pirate"), mermaids)
    best = next((cards[0] for cards in ranking if cards), None)
    return None if best is None else TrickOutcome(by=best.kind, rule="Character Cards", card=best)


def suit_cards(table: Table) -> TrickOutcome | None:
    """Let the highest trump win, else the highest of the suit led; of equals the first (`Suit Cards`)."""
    numbers = _of_kind(table, "number")
    if not numbers:
        return None
    trumps = tuple(played for played in numbers if played.suit == TRUMP)
    led = tuple(played for played in numbers if played.suit == numbers[0].suit)
    return TrickOutcome(by="trump" if trumps else "suit", rule="Suit Cards", card=max(trumps or led, key=_number))


def escape_cards(table: Table) -> TrickOutcome:
    """Let the first card win where nothing but escapes and loot was played (`Escape Cards`)."""
    return TrickOutcome(by="first_escape", rule="Escape Cards", card=table[0])


def _of_kind(table: Table, *kinds: str) -> Table:
    return tuple(played for played in table if played.kind in kinds)


def _number(played: PlayedCard) -> int:
    return played.number
