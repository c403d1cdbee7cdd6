"""What a story is made of: entries with their readings, and what is held until people have settled it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from linesies.rules import Json

DO_OVER: Json = {"event": "do_over"}
NOTHING: Json = {"event": "nothing"}  # settles a sight that was no event at all


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReading:
    """What an entry is to be read as, the row that says so, and who wants it so and why; no event: undone."""

    row: int
    event: Json | None
    by: str | None = None  # None: as it was seen or ordered
    why: str = ""

    @property
    def as_settled(self) -> Json:
        """Write that this settled what was held."""
        return {"settled_by": self.row, "by": self.by, "why": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event of the game: the row that first ruled on it, its readings (newest last), what is ruled on it."""

    row: int
    at_s: float
    origin: str  # who saw or ordered it
    about: int  # the row of what was seen or ordered
    readings: tuple[EntryReading, ...]
    rulings: tuple[Json, ...] = ()
    refused: Json | None = None
    before: int | None = None  # the row of the entry that it was put before, where nobody had seen it
    state: Any = None  # after it, where rules of another version ruled; None: today's give it

    @property
    def event(self) -> Json | None:
        """Give what the entry is read as now."""
        return self.readings[-1].event

    @property
    def acts(self) -> Json:
        """Give the event by which an effective entry acts on the game."""
        assert self.event is not None
        return self.event

    @property
    def has_word_of_people(self) -> bool:
        """Tell whether people said what it is, at first or by a correction."""
        return any(reading.by is not None for reading in self.readings)

    @property
    def is_effective(self) -> bool:
        """Tell whether the entry acts on the game: neither undone nor refused."""
        return self.event is not None and self.refused is None


def calls_of(entries: Iterable[Entry]) -> dict[str, Json]:
    """Collect where caps were last measured to lie, by player, as entries say it now."""
    told = (entry.event.get("calls") for entry in entries if entry.event is not None)
    return {player: call for calls in told if isinstance(calls, Mapping) for player, call in calls.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A question to people: why it is asked, and the likely answers, likeliest first."""

    row: int
    why: str
    answers: tuple[Json, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A shot that people called blind: the rows of its entry and of what was seen, and where either has the cap."""

    row: int
    about: int
    player: str
    measured: str
    said: str

    @property
    def is_alike(self) -> bool:
        """Tell whether people called what was measured."""
        return self.measured == self.said


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Something seen or ordered that the rules have not been given yet; what is blind, people may not know of yet."""

    row: int
    at_s: float
    origin: str
    event: Json
    is_blind: bool = False
    proposal: Proposal | None = None
    answer: EntryReading | None = None

    @property
    def question(self) -> Proposal:
        """Give what people are asked; asked for only while it waits."""
        assert self.proposal is not None
        return self.proposal

    @property
    def is_waiting(self) -> bool:
        """Tell whether people have to settle it first."""
        return self.proposal is not None and self.answer is None
