"""What a board and a hub say to one another, as JSON; each message of a board is signed with its key.

A row travels as the journal has it, column by column (`referee/seals.py: COLUMNS`) and its seal at the end, so that the
hub can check the chain of seals and nothing is lost on the way. A message may come packed, and is signed as it comes.
"""

import hashlib
import json
import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from linesies.referee.orders import CalledMatch
from linesies.referee.rows import Row, row_from
from linesies.referee.seals import COLUMNS

BOARD_HEADER = "Linesies-Board"  # the public key in hexadecimal
SIGNATURE_HEADER = "Linesies-Signature"  # over `signed_text`, in hexadecimal
MOST_ROWS = 500  # in one message
MOST_BYTES = 4_000_000  # of one message, unpacked too; 500 usual rows are a fifth of that
MOST_FILES = 1000  # named in one message: as many as a board keeps, and more
MOST_FILE_BYTES = (
    3_000_000  # the longest clip, 14 s at 1 Mbit/s, is 1.8 MB; the cases of a shot that moved ten caps likewise
)
PACKED = "deflate"  # as HTTP's Content-Encoding calls it: a twentieth of the bytes

RowNumber = Annotated[int, Meta(ge=1, le=2**53)]
# a row's columns, as `referee/seals.py` names them, and its seal
Values = tuple[RowNumber, float, str, str, int | None, str, int | None, int | None, str | None, str | None]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Epoch = Annotated[str, Meta(min_length=8, max_length=40, pattern="^[0-9a-f]+$")]
FileKind = Literal["case", "clip"]  # what the calls of a row were measured from, as a zip file; the film of its shot
RowFile = tuple[RowNumber, FileKind]


class Joining(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board asks to be let in, with the code that the hub's screen shows and what people call it."""

    code: str
    name: Name
    place: Annotated[str, Meta(max_length=60)] = ""


class Leaving(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board takes its leave; what it told stays. Said once: a later leave is of a later time by the board's clock."""

    at_s: float


class Pushed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows of a journal in their order, with the seal of the row before the first; without rows it only asks.

    Who asks gives the seal of the newest row that he may tell: so the hub knows whether it holds all that he has.

    `epoch` names one chain of rows: a journal that was mended or begun anew is another.
    """

    epoch: Epoch
    before: str = ""
    rows: Annotated[tuple[Values, ...], Meta(max_length=MOST_ROWS)] = ()


class Offered(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All files of calls that a board has and its owner lets people see; None: nobody may see any, nor any longer.

    Said once: a later one is of a later time by the board's clock.
    """

    epoch: Epoch
    at_s: float
    files: Annotated[tuple[RowFile, ...], Meta(max_length=MOST_FILES)] | None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Those of the offered files whose rows the hub holds and which it never had, and whether it holds all rows."""

    files: tuple[RowFile, ...] = ()
    has_rows: bool = True


class HubAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The newest row that the hub holds durably, 0 for none, with its seal; and which match it calls to the board."""

    held: int
    seal: str = ""
    match: CalledMatch | None = None


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Why a message was not taken, in a word for programs and a sentence for people, and what the hub holds."""

    code: str  # a key of `STATUS`
    message: str
    held: int = 0
    seal: str = ""


Told = Joining | Leaving | Pushed


def file_path(epoch: str, file: RowFile, data: bytes) -> str:
    """Say where a file of a row is sent: its path holds all that is said of it, and is signed with it."""
    row, kind = file
    return f"/league/files/{epoch}/{row}/{kind}/{hashlib.sha256(data).hexdigest()}"


def packed(body: bytes) -> bytes:
    """Make a message short."""
    return zlib.compress(body)


def unpacked(body: bytes) -> bytes:
    """Make a message as it was before; raises ValueError where it never was one, or a longer one than may be."""
    unpacking = zlib.decompressobj()
    try:
        message = unpacking.decompress(body, MOST_BYTES)
    except zlib.error as fault:
        raise ValueError(f"it is not packed as {PACKED} packs it ({fault})") from None
    if not unpacking.eof:
        raise ValueError(f"it ends too early, or is longer than {MOST_BYTES} bytes")
    return message


def signed_text(path: str, body: bytes) -> bytes:
    """Write what a board signs: where it sends a message, and the message."""
    return b"linesies league 1\n" + path.encode() + b"\n" + body


def row_of(values: Sequence[Any]) -> Row:
    """Read a row as it travelled; raises ValueError where its body is no JSON object."""
    body = json.loads(values[COLUMNS.index("body")])  # as the journal reads it
    if not isinstance(body, dict):
        raise ValueError(f"row {values[0]} says nothing")  # noqa: TRY004 - of what a file or a stranger sent
    return row_from(values, body)
