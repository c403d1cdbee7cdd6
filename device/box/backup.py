"""Games put aside and brought back: one tar file with the journal, and what shows its calls if that is wanted.

A backup may be made while a game is played: SQLite copies a state that stood at one moment. What is brought back never
overwrites games: those that are there are set aside first.
"""

import contextlib
import io
import re
import sqlite3
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal
from linesies.device.journal.salvage import is_sound
from linesies.device.places import evidence_folder, journal_file

JOURNAL = "journal.sqlite"
SHOWN = re.compile(r"evidence/[A-Za-z0-9][A-Za-z0-9_-]*\.(jpg|mp4)")
WAL = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a backup holds: rows of the journal, pictures and clips."""

    rows: int
    shown: int


def back_up(state: Path, file: Path, *, with_evidence: bool = True) -> Kept:
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
    return Kept(rows=rows, shown=shown)


def restore(file: Path, state: Path) -> Kept:
    """Bring back what a backup holds; games that are there already are set aside, under a name with the time.

    Raises BadInput for a file that is no backup, before anything is changed. Nobody may referee there meanwhile.
    """
    try:
        with tarfile.open(file) as tar:
            fresh = _unpacked_journal(file, tar, state)
            shown = [member for member in tar.getmembers() if member.isfile() and SHOWN.fullmatch(member.name)]
            evidence_folder(state).mkdir(parents=True, exist_ok=True)
            for member in shown:
                (state / member.name).write_bytes(_content(tar, member.name))
    except (OSError, tarfile.TarError) as fault:
        raise BadInput(f"{file}: cannot be brought back ({fault}); give a file that `linesies backup` wrote") from None
    path = journal_file(state)
    if path.exists():
        _set_aside(path)
    fresh.rename(path)
    journal = Journal(path)
    rows = len(journal.rows_after(0))
    journal.close()
    return Kept(rows=rows, shown=len(shown))


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


def _unpacked_journal(file: Path, tar: tarfile.TarFile, state: Path) -> Path:
    try:
        data = _content(tar, JOURNAL)
    except KeyError:
        raise BadInput(f"{file}: holds no journal; give a file that `linesies backup` wrote") from None
    state.mkdir(parents=True, exist_ok=True)
    fresh = state / f"{JOURNAL}.restored"
    fresh.write_bytes(data)
    if not is_sound(fresh):
        fresh.unlink()
        raise BadInput(f"{file}: its journal is damaged; give another backup")
    return fresh


def _content(tar: tarfile.TarFile, name: str) -> bytes:
    """Read a plain file of a tar; raises KeyError where there is none of that name."""
    file = tar.extractfile(name)
    if file is None:
        raise KeyError(name)
    return file.read()


def _set_aside(path: Path) -> None:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for end in WAL:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(path.with_name(f"{path.stem}-before-{stamp}{path.suffix}{end}"))
