"""Games put aside and brought back: one tar file with the journal, and what shows its calls if that is wanted.

A backup may be made while a game is played: SQLite copies a state that stood at one moment. What is brought back never
overwrites games: those that are there are set aside first.
"""

import contextlib
import io
import json
import re
import shutil
import sqlite3
import tarfile
import tempfile
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from linesies.device.errors import BadInput
from linesies.device.journal.mending import write_anew
from linesies.device.journal.salvage import Salvage, rows_of_stranger
from linesies.device.places import evidence_folder, journal_file
from linesies.referee.names import is_printable
from linesies.referee.past_games import games_of
from linesies.referee.rows import Row
from linesies.referee.snapshot import story_json
from linesies.referee.summary import summary_json

JOURNAL = "journal.sqlite"
SHOWN = re.compile(r"evidence/[A-Za-z0-9][A-Za-z0-9_-]*\.(jpg|webp|mp4)")
WAL = ("", "-wal", "-shm")
MOST_JOURNAL_BYTES = 256 * 2**20  # set by hand: an evening of street games takes some 4 MB
MOST_SHOWN_BYTES = 8 * 2**30  # set by hand: settings keep 300 MB unless they are told otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtBack:
    """What was brought back: rows, pictures and clips, and the numbers of the rows that a damaged backup has lost."""

    rows: int
    shown: int
    gaps: tuple[range, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """What a backup holds: rows of the journal, pictures and clips."""

    rows: int
    shown: int


def back_up(state: Path, file: Path, *, with_evidence: bool = True) -> BackedUp:
    """Write the games of a state folder into a new file; raises BadInput where none are or it cannot be."""
    path = journal_file(state)
    if not path.is_file():
        raise BadInput(f"{state}: holds no games; name the state folder of a referee")
    evidence = sorted(evidence_folder(state).glob("*.*")) if with_evidence else []
    part = file.with_name(f"{file.name}.part")
    try:
        with tarfile.open(part, "w") as tar:
            rows = _add_journal(path, tar)
            shown = sum(_add_if_there(one, tar) for one in evidence)
        part.replace(file)
    except (OSError, sqlite3.Error) as fault:
        part.unlink(missing_ok=True)
        raise BadInput(f"{file}: cannot be written ({fault}); choose another place") from None
    return BackedUp(rows=rows, shown=shown)


def restore(file: Path, state: Path) -> BroughtBack:
    """Bring back what a backup holds; games that are there already are set aside, under a name with the time.

    A backup may be a stranger's: its rows are copied one by one into a fresh journal of our own making, and its games
    told once, before anything is changed. Raises BadInput for a file that is no backup. Nobody may referee there
    meanwhile.
    """
    try:
        state.mkdir(parents=True, exist_ok=True)
        with tarfile.open(file) as tar, tempfile.TemporaryDirectory(dir=state, prefix="restored-") as folder:
            fresh = Path(folder) / "fresh.sqlite"
            members = _members(file, tar)
            found = _copied_journal(file, _unpacked(tar, members.pop(JOURNAL), Path(folder)), fresh)
            shown = [_unpacked(tar, member, Path(folder)) for member in members.values()]
            path = journal_file(state)
            if path.exists():
                _set_aside(path)
            fresh.rename(path)
            evidence_folder(state).mkdir(exist_ok=True)
            for one in shown:
                one.rename(evidence_folder(state) / one.name)
    except (OSError, EOFError, zlib.error, tarfile.TarError) as fault:
        why = str(fault).partition("\n")[0].rstrip(":")
        raise BadInput(f"{file}: cannot be brought back ({why}); give a file that `linesies backup` wrote") from None
    return BroughtBack(rows=len(found.rows), shown=len(shown), gaps=found.gaps)


def _members(file: Path, tar: tarfile.TarFile) -> dict[str, tarfile.TarInfo]:
    """List what a backup holds, by name; each is asked for its size before anything of it is unpacked."""
    room = {JOURNAL: MOST_JOURNAL_BYTES}
    left = MOST_SHOWN_BYTES
    found = {}
    for member in tar:
        left -= 0 if member.name == JOURNAL else member.size
        if member.size > room.get(member.name, MOST_SHOWN_BYTES) or left < 0:
            raise BadInput(f"{file}: {member.name} has {member.size:,} bytes, too many for a backup of ours")
        if member.isfile() and (member.name == JOURNAL or SHOWN.fullmatch(member.name)):
            found[member.name] = member
    if JOURNAL not in found:
        raise BadInput(f"{file}: holds no journal; give a file that `linesies backup` wrote")
    return found


def _unpacked(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> Path:
    """Write one member, which is a file, into a folder, under the last part of its name."""
    packed = tar.extractfile(member)
    assert packed is not None
    path = folder / Path(member.name).name
    with path.open("wb") as out:
        shutil.copyfileobj(packed, out)
    return path


def _copied_journal(file: Path, strange: Path, fresh: Path) -> Salvage:
    """Copy a backup's rows into a fresh journal, without whatever else its file defines or orders."""
    found = rows_of_stranger(strange)
    if found is None:
        raise BadInput(f"{file}: its journal is damaged, or no journal at all; give another backup")
    fault = fault_of(found.rows)
    if fault is not None:
        raise BadInput(f"{file}: its journal is not as a referee writes it ({fault}); give another backup")
    write_anew(fresh, found.rows, found.last)
    return found


def fault_of(rows: Sequence[Row]) -> str | None:
    """Tell every game once, as the page will; say what in them cannot be told."""
    for number, story in enumerate(games_of(rows), start=1):
        if story.hole is not None:
            return f"row {story.hole} of game {number} makes no sense"
        if not all(is_printable(player) for player in (story.start or {}).get("players", ())):
            return f"game {number} names somebody in signs that cannot be shown"
        try:
            json.dumps([story_json(story), summary_json(story)])
        except Exception as fault:  # noqa: BLE001 - whatever a stranger wrote, it is to fail here and not on the page
            return f"game {number} cannot be told, {type(fault).__name__}"
    return None


def _add_journal(path: Path, tar: tarfile.TarFile) -> int:
    with contextlib.closing(sqlite3.connect(path)) as games, contextlib.closing(sqlite3.connect(":memory:")) as copy:
        games.backup(copy)
        rows = copy.execute("SELECT count(*) FROM rows").fetchone()[0]
        data = copy.serialize()
    member = tarfile.TarInfo(JOURNAL)
    member.size, member.mtime = len(data), int(path.stat().st_mtime)
    tar.addfile(member, io.BytesIO(data))
    return int(rows)


def _add_if_there(file: Path, tar: tarfile.TarFile) -> bool:
    """Add a picture or clip; the referee may drop the oldest meanwhile."""
    name = f"evidence/{file.name}"
    if not SHOWN.fullmatch(name):
        return False
    try:
        tar.add(file, name)
    except FileNotFoundError:
        return False
    return True


def _set_aside(path: Path) -> None:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for end in WAL:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(path.with_name(f"{path.stem}-before-{stamp}{path.suffix}{end}"))
