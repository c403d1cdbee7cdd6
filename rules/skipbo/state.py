"""The values of a game of Skip-Bo: piles, counted hands, the die, and whose turn it is.

Hands are counted, never seen; a stock pile's top is known once it was turned up.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from linesies.rules.coming_and_going import Presence

FULL_HAND = 5
WILD = "SB"
NUMBERS = tuple(str(number) for number in range(1, 13))
CARDS = (*NUMBERS, WILD)


class Phase(StrEnum):
    """Whether a game is on, the next is to be dealt, or the match is decided."""

    PLAY = "play"
    BETWEEN = "between"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What people agreed on; a `target` of None is a single game."""

    stock: int
    partners: bool
    target: int | None
    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StockPile:
    """A stock pile: its cards, and the one on top if it was seen."""

    cards: int
    top: str | None = None

    def with_more(self, cards: int) -> "StockPile":
        """Give the pile with cards put under its face-up top."""
        return replace(self, cards=self.cards + cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One player: stock pile, number of cards in hand, discard piles (bottom first), and a penalty that waits."""

    name: str
    stock: StockPile
    hand: int = 0
    discards: tuple[tuple[str, ...], ...] = ((), (), (), ())
    no_draw: bool = False
    presence: Presence = "in"

    def with_discards(self, number: int, pile: tuple[str, ...]) -> "Player":
        """Give the player whose discard pile of this number, 1 to 4, is now `pile`."""
        return replace(self, discards=(*self.discards[: number - 1], pile, *self.discards[number:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """The die in this turn: its face once rolled, whether nothing of it is left, and the extra discards made."""

    face: str | None = None
    used: bool = False
    discards: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The turn being played: whose it properly is, who took it out of turn, and how far it has come.

    `draws_up` holds from the start of a turn, or from an emptied hand, until the hand is five.
    """

    player: str
    out_of_turn: str | None = None
    begun: bool = False
    draws_up: bool = True
    die: Die = Die()

    @property
    def at_table(self) -> str:
        """The one who plays, rightly or not."""
        return self.out_of_turn or self.player


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """A building pile: the number on top, 0 when empty, and its cards (the die is none)."""

    top: int = 0
    cards: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One player, or two partners, in seating order, and their points."""

    players: tuple[str, ...]
    score: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A match at one moment; `players` clockwise, `draw` and `completed` count cards; no `turn` between games."""

    options: Options
    players: tuple[Player, ...]
    sides: tuple[Side, ...]
    dealer: str
    turn: Turn | None
    draw: int
    game_no: int = 1
    phase: Phase = Phase.PLAY
    completed: int = 0
    building: tuple[Pile, ...] = (Pile(), Pile(), Pile(), Pile())
    winners: tuple[str, ...] | None = None

    @property
    def now(self) -> Turn:
        """The turn being played; asked for only while a game is on."""
        assert self.turn is not None
        return self.turn

    @property
    def drawable(self) -> int:
        """The cards in the draw pile and in the completed piles."""
        return self.draw + self.completed

    @property
    def owed(self) -> int:
        """The cards that the one at the table must still draw before anything else."""
        if self.turn is None or not self.turn.draws_up:
            return 0
        return min(FULL_HAND - self.player(self.turn.at_table).hand, self.drawable)

    def player(self, name: str) -> Player:
        """Find a player by name."""
        return next(player for player in self.players if player.name == name)

    def side_of(self, name: str) -> Side:
        """Find the side that a player is on."""
        return next(side for side in self.sides if name in side.players)

    def stocks_of(self, side: Side) -> Iterator[StockPile]:
        """Give a side's stock piles."""
        return (self.player(name).stock for name in side.players)

    def has_cards_in_play(self, side: Side) -> bool:
        """Tell whether somebody of a side is there, so that its stock and discard piles count."""
        return any(self.player(name).presence == "in" for name in side.players)

    def left_of(self, name: str) -> str:
        """Name the next player clockwise who is there."""
        seat = next(seat for seat, player in enumerate(self.players) if player.name == name)
        return next(one.name for one in self.players[seat + 1 :] + self.players[: seat + 1] if one.presence == "in")

    def with_player(self, changed: Player) -> "State":
        """Give the state in which this player's record is the changed one."""
        return replace(self, players=tuple(changed if p.name == changed.name else p for p in self.players))

    def with_pile(self, number: int, pile: Pile) -> "State":
        """Give the state in which the building pile of this number, 1 to 4, is now `pile`."""
        return replace(self, building=(*self.building[: number - 1], pile, *self.building[number:]))
