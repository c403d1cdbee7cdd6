"""Mends a damaged journal: the file is set aside untouched, and its sound part is taken over into a new one.

A row counts as sound when it can be read and its body is JSON. A game is folded from its rows one after the other,
so in each game the rows up to its first hole are taken, with their numbers; what comes after a hole would be ruled
on as if the missing rows had never been. The file set aside keeps everything for whoever wants to look.
"""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linesies.device.journal.journal import TABLES, Journal
from linesies.referee.saying import Saying

BESIDE = ("", "-wal", "-shm")
MOST_MISSING = 2000  # rows in a row that cannot be read; after so many nothing more is looked for
BEGINS_GAME = "set_up"  # the first row of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What mending did: where the damaged file lies, how many rows were taken over, and how many could not be."""

    aside: Path
    kept: int
    lost: int

    @property
    def saying(self) -> Saying:
        """Tell people."""
        why = f"the damaged file is kept as {self.aside.name}"
        return Saying("journal_mended", {"kept": self.kept, "lost": self.lost}, why)


def open_journal(path: Path) -> tuple[Journal, Mended | None]:
    """Open a journal, mending it first if it is damaged; raises BadInput as `Journal` does."""
    mended = None if is_sound(path) else mend(path)
    return Journal(path), mended


def is_sound(path: Path) -> bool:
    """Tell whether a journal's file can be relied on; one that is not there yet can."""
    if not path.exists():
        return True
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.OperationalError:
        return True  # locked, or not to be read: no damage, and the journal tells why when it is opened
    except sqlite3.DatabaseError:
        return False


def mend(path: Path) -> Mended:
    """Set a damaged journal aside and write its sound part anew, in its place only once all of it is on the disk."""
    aside = _free_name(path)
    fresh = path.with_name(f"{path.name}.mended")
    for old in (fresh.with_name(fresh.name + end) for end in BESIDE):
        old.unlink(missing_ok=True)
    rows, last = _sound_rows(path)
    kept = list(_up_to_holes(rows))
    _write(fresh, kept, last)
    for end in BESIDE:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))
    fresh.rename(path)
    return Mended(aside=aside, kept=len(kept), lost=last - len(kept))


def _free_name(path: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (path.with_name(f"{path.stem}-damaged-{stamp}{more}{path.suffix}") for more in ("", *map(str, range(100))))
    return next(name for name in names if not name.exists())


def _sound_rows(path: Path) -> tuple[dict[int, tuple[Any, ...]], int]:
    """Read each row by itself, so that one that is lost takes no other with it; tells too the last number given."""
    rows: dict[int, tuple[Any, ...]] = {}
    last = 0
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for asked in ("SELECT seq FROM sqlite_sequence WHERE name = 'rows'", "SELECT max(id) FROM rows"):
            with contextlib.suppress(sqlite3.DatabaseError):
                last = max(last, *(number or 0 for (number,) in connection.execute(asked)))
        number = 0
        while number < max(last, max(rows, default=0) + MOST_MISSING):
            number += 1
            with contextlib.suppress(sqlite3.DatabaseError, ValueError):
                found = connection.execute(
                    "SELECT id, at, origin, kind, about, body FROM rows WHERE id = ?", (number,)
                ).fetchone()
                if found is not None and isinstance(json.loads(found[-1]), dict):
                    rows[number] = found
    return rows, max(last, *rows) if rows else last


def _up_to_holes(rows: dict[int, tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield each game's rows up to its first hole; every game begins anew."""
    expected = 1
    for number in sorted(rows):
        row = rows[number]
        if number == expected or row[3] == BEGINS_GAME:
            expected = number + 1
            yield row


def _write(path: Path, rows: list[tuple[Any, ...]], last: int) -> None:
    """Write rows with their numbers; the next one that is written comes after all that were ever given."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(TABLES)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO rows (id, at, origin, kind, about, body) VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'rows'")
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('rows', ?)", (last,))
        connection.execute("COMMIT")
