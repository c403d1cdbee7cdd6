"""The values of a game of Skull King: hands that are only counted, bids kept secret until all are in, the trick.

The referee learns a card when it is played face up.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from linesies.rules.coming_and_going import Presence
from linesies.rules.skull_king.cards import COPIES, SUITS, kind_of

GRAYBEARD = "graybeard"  # the ghost who plays a third hand at two players
AT_GRAYBEARDS_TABLE = 2


class Phase(StrEnum):
    """Where the round stands."""

    DEAL = "deal"
    BID = "bid"
    LOAD = "load"
    PLAY = "play"
    ABILITY = "ability"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What people agreed on; `rounds` says how many cards each deals at most, `expansions` which cards are added."""

    scoring: str
    cannonball: bool
    expansions: frozenset[str]
    pirate_abilities: bool
    rounds: tuple[int, ...]
    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCard:
    """A card on the table: whose, which, and what a tigress was declared to be."""

    player: str
    card: str
    declared: str | None = None

    @property
    def kind(self) -> str:
        """What it is in this trick: number, escape, loot, pirate, mermaid, skull_king, kraken, whale."""
        return kind_of(self.card, self.declared)

    @property
    def suit(self) -> str:
        """The suit of a number card."""
        return self.card[0]

    @property
    def number(self) -> int:
        """The number of a number card."""
        return int(self.card[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Void:
    """A claim to hold no card of a suit: the player gave another suit in this trick."""

    suit: str
    trick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One player; bid and load are his secret until all are in, `bonus` and `bet` are this round's."""

    name: str
    hand: int = 0
    bid: int | None = None
    load: str | None = None
    tricks: int = 0
    bonus: int = 0
    bet: int = 0
    voids: tuple[Void, ...] = ()
    rounds: tuple[int, ...] = ()
    presence: Presence = "in"

    @property
    def score(self) -> int:
        """The points of all rounds."""
        return sum(self.rounds)

    @property
    def miss(self) -> int:
        """How far the tricks won are from the bid."""
        assert self.bid is not None
        return abs(self.bid - self.tricks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """Graybeard's hand and the tricks that he won."""

    hand: int = 0
    tricks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Alliance:
    """Who played a loot, and who won it."""

    player: str
    ally: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A pirate's ability that waits to be used or skipped."""

    player: str
    pirate: str


def hands(players: int) -> int:
    """Count the hands dealt: one a player, and a third for Graybeard at two (`Two-Player Rules`)."""
    return 3 if players == AT_GRAYBEARDS_TABLE else players


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A whole game at one moment; `players` clockwise, `order` that of the trick, `seen` the cards of the round."""

    options: Options
    players: tuple[Player, ...]
    dealer: str
    deck: int
    round: int = 1
    phase: Phase = Phase.DEAL
    trick: int = 0
    leader: str | None = None
    order: tuple[str, ...] = ()
    table: tuple[PlayedCard, ...] = ()
    seen: tuple[str, ...] = ()
    pending: Pending | None = None
    alliances: tuple[Alliance, ...] = ()
    graybeard: Ghost | None = None
    winners: tuple[str, ...] | None = None

    @property
    def cards(self) -> int:
        """The cards dealt to each hand in this round: as agreed, or as many as there are if more have joined."""
        return min(self.options.rounds[self.round - 1], self.options.deck // hands(len(self.playing)))

    @property
    def playing(self) -> tuple[Player, ...]:
        """Who plays this round, in seating order."""
        return tuple(player for player in self.players if player.presence == "in")

    @property
    def turn(self) -> str | None:
        """Who plays the next card."""
        return self.order[len(self.table)] if self.phase is Phase.PLAY else None

    @property
    def suit(self) -> str | None:
        """The suit to follow: a number's, if it leads but for escapes and loot (`Leading with Special Cards`)."""
        first = next((played for played in self.table if played.kind not in ("escape", "loot")), None)
        return first.suit if first and first.kind == "number" else None

    def player(self, name: str) -> Player:
        """Find a player by name."""
        return next(player for player in self.players if player.name == name)

    def names(self) -> tuple[str, ...]:
        """Name all in seating order, those who do not play included."""
        return tuple(player.name for player in self.players)

    def left_of(self, name: str) -> str:
        """Name the next player clockwise."""
        seat = self.names().index(name)
        return next(one.name for one in self.players[seat + 1 :] + self.players[: seat + 1] if one.presence == "in")

    def with_player(self, changed: Player) -> "State":
        """Give the state in which this player's record is the changed one."""
        return replace(self, players=tuple(changed if p.name == changed.name else p for p in self.players))

    def is_seen_too_often(self, card: str) -> bool:
        """Say whether more copies of a card were seen in this round than there are."""
        return self.seen.count(card) > COPIES[card]


def suits_of(voids: tuple[Void, ...]) -> list[str]:
    """List the suits with a record, in the order of the suits."""
    return [suit for suit in SUITS if any(void.suit == suit for void in voids)]
