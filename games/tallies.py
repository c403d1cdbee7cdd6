"""What is counted of a player in a game and over all games: a game says it itself, from its events and rulings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from linesies.games.calls import is_among
from linesies.rules import Json

Told = tuple[Json, Sequence[Json]]  # an event, and what the rules said of it
Names = tuple[str, ...]
TAKEN = frozenset({"name", "shots", "longest", "best_gap"})  # what is told of each player beside tallies


def _asked(ask: Callable[[], Names]) -> Names:
    return ask()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Rulings that are counted of a player, under a title that people read.

    `of` names the rulings as calls do, `whose` those of their details that name him. Each counts once, or as many as
    stand in its detail `adds`. What rulings do not tell one by one, `whom` reads off an event and its rulings: for each
    name that it gives one is counted, beside what `of` names; `asking` asks it, once for a whole count. `most`,
    `longest` and `fastest` are the titles of its records: most in a game, the most that stands in the detail
    `longest_of` of one ruling, most an hour, which is told under `an_hour`. What has no title is not told.
    """

    code: str
    title: str
    of: frozenset[str] = frozenset()
    whose: tuple[str, ...] = ("player",)
    adds: str = ""
    whom: Callable[[Json, Sequence[Json]], Iterable[str]] | None = None
    asking: Callable[[Callable[[], Names]], Names] = _asked
    most: str = ""
    longest: str = ""
    longest_of: str = ""
    an_hour: str = ""
    fastest: str = ""

    def count(self, name: str, told: Iterable[Told]) -> int:
        """Count what events and their rulings tell of a player."""
        those = tuple(told)
        own = self._own(name, (one for _, rulings in those for one in rulings))
        ruled = sum(_amount(one, self.adds) if self.adds else 1 for one in own)
        return ruled + self._named(those).count(name)

    def _named(self, told: Sequence[Told]) -> Names:
        """Give the names that `whom` reads off all events."""
        whom = self.whom
        if whom is None:
            return ()
        return self.asking(lambda: tuple(name for event, rulings in told for name in whom(event, rulings)))

    def largest(self, name: str, told: Iterable[Told]) -> int:
        """Find the most that stands in one ruling of a player's."""
        rulings = (one for _, those in told for one in those)
        return max((_amount(one, self.longest_of) for one in self._own(name, rulings)), default=0)

    def _own(self, name: str, rulings: Iterable[Json]) -> Iterable[Json]:
        those = (one for one in rulings if is_among(one, self.of))
        return (one for one in those if any(_names(one.get(key), name) for key in self.whose))


def fault_of_tallies(tallies: Any) -> str | None:
    """Say why what is said to be counted cannot be told beside what every game tells of a player; None: it can."""
    if not isinstance(tallies, tuple) or not all(isinstance(one, Tally) for one in tallies):
        return "has tallies that are no linesies.games.Tally"
    codes = [one.code for one in tallies]
    if len({*codes, *TAKEN}) < len(codes) + len(TAKEN):
        return f"has tallies of one code, or of one that is taken: {', '.join(sorted(TAKEN))}"
    return next((fault for one in tallies if (fault := _fault_of(one))), None)


def _fault_of(tally: Tally) -> str | None:
    if not isinstance(tally.whose, tuple):
        return 'has a tally whose "whose" is no tuple'
    if tally.whom is None:
        return None if tally.of else f'has a tally "{tally.code}" that counts nothing: neither "of" nor "whom" is given'
    return None if callable(tally.whom) else 'has a tally whose "whom" is no function'


def _amount(ruling: Json, detail: str) -> int:
    """Read a number of a ruling; what is none counts nothing."""
    value = ruling.get(detail)
    return value if isinstance(value, int) else 0


def _names(value: Any, name: str) -> bool:
    """Tell whether a detail of a ruling names a player, alone or among others."""
    return name in value if isinstance(value, list | tuple) else bool(value == name)
