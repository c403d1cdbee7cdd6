"""The values of a game of Skull: what lies on the table, what was shown, and what is known of it.

Cards lie face down: a pile is a count until its cards are flipped, and no hand is ever known.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from linesies.rules.coming_and_going import Presence

FULL_HAND = 4  # three flowers and a skull


class Phase(StrEnum):
    """Where the round stands."""

    FIRST = "first"
    PLACE = "place"
    BID = "bid"
    REVEAL = "reveal"
    LOSS = "loss"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What people agreed on before the game."""

    ruleset: str
    decks: int
    open_bid: bool
    fortune_favours_the_bold: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FlippedCard:
    """A card that was flipped from a player's pile, and the round in which it was."""

    card: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A card lost for good: how many the player still owned then, and how many flips his piles had seen by then."""

    left: int
    flips_before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One player: the cards owned, the pile in front of him (bottom first, None face down), and his past."""

    name: str
    cards: int = FULL_HAND
    pile: tuple[str | None, ...] = ()
    points: int = 0
    shown: tuple[FlippedCard, ...] = ()
    losses: tuple[Loss, ...] = ()
    presence: Presence = "in"

    @property
    def hand(self) -> int:
        """The number of cards not in the pile."""
        return self.cards - len(self.pile)

    @property
    def is_out(self) -> bool:
        """Whether he does not play: his last card is lost, or he is not there."""
        return self.cards == 0 or self.presence != "in"

    @property
    def face_down(self) -> int:
        """The number of cards in the pile that nobody has flipped."""
        return self.pile.count(None)

    def without_a_card(self) -> "Player":
        """Give the player after one card is lost; which one stays unknown."""
        loss = Loss(left=self.cards - 1, flips_before=len(self.shown))
        return replace(self, cards=loss.left, losses=(*self.losses, loss))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    """The highest bid: who made it, and how many cards it promises."""

    player: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A card about to be lost: whose, and who picks it."""

    player: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A whole game of Skull at one moment; `players` in turn order, `passed` in no order."""

    options: Options
    players: tuple[Player, ...]
    starter: str
    phase: Phase = Phase.FIRST
    round: int = 1
    turn: str | None = None
    bid: Bid | None = None
    passed: frozenset[str] = frozenset()
    flipped: int = 0
    loss: Due | None = None
    winner: str | None = None

    @property
    def highest(self) -> Bid:
        """The bid that stands; asked for only once the bidding is open."""
        assert self.bid is not None
        return self.bid

    def player(self, name: str) -> Player:
        """Find a player by name."""
        return next(player for player in self.players if player.name == name)

    def others(self, name: str) -> Iterator[Player]:
        """Give everyone but this player and those who have taken their cards along."""
        return (player for player in self.players if player.name != name and player.presence != "left")

    def still_in(self) -> tuple[Player, ...]:
        """Give those who play and own cards."""
        return tuple(player for player in self.players if not player.is_out)

    def there(self) -> tuple[Player, ...]:
        """Give those who own cards and have not left: who plays, and who waits for the next round."""
        return tuple(player for player in self.players if player.cards and player.presence != "left")

    def cards_on_table(self) -> int:
        """Count the cards in all piles."""
        return sum(len(player.pile) for player in self.players)

    def order_from(self, name: str) -> tuple[Player, ...]:
        """Give all players in turn order, beginning with this one."""
        seat = next(seat for seat, player in enumerate(self.players) if player.name == name)
        return self.players[seat:] + self.players[:seat]

    def with_player(self, changed: Player) -> "State":
        """Give the state in which this player's record is the changed one."""
        return replace(self, players=tuple(changed if p.name == changed.name else p for p in self.players))


def who_waited_plays(state: State) -> State:
    """Let those who wait for the next round play."""
    return replace(
        state,
        players=tuple(replace(one, presence="in") if one.presence == "waiting" else one for one in state.players),
    )
