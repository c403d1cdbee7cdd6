"""What can still be read of a journal's file, however damaged: each row by itself, sound or not.

A game is folded from its rows one after the other, so in each game the rows up to its first hole are sound: what comes
after a hole would be ruled on as if the missing rows had never been.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from linesies.device.errors import JournalFailed
from linesies.device.journal.journal import AS_WRITTEN, MOST_ROWS, READ, Journal, damaged_row, read_row
from linesies.device.journal.schema import EMPTY, FRESH, KNOWN, OLD, prepare, schema_of
from linesies.referee.rows import DAMAGED, Row, read_body

MOST_MISSING = 2000  # rows in a row that cannot be read; after so many no more are looked for than were ever written
MOST_LOST = 200_000  # rows in a row, some hundred evenings: a number further on was never given, whatever the file says
PAGE = 4096
PAGES_AT = 28  # of the header, where it tells in four bytes how many pages there are
IN_FORMAT_1 = "SELECT id, at, origin, kind, about, body, NULL, NULL, NULL, NULL FROM rows"
ELSEWHERE = {  # why SQLite cannot look, which is no damage: the journal tells why when it is opened
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
}
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the latter where SQLite's own complaint quotes damaged letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvage:
    """The sound rows of a file, and the last number that was ever given."""

    rows: tuple[Row, ...]
    last: int

    @property
    def gaps(self) -> tuple[range, ...]:
        """List the numbers of the rows that are lost."""
        ends = [0, *(row.id for row in self.rows), self.last + 1]
        return tuple(range(a + 1, b) for a, b in pairwise(ends) if b > a + 1)


def is_sound(path: Path) -> bool:
    """Tell whether all of a journal's file can be relied on; one that is not there, or not to be read now, can."""
    if not path.exists():
        return not is_cut_off(path)
    try:
        with contextlib.closing(_opened(path)) as connection:
            return _is_sound(connection)
    except UNREADABLE as fault:
        return getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_NOTADB) & 0xFF in ELSEWHERE


def fresh_name(path: Path) -> Path:
    """Name the file in which a damaged journal's sound part is written anew, until it takes the journal's place."""
    return path.with_name(f"{path.name}.mended")


def is_cut_off(path: Path) -> bool:
    """Tell whether mending a journal was cut off just before the file written anew took its place."""
    return not path.exists() and fresh_name(path).exists()


def _is_sound(connection: sqlite3.Connection) -> bool:
    schema = schema_of(connection)
    if schema not in KNOWN or connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        return False
    if schema == EMPTY:
        return True
    starts = frozenset(number for (number,) in connection.execute("SELECT id FROM rows WHERE kind = 'start'"))
    found = connection.execute(f"{IN_FORMAT_1 if schema == OLD else READ} ORDER BY id")
    holes = Holes(starts)
    return all(holes.is_sound(row) for row in _read(found))


def salvage(path: Path) -> Salvage:
    """Read each row by itself, so that one that is lost takes no other with it; at need through another first page.

    Where mending was cut off, the rows are read from the file that was written anew.
    """
    path = fresh_name(path) if is_cut_off(path) else path
    found, last = _found_by_number(path)
    if not found:
        with _with_first_page_anew(path) as copy:
            found, last = _found_by_number(copy)
    read = tuple(_read(found[number] for number in sorted(found)))
    holes = Holes(frozenset(row.id for row in read if row.kind == "start"))
    return Salvage(rows=tuple(row for row in read if holes.is_sound(row)), last=max(last, *found, 0))


def rows_to_read(path: Path) -> tuple[Row, ...]:
    """List a journal's rows for who only reads; of a damaged file the sound ones, with a `damaged` row for each gap."""
    if is_sound(path):
        journal = Journal(path)
        rows = journal.rows_after(0)
        journal.close()
        return tuple(rows)
    found = salvage(path)
    return tuple(sorted((*found.rows, *(damaged_row(gap[0]) for gap in found.gaps)), key=lambda row: row.id))


class DamagedJournal:
    """A damaged file as one reads it until the referee has mended it: its sound rows, and no way to add to them."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._rows = rows_to_read(path)

    def last_id(self) -> int:
        """Tell the newest row's id, 0 where none can be read."""
        return max((row.id for row in self._rows), default=0)

    def rows_after(self, row_id: int, limit: int = MOST_ROWS) -> list[Row]:
        """List up to `limit` rows after the one of that id, with a `damaged` one for each gap."""
        return [row for row in self._rows if row.id > row_id][:limit]

    def submit(self, _order: Any, _origin: str) -> int:
        """Take no order; raises JournalFailed."""
        raise JournalFailed(f"{self.path}: is damaged; start the referee again, and it is mended")


def open_to_read(path: Path) -> Journal | DamagedJournal:
    """Open a journal for who reads and hands in orders; a damaged one is left for the referee to mend."""
    return Journal(path) if is_sound(path) else DamagedJournal(path)


def rows_of_stranger(path: Path) -> Salvage | None:
    """Read a file that anybody may have made: its rows alone, if they lie in a table such as ours; None if not."""
    try:
        with contextlib.closing(_opened(path)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            tables = {pair for pair in schema_of(connection) if pair[0] == "rows"}
            if not tables or not tables < OLD | FRESH:  # a view could go on for ever
                return None
        found = salvage(path)
    except UNREADABLE:
        return None
    return found if found.rows or not found.last else None


class Holes:
    """Tells, row after row, which can be relied on; remembers the number that comes next."""

    def __init__(self, starts: frozenset[int]) -> None:
        self._starts = starts
        self._expected = 1

    def is_sound(self, row: Row) -> bool:
        """Tell whether a row is whole and none before it in its game is missing."""
        is_next = row.id == self._expected or (row.kind == "set_up" and row.id + 1 in self._starts)
        if not is_next or row.kind == DAMAGED or read_body(row) is None:
            return False
        self._expected = row.id + 1
        return True


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.text_factory = AS_WRITTEN
    return connection


def _last(connection: sqlite3.Connection) -> int:
    last = 0
    for asked in ("SELECT seq FROM sqlite_sequence WHERE name = 'rows'", "SELECT max(id) FROM rows"):
        with contextlib.suppress(*UNREADABLE, TypeError, ValueError):
            last = max(last, *(int(number or 0) for (number,) in connection.execute(asked)))
    return last


def _found_by_number(path: Path) -> tuple[dict[int, tuple[Any, ...]], int]:
    found: dict[int, tuple[Any, ...]] = {}
    with contextlib.closing(_opened(path)) as connection:
        last = _last(connection)
        number = newest = 0
        while number < min(max(last, newest + MOST_MISSING), newest + MOST_LOST):
            number += 1
            one = _row_at(connection, number)
            if one is not None:
                found[number] = one
                newest = number
    return found, min(last, newest + MOST_LOST)


def _row_at(connection: sqlite3.Connection, number: int) -> tuple[Any, ...] | None:
    for asked in (READ, IN_FORMAT_1):
        with contextlib.suppress(*UNREADABLE):
            one: tuple[Any, ...] | None = connection.execute(f"{asked} WHERE id = ?", (number,)).fetchone()
            return one
    return None


def orders_left(path: Path) -> list[tuple[Any, ...]]:
    """List what waits in the inbox of a journal as its columns stand there; nothing where that cannot be read."""
    with contextlib.suppress(*UNREADABLE), contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT id, at, origin, body FROM orders WHERE row IS NULL ORDER BY id").fetchall()
    return []


@contextlib.contextmanager
def _with_first_page_anew(path: Path) -> Iterator[Path]:
    """Copy a file with its first page, which may be damaged, written anew: of all journals it differs in the length."""
    copy = path.with_name(f"{path.name}.salvage")
    data = path.read_bytes()
    with contextlib.closing(sqlite3.connect(copy)) as fresh:
        prepare(fresh)
    first = bytearray(copy.read_bytes()[:PAGE])
    first[PAGES_AT : PAGES_AT + 4] = (len(data) // PAGE).to_bytes(4, "big")
    copy.write_bytes(bytes(first) + data[PAGE:])
    try:
        yield copy
    finally:
        copy.unlink()


def _read(found: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
    before = None
    for values in found:
        yield read_row(values, before)
        before = values[-1]
