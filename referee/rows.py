"""What the journal is made of: rows that are written, drafts of rows, and what waits in the inbox.

Rows are of these kinds; `about` is the row that one answers, and the body is as its struct here says:
    set_up, start       what the page draws, and the game's start event
    seen, noted         what vision saw; `noted` is no event of the game
    proposal            a question to people about something seen, with the likely answers
    order               what people or settings decided
    ruled, refused      what the rules say to something seen or ordered; `ruled` with `re_reads` corrects an entry
    evidence            the pictures behind a call
    camera, trouble     what happened to the camera; what fails beside the game
    damaged             stands for a row that cannot be read any more; never written
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from linesies.referee.orders import CalledMatch
from linesies.rules import Json

FORMAT = 2  # of rows: 1 had no version, no state and no seal
DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: who said it (`origin`), what kind of thing it is, the row it is about, and its body as JSON.

    A row by which the rules' state changes carries the version of those rules and the state after it.
    """

    id: int
    at_s: float  # unix time
    origin: str
    kind: str
    about: int | None
    body: Mapping[str, Any]
    format: int = FORMAT
    rules: int | None = None  # version
    state: str | None = None  # as `rules.write_state` writes it
    seal: str = field(default="", compare=False, repr=False)  # over the row and the seal before it; none in format 1


def row_from(values: Sequence[Any], body: Mapping[str, Any]) -> Row:
    """Make a row from its columns, as `seals.py` names them, its seal, and its body as it was read."""
    number, at_s, origin, kind, about, _, version, rules, state, seal = values
    return Row(
        id=number,
        at_s=at_s,
        origin=origin,
        kind=kind,
        about=about,
        body=body,
        format=version or 1,
        rules=rules,
        state=state,
        seal=seal or "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A row that is not yet written."""

    origin: str
    kind: str
    body: Mapping[str, Any]
    about: int | None = None
    rules: int | None = None
    state: str | None = None


def as_rows(drafts: Sequence[Draft], first: int) -> list[Row]:
    """Give drafts the numbers that the journal will."""
    return [
        Row(
            id=first + number,
            at_s=0.0,
            origin=draft.origin,
            kind=draft.kind,
            about=draft.about,
            body=msgspec.to_builtins(draft.body),
            rules=draft.rules,
            state=draft.state,
        )
        for number, draft in enumerate(drafts)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """Something that was put into the inbox and not yet taken."""

    id: int
    origin: str
    body: Any  # whatever was sent; the referee reads it as an order


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """What a row says, but for what a later format may add to it."""


class Proposed(Body, frozen=True, kw_only=True):
    """A question: how the event was read, why that is asked, and answers {label, event}, likeliest first."""

    event: Json
    why: str
    answers: tuple[Json, ...]


class Ordered(Body, frozen=True, kw_only=True, omit_defaults=True):
    """What an order was completed to: the rows that it acts on, on whose agreement, and what the set-up needs.

    While anybody is still `asked`, it does not act.
    """

    order: Any = None  # its kind
    about: Any = None
    event: Any = UNSET
    settles: int | None = None  # the held row that this answers
    why: Any = ""
    motion: int | None = None  # the row that moved it first
    asked: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    appeal: Json | None = None  # what an appeal came to
    start: Any = None
    house: Any = None
    corners: Any = None
    board: Any = None
    mat: Any = None
    game: Any = None
    caps: Any = None
    source: Any = None
    place: Any = None
    shows: Any = None
    match: CalledMatch | None = None
    refused: bool = False

    @property
    def is_agreed(self) -> bool:
        """Tell whether nobody is left to agree, so that it acts."""
        return not self.asked


class Changed(Body, frozen=True, kw_only=True):
    """An entry that a correction of another has changed, and how it is ruled on now."""

    row: int
    rulings: tuple[Json, ...]
    refused: Json | None


class Ruled(Body, frozen=True, kw_only=True):
    """What the rules said; without an event, to the start of the game."""

    event: Json | UnsetType | None = UNSET
    rulings: tuple[Json, ...] = ()
    re_reads: int | None = None  # the entry that is corrected
    inserts_before: int | None = None  # the entry before which this one was missed
    by: str | None = None
    why: str = ""
    changed: tuple[Changed, ...] = ()


class RefusedBy(Body, frozen=True, kw_only=True):
    """Why something was refused; with the event if it was seen and may fit once an earlier entry is corrected."""

    code: str
    message: str
    details: Json = {}
    event: Json | UnsetType | None = UNSET
    by: str | None = None
    why: str = ""


class Noted(Body, frozen=True, kw_only=True):
    """Something seen that is no event of the game: where caps were put."""

    calls: Json = {}


class CameraTold(Body, frozen=True, kw_only=True):
    """What happened to the camera."""

    event: str
    message: str


class Troubled(Body, frozen=True, kw_only=True):
    """What fails beside the game, or is well again."""

    message: str
    is_over: bool = False


BODIES: Mapping[str, type] = {
    "proposal": Proposed,
    "order": Ordered,
    "ruled": Ruled,
    "refused": RefusedBy,
    "noted": Noted,
    "camera": CameraTold,
    "trouble": Troubled,
}


def read_body(row: Row) -> Any | None:
    """Read what a row says, as its kind has it; None where no referee can have written that."""
    if row.kind == "order" and row.body.get("refused"):
        return Ordered(refused=True)  # whatever else it says, nobody heeds it
    try:
        return msgspec.convert(row.body, BODIES.get(row.kind, Json))
    except msgspec.ValidationError:
        return None
