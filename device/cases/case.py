"""A case: one call, what it was measured from, by which program, and what was expected; its file.

A folder of cases (or a zip file of the same shape) holds a JSON file a case, and beside them `blobs/`, in which every
picture and every calibration stands once, named by the SHA-256 of its bytes. A case's own name is the row of what was
seen and the beginning of its own hash.
"""

import hashlib
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from linesies.device.errors import BadInput
from linesies.vision import Call

FORMAT = 1
MOST_PART_BYTES = 16_000_000  # of one file of an archive; a case with all its files takes 300 kB at most
# what a zip file whose bytes were changed may answer: a wrong sum, another way of packing, a password, no end
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)
BLOBS = "blobs"
HASH_IN_NAME = 12  # hexadecimal digits: enough for as many cases as anybody keeps

Point = tuple[float, float]
BlobName = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]  # of its content: no path, wherever a case comes from


class CropFile(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the picture as it was and of the empty one, as PNG in blobs, and its first pixel (column, row)."""

    corner: tuple[int, int]
    now: BlobName
    empty: BlobName


class PartFile(msgspec.Struct, frozen=True, kw_only=True):
    """A part of one frame as PNG in blobs, its first pixel (column, row), and when that was."""

    t_s: float
    corner: tuple[int, int]
    picture: BlobName


class ContactFile(msgspec.Struct, frozen=True, kw_only=True):
    """How the cap was struck: by whose and when; its place at rest before, just before, then, and just after."""

    by: str
    t_s: float  # of the source, as in its parts
    parts: Annotated[list[PartFile], Meta(min_length=1)]


class LightFile(msgspec.Struct, frozen=True, kw_only=True):
    """How far shadows fell for a millimetre of height (mm along x and y); None where the light was diffuse."""

    slope: Point | None


class CallFile(msgspec.Struct, frozen=True, kw_only=True):
    """A call to the last bit."""

    xy: Point
    diameter: float
    location: str
    gap: float
    sigma: float
    certain: bool
    cap_share: float | None = None  # how likely it lies there at all; None: nobody looked


class ProgramFile(msgspec.Struct, frozen=True, kw_only=True):
    """What measured: the release, and a hash over all code and nets that have a say in a call."""

    version: str
    measuring: str


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One call of one player's cap."""

    row: int  # of what was seen, in the box's journal
    at_s: float  # unix time
    player: str
    event: str  # of what the call is part
    call: CallFile
    near: Point  # where the cap was looked for (mm)
    off: Annotated[float, Meta(gt=0)] | None = None  # how far off that usually is (mm); None: nobody knows, or earlier
    beside: list[tuple[str, Point]]  # whose caps lay about where (mm)
    light: LightFile | None = None  # None: the crops tell
    crops: Annotated[list[CropFile], Meta(min_length=1)]
    calibration: BlobName  # its geometry, without a picture
    caps: list[dict[str, Any]]  # as in a caps file
    program: ProgramFile
    settled_s: float  # the setting
    expected: dict[str, Any]  # what the rules awaited
    contact: ContactFile | None = None  # None: not struck, or of an earlier release
    settled: str | None = None  # where people said that it lies, or where it truly lies
    format: int = FORMAT

    @property
    def blobs(self) -> frozenset[str]:
        """Name all blobs that belong to it."""
        struck = () if self.contact is None else (part.picture for part in self.contact.parts)
        return frozenset({self.calibration, *struck, *(name for crop in self.crops for name in (crop.now, crop.empty))})


def call_file(call: Call) -> CallFile:
    """Write a call to the last bit."""
    return CallFile(
        xy=call.xy_mm,
        diameter=call.diameter_mm,
        location=call.location,
        gap=call.gap_mm,
        sigma=call.sigma_mm,
        certain=call.is_certain,
        cap_share=call.cap_share,
    )


def named(data: bytes) -> str:
    """Name a blob by its content."""
    return hashlib.sha256(data).hexdigest()


def name_of(case: Case) -> str:
    """Name a case's file."""
    return f"{case.row:08d}-{named(case_json(case))[:HASH_IN_NAME]}.json"


def case_json(case: Case) -> bytes:
    """Write a case."""
    return msgspec.json.encode(case)


def read_case(data: bytes, whence: str) -> Case:
    """Read a case; raises BadInput naming whence it came and what is wrong."""
    try:
        case = msgspec.json.decode(data, type=Case)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise BadInput(f"{whence}: is no case ({fault})") from None
    if case.format != FORMAT:
        raise BadInput(
            f"{whence}: is of format {case.format}; this program reads format {FORMAT}, a newer one may read it"
        )
    return case


def read_part(archive: Traversable, name: str, *, whence: str) -> bytes:
    """Read a file of an archive, which may be a stranger's; raises BadInput with whence it is, and why it cannot be."""
    try:
        with (archive / name).open("rb") as file:
            data = bytes(file.read(MOST_PART_BYTES + 1))
    except (OSError, KeyError):
        raise BadInput(f"{whence} is gone") from None
    except DAMAGED:
        raise BadInput(f"{whence} is damaged") from None
    if len(data) > MOST_PART_BYTES:
        raise BadInput(f"{whence} has more than {MOST_PART_BYTES:,} bytes, too many for a case of ours")
    return data


def read_case_in(archive: Traversable, name: str) -> Case:
    """Read a case of an archive; raises BadInput where it is gone, damaged, or none of ours."""
    return read_case(read_part(archive, name, whence=name), name)


def read_blob(archive: Traversable, name: str) -> bytes:
    """Read a blob; raises BadInput where it is gone or no longer what it was."""
    whence = f"{archive}: the blob {name[:HASH_IN_NAME]}…"
    data = read_part(archive, f"{BLOBS}/{name}", whence=whence)
    if named(data) != name:
        raise BadInput(f"{whence} is damaged")
    return data


def case_names(archive: Traversable) -> list[str]:
    """Name the cases of a folder or zip file in the order of their rows."""
    return sorted(entry.name for entry in archive.iterdir() if entry.name.endswith(".json"))


def expected_of(public: Mapping[str, Any] | None) -> dict[str, Any]:
    """Keep of a game's public state what the rules awaited."""
    known = public or {}
    return {key: known[key] for key in ("game", "turn", "awaiting", "phase") if key in known}
