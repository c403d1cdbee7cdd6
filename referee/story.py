"""The story: how things stand, as the journal's rows say; `folding` tells it from them and from nothing else.

An entry is one event that the rules were given. A correction adds a reading to an entry: another event in its place,
or none (undo); taking an undo back adds the reading before it again. Seen events that the rules refused stay as entries
too: they may fit once an earlier one has been corrected.

What was seen or ordered but not yet given to the rules is `held`, in its order: the first of them waits for people.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from linesies import rules
from linesies.referee.agreement import Motion
from linesies.referee.entries import Compared, Entry, Held
from linesies.referee.orders import CalledMatch
from linesies.referee.saying import Saying
from linesies.rules import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything that the rows say: the game as it stands, what is held, all entries, evidence and the camera."""

    row: int = 0
    set_up: Json | None = None
    start: Json | None = None
    state: Any = None
    rulings: tuple[Json, ...] = ()  # of the start
    held: tuple[Held, ...] = ()
    motions: tuple[Motion, ...] = ()  # what players want, waiting for agreement
    appeals: tuple[Json, ...] = ()  # those decided: row, at, about, why, decided_by, and what `appeals` says of each
    entries: tuple[Entry, ...] = ()
    compared: tuple[Compared, ...] = ()  # shots that people called blind
    calls: Mapping[str, Json] = field(default_factory=dict)
    evidence: Mapping[int, Json] = field(default_factory=dict)
    camera: Json = field(default_factory=dict)
    troubles: Mapping[str, Json] = field(default_factory=dict)  # what fails beside the game, by who
    refusal: Json | None = None  # of the newest order that was not taken
    start_row: int = 0  # of the game that has begun
    began: Any = None  # the state at the start
    match: CalledMatch | None = None  # that a league has called to this board and that has not begun
    playing: CalledMatch | None = None  # that a league has called to this board and that has begun
    differs: frozenset[int] = frozenset()  # rows that today's rules would rule otherwise
    hole: int | None = None  # the row of this game that cannot be read; what follows it is not told
    unread: int | None = None  # the first such row of all games
    absent: str | None = (
        None  # the game that has begun, where no package that is installed plays it; start is None then
    )

    @property
    def public(self) -> dict[str, Any] | None:
        """Give the public state of the game as the rules write it, None before any game."""
        return None if self.start is None else rules.GAMES[self.game_name].public(self.state)

    @property
    def is_over(self) -> bool:
        """Tell whether the game that has begun has ended; a package may write no phase, and then it never has."""
        return (self.public or {}).get("phase") == "over"

    @property
    def game_name(self) -> str:
        """Name the game that has begun."""
        assert self.start is not None
        return str(self.start["game"])

    @property
    def players(self) -> tuple[str, ...]:
        """Name who plays, or played last, in the order of the seats: those who have joined since included."""
        began = tuple((self.start or {}).get("players", ()))
        since = (one["name"] for one in (self.public or {}).get("players", ()) if one["name"] not in began)
        return (*began, *since)

    @property
    def standing(self) -> dict[str, Any]:
        """Give the public state of the game that has begun."""
        assert self.public is not None
        return self.public

    @property
    def pending(self) -> tuple[Held, ...]:
        """List what people are asked, oldest first."""
        return tuple(held for held in self.held if held.is_waiting)

    @property
    def uncalled(self) -> tuple[Held, ...]:
        """List what people call before they are told what was measured: until then nobody may know that."""
        return tuple(held for held in self.held if held.is_blind)

    @property
    def faults(self) -> Mapping[str, Json]:
        """Tell by who what fails beside the game, and what of the journal is not told as today's rules would."""
        return {**_faults_of_journal(self), **self.troubles}

    def entry(self, row: int) -> Entry | None:
        """Find the newest entry by its row, by the row it is about, or by one of its readings."""
        found = (e for e in reversed(self.entries) if row in (e.row, e.about) or row in (r.row for r in e.readings))
        return next(found, None)

    def number_of(self, entry: Entry) -> int:
        """Tell how many entries stand before this one."""
        return next(number for number, one in enumerate(self.entries) if one.row == entry.row)

    @property
    def disputed(self) -> frozenset[int]:
        """Name the rows of what was seen on which people had something to say, but to call it as it was measured."""
        alike = {one.about for one in self.compared if one.is_alike}
        told = (e for e in self.entries if e.has_word_of_people and (e.about not in alike or len(e.readings) > 1))
        return frozenset(entry.about for entry in told)

    @property
    def effective_events(self) -> list[Json]:
        """List the start and all events that act on the game, as `linesies rule` accepts them."""
        if self.start is None:
            return []
        return [self.start, *(entry.acts for entry in self.entries if entry.is_effective)]


def _faults_of_journal(story: Story) -> dict[str, Json]:
    if story.absent is not None:
        return {"game": _absence(story.absent, (story.set_up or {}).get("package"))}
    if story.unread is not None:
        return {"journal": Saying("told_up_to", {"row": story.unread}).as_json()}
    if story.differs:
        rows = ", ".join(map(str, sorted(story.differs)))
        return {"rules": Saying("rules_differ", {"number": len(story.differs)}, f"rows {rows}").as_json()}
    return {}


def _absence(game: str, package: str | None) -> Json:
    """Say whose rules are missing, and how to mend it."""
    if package is None:
        return Saying("game_absent", {"game": game}).as_json()
    return Saying("package_absent", {"game": game, "package": package}).as_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """A story as it was told before, and as it is told once the entry of that row is corrected or put in."""

    before: Story
    story: Story
    row: int

    @property
    def entry(self) -> Entry:
        """Give the entry, as it is ruled on now."""
        return next(one for one in self.story.entries if one.row == self.row)

    @property
    def changed(self) -> tuple[Entry, ...]:
        """List the other entries that are ruled on otherwise now."""
        were = {one.row: (one.rulings, one.refused) for one in self.before.entries}
        others = (one for one in self.story.entries if one.row != self.row)
        return tuple(one for one in others if (one.rulings, one.refused) != were[one.row])


def is_of_match(players: Any, called: Iterable[str]) -> bool:
    """Tell whether exactly those who were called play, in whatever order and however their names are typed."""
    return sorted(str(one).casefold() for one in players or ()) == sorted(one.casefold() for one in called)
