"""Mends a damaged journal: the file is set aside untouched, and its sound part is taken over into a new one.

The rows keep their numbers, and are sealed anew. The file set aside keeps everything for whoever wants to look.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal, values_of, write_rows
from linesies.device.journal.salvage import fresh_name, is_cut_off, is_sound, orders_left, salvage
from linesies.device.journal.schema import prepare
from linesies.referee.rows import FORMAT, Row
from linesies.referee.saying import Saying

BESIDE = ("", "-wal", "-shm")
MOST_NAMED = 8  # gaps; after so many it is plain that little is left


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What mending did: where the damaged file lies, how many rows were taken over, and which could not be."""

    aside: Path
    kept: int
    gaps: tuple[range, ...]

    @property
    def lost(self) -> int:
        """Count the rows that could not be taken over."""
        return sum(len(gap) for gap in self.gaps)

    @property
    def saying(self) -> Saying:
        """Tell people."""
        named = ", ".join(f"{gap[0]} to {gap[-1]}" for gap in self.gaps[:MOST_NAMED])
        more = f" and {len(self.gaps) - MOST_NAMED} more gaps" if len(self.gaps) > MOST_NAMED else ""
        lost = f"lost are the rows {named}{more}; " if self.gaps else ""
        lost = lost if self.kept or self.gaps else "how many are lost cannot be told; "
        why = f"{lost}the damaged file is kept as {self.aside.name}"
        return Saying("journal_mended", {"kept": self.kept, "lost": self.lost}, why)


def open_journal(path: Path) -> tuple[Journal, Mended | None]:
    """Open a journal, mending it first if it is damaged; raises BadInput as `Journal` does."""
    mended = None if is_sound(path) else mend(path)
    return Journal(path), mended


def mend(path: Path) -> Mended:
    """Set a damaged journal aside and write its sound part anew, in its place only once all of it is on the disk.

    Where that was cut off, it is brought to its end.
    """
    fresh, is_written = fresh_name(path), is_cut_off(path)
    aside = _newest_aside(path) if is_written else _free_name(path)
    found = salvage(path)
    if any(row.format > FORMAT for row in found.rows):
        raise BadInput(
            f"{path}: was written by a later release; install that one again, or choose another state folder"
        )
    if not is_written:
        write_anew(fresh, found.rows, found.last, orders_left(path))
    for end in BESIDE:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))
    fresh.rename(path)
    return Mended(aside=aside, kept=len(found.rows), gaps=found.gaps)


def write_anew(path: Path, rows: Iterable[Row], last: int, orders: Iterable[tuple[Any, ...]] = ()) -> None:
    """Write rows with their numbers into a fresh file; the next one comes after all numbers that were ever given.

    Orders that wait go into its inbox, with their numbers too.
    """
    for old in (path.with_name(path.name + end) for end in BESIDE):
        old.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        prepare(connection)
        connection.execute("BEGIN")
        write_rows(connection, (values_of(row) for row in rows))
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'rows'")
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('rows', ?)", (last,))
        connection.executemany("INSERT OR IGNORE INTO orders (id, at, origin, body) VALUES (?, ?, ?, ?)", orders)
        connection.execute("COMMIT")


def _free_name(path: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (path.with_name(f"{path.stem}-damaged-{stamp}{more}{path.suffix}") for more in ("", *map(str, range(100))))
    return next(name for name in names if not name.exists())


def _newest_aside(path: Path) -> Path:
    """Find under which name a damaged journal was set aside last."""
    return max(path.parent.glob(f"{path.stem}-damaged-*{path.suffix}"), default=_free_name(path))
