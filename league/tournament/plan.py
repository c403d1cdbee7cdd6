"""What a tournament is to be: its format, who takes part in the order of their strength, and how many play a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from linesies.league.errors import BadInput

Format = Literal["single", "double", "round_robin", "swiss", "groups"]
FORMATS: tuple[Format, ...] = get_args(Format)
LONGEST_NAME = 24
MOST_ENTRANTS = 256


class BadPlan(BadInput):
    """A plan that no tournament can follow; the text says why and how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A tournament's format; raises BadPlan.

    `entrants` come with the strongest first: that is how they are seeded. `seats` is how many play a game, 2 to 6.
    `rounds` is for swiss and round robin, 0 for the usual number; `group` and `through` are for groups: how many
    are in one, and how many of each go on to the knock-out.
    """

    format: Format
    entrants: tuple[str, ...]
    seats: int = 2
    rounds: int = 0
    group: int = 4
    through: int = 2

    def __post_init__(self) -> None:
        """See that it can be followed."""
        faults = (
            (self.format not in FORMATS, f"format: {self.format!r} is none of {', '.join(FORMATS)}"),
            (not 2 <= len(self.entrants) <= MOST_ENTRANTS, f"entrants: 2 to {MOST_ENTRANTS} can take part"),
            (len(set(self.entrants)) < len(self.entrants), "entrants: a name stands there twice; add a letter to one"),
            (not all(_is_name(name) for name in self.entrants), f"entrants: names have 1 to {LONGEST_NAME} letters"),
            (not 2 <= self.seats <= 6, "seats: 2 to 6 play a game"),
            (not 0 <= self.rounds <= MOST_ENTRANTS, f"rounds: 0 (the usual number) to {MOST_ENTRANTS}"),
            (not 1 <= self.through < self.group, "through: at least one of a group goes on, and not all"),
            (self.group < 2, "group: at least two are in one"),
        )
        for is_wrong, why in faults:
            if is_wrong:
                raise BadPlan(why)


def _is_name(name: str) -> bool:
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable() and name.strip() == name


def in_tables(players: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Part players among as few games as seat them all, none of them more than one larger than another; in order."""
    count = -(-len(players) // seats)
    small, larger = divmod(len(players), count) if count else (0, 0)
    sizes = [small + 1] * larger + [small] * (count - larger)
    ends = [sum(sizes[: n + 1]) for n in range(count)]
    return [tuple(players[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def snaked(players: Sequence[str], count: int) -> list[tuple[str, ...]]:
    """Part players, the strongest first, among so many games by turns there and back: 1 8, 2 7, 3 6, 4 5."""
    games: list[list[str]] = [[] for _ in range(count)]
    for number, player in enumerate(players):
        lap, at = divmod(number, count)
        games[at if lap % 2 == 0 else count - 1 - at].append(player)
    return [tuple(game) for game in games]
