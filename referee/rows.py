"""What the journal is made of: rows that are written, drafts of rows, and what waits in the inbox.

Rows are of these kinds; `about` is the row that one answers:
    set_up, start       what the page draws, and the game's start event
    seen, noted         what vision saw; `noted` is no event of the game
    proposal            a question to people about something seen, with the likely answers
    order               what people or settings decided
    ruled, refused      what the rules say to something seen or ordered; `ruled` with `re_reads` corrects an entry
    evidence            the pictures behind a call
    camera, trouble     what happened to the camera; what fails beside the game
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: who said it (`origin`), what kind of thing it is, the row it is about, and its body as JSON."""

    id: int
    at_s: float  # unix time
    origin: str
    kind: str
    about: int | None
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A row that is not yet written."""

    origin: str
    kind: str
    body: Mapping[str, Any]
    about: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Something that was put into the inbox and not yet taken."""

    id: int
    origin: str
    body: Any  # whatever was sent; the referee checks it
