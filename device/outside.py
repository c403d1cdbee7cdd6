"""Letting in what other packages bring: games and announcers.

A package that raises, takes too long or is of another version is set aside and said; the referee goes on without it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from linesies.device.plugins import ANNOUNCERS, GAMES, offered
from linesies.games import admit, within
from linesies.referee.saying import Saying, Trouble

LOAD_S = 5.0  # what takes longer to load or open is set aside; set by hand: ten times what heavy libraries take on a Pi


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A plugin that is not used: its kind, its name and why."""

    kind: str
    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name} is set aside: it {self.why}"

    @property
    def trouble(self) -> Trouble:
        """Say it to people."""
        return Trouble(f"{self.kind} {self.name}", Saying("set_aside", why=self.why))


@cache
def let_games_in() -> tuple[SetAside, ...]:
    """Let the games of other packages in, once a process; gives those that are set aside."""
    return tuple(_taken(GAMES, "game", admit))


def open_announcers() -> tuple[list[Any], tuple[SetAside, ...]]:
    """Open the announcers of other packages; gives them, and those that are set aside."""
    opened: list[Any] = []

    def take(factory: Callable[[], Any], _package: str) -> str | None:
        announcer = within(LOAD_S, factory)
        if not (isinstance(getattr(announcer, "name", None), str) and callable(getattr(announcer, "announce", None))):
            return "is no announcer: it has no name, or cannot announce"
        opened.append(announcer)
        return None

    aside = tuple(_taken(ANNOUNCERS, "announcer", take))
    return opened, aside


def _taken(group: str, kind: str, take: Callable[[Any, str], str | None]) -> Iterator[SetAside]:
    """Load all of a group, hand each on with its package's name; yields what is set aside, or is not taken."""
    for name, point in offered(group).items():
        try:
            why = take(within(LOAD_S, point.load), "" if point.dist is None else point.dist.name)
        except Exception as fault:  # noqa: BLE001 - whatever a package does, the game goes on
            why = f"fails ({type(fault).__name__}: {fault})"
        if why is not None:
            yield SetAside(kind=kind, name=name, why=why)
