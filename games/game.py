"""A game as one value that names all its parts; what another package brings is such a value, too.

Heavy parts (boards, eyes, bots) are named by where they stand and loaded when they are wanted, as entry points are:
the page's process needs no eyes, and the rules alone need neither.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from linesies import rules
from linesies.games.calls import UmpireCalls
from linesies.games.tallies import Tally
from linesies.rules import Json

API = 1  # the version of this value; a package made for another one is set aside

Rectangle = tuple[float, float, float, float]  # x0, y0, x1, y1 from the mat's middle, y down


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is loaded when it is wanted; `where` is `package.module:name`."""

    where: str

    def load(self) -> Any:
        """Import it; raises ImportError or AttributeError where there is no such thing.

        >>> Part("math:sqrt").load()(9)
        3.0
        """
        module, _, name = self.where.partition(":")
        return getattr(import_module(module), name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Played with one cap a player, each of its own looks, over a painted board.

    `boards` loads a function that draws the board of a kind, such as `street`.
    """

    boards: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsOnMat:
    """Played with cards on a mat: a player's zone `seat_mm`, what lies between the rows of seats, `between` by name.

    `markers` is how many places each player has for what is won. `has_own_deck` says that an ordinary deck will not do;
    `most` is how many may sit at a mat, `places` how many lie side by side in a player's zone; `has_doubles` says that
    faces are not each there once, so that one may come to lie on another like it. `tells` loads what makes events of
    what hands do: a function of where each player sits, (shoulders) -> `Teller` of `vision/cards/table`.
    """

    seat_mm: tuple[float, float]
    middle_mm: tuple[float, float]
    most: int
    between: Mapping[str, Rectangle] = field(default_factory=dict)
    markers: int = 0
    has_own_deck: bool = True
    places: int = 1
    has_doubles: bool = False
    tells: Part

    def teller(self, shoulders: Mapping[str, Any]) -> Any:
        """Make what tells this game's events, for players who sit there."""
        return self.tells.load()(shoulders)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEyes:
    """Seen by eyes that its package brings: `eyes` loads a function (calibration, players) -> eyes.

    What eyes must offer is told by `Eyes` in `device/loop`.
    """

    eyes: Part


@dataclass(frozen=True, slots=True)
class Doubt:
    """What people are asked of something seen that fits the rules in several ways: why, and each answer's event."""

    why: str
    answers: tuple[tuple[str, Json], ...]  # what people tap, and the event that it means, the likeliest first


def no_doubt(_event: Json, _public: Json) -> Doubt | None:
    """Take what was seen as it is."""
    return None


def no_reading(_event: Json, _public: Json) -> Iterable[tuple[str, str]]:
    """Guess at no card."""
    return ()


def no_weight(_player: Json) -> bool:
    """Say that no later ruling depends on where a cap came to rest."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: its rules and words, how it is seen, what its players may say of themselves, what is secret, its page.

    `own_events` are those that a player says of himself, without anybody's agreement. `secrets` names the kinds of
    event that are kept from others, each with the ruling by which all that was kept back becomes known. `labels` say
    places as people do. `put_back` are the codes of rulings after which people put a player's cap back where it lay.
    `is_place_weighty` tells of a player's public entry whether later rulings depend on where
    the cap lies. `penalty` gives the event by which a player loses his next turn, from his entry. `keep` gives the
    event that sets right just what one entry would have changed, from the public states right after it, as it was and
    as it would be, and of now. `head_start` gives the event by which, right after the start, these players go on to
    these boxes. `unread` lists (label, name) of what a card or a die that could not be read may have been, and `doubt`
    asks what only people know of a seen event; both are told the event and the public state. `tallies` are counted of
    each player in a game and over all games, `columns` what a game's picture shows of them and of the public state, and
    `decisive` how much each code of a ruling turns a game, a won one being 20. `calls` are the umpire's. Of rulings,
    named as his calls are, `made` say that a shot came where it was to.
    `page` is the game's page module: its path among the page's own files (a game of the house), or the folder with the
    `game.js` that its package brings.
    """

    rules: rules.GameRules[Any]
    seen: Caps | CardsOnMat | OwnEyes
    own_events: frozenset[str] = frozenset()
    secrets: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    put_back: frozenset[str] = frozenset()
    is_place_weighty: Callable[[Json], bool] = no_weight
    penalty: Callable[[Json], Json | None] | None = None
    keep: Callable[[Json, Json, Json], Json | None] | None = None
    head_start: Callable[[Mapping[str, int]], Json | None] | None = None
    unread: Callable[[Json, Json], Iterable[tuple[str, str]]] = no_reading
    doubt: Callable[[Json, Json], Doubt | None] = no_doubt
    decisive: Mapping[str, float] = field(default_factory=dict)
    calls: UmpireCalls = field(default_factory=UmpireCalls)
    made: frozenset[str] = frozenset()
    tallies: tuple[Tally, ...] = ()
    columns: tuple[str, ...] = ("score", "points", "tricks")
    page: Path | str | None = None
    api: int = API

    @property
    def name(self) -> str:
        """Name the game as its start event does."""
        return self.rules.name

    @property
    def needs_caps(self) -> bool:
        """Tell whether each player needs a cap that is known by its looks."""
        return isinstance(self.seen, Caps)

    @property
    def has_own_deck(self) -> bool:
        """Tell whether it is played with cards of its own, which are learned from photographs."""
        return isinstance(self.seen, CardsOnMat) and self.seen.has_own_deck

    def label(self, location: str) -> str:
        """Say where a cap lies as people do.

        >>> from linesies.games.skully import SKULLY
        >>> SKULLY.label("skull2"), SKULLY.label("7")
        ('In the skull', 'In 7')
        """
        return self.labels.get(location, f"In {location}")
