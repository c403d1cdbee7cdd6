"""The journal: what was seen, ordered and ruled, in one SQLite file that is only ever added to.

Rule 1: a row that was returned by `append` survives a power cut (WAL, synchronous=FULL: the commit waits for the disk).
Rule 2: rows are never edited nor deleted; the file itself refuses it, and each row shows it by its seal.
Rule 3: a connection that failed is given up. So an `append` that failed may turn out to have been written after all:
whoever tries again reads first what stands there.
Rule 4: nothing is written once another file lies in this one's place, and nothing read a quarter of a second after.

What kinds of rows there are stands in `referee/rows.py`. A row that cannot be read is given as one of the kind
`damaged`; `mending.py` sets such a file aside before anybody referees on it.

Whoever has something to say to the referee puts it into the inbox (`submit`), from any process; the referee
takes it into the rows together with its consequence, in one transaction.
"""

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from linesies.device.errors import BadInput, JournalDamaged, JournalFailed
from linesies.device.journal.schema import prepare
from linesies.referee.rows import DAMAGED, FORMAT, Draft, Row, Submitted, row_from
from linesies.referee.saying import Saying
from linesies.referee.seals import COLUMNS, is_sealed, sealed_after
from linesies.referee.shallow import shallow

LOOK_AGAIN_S = 0.01
LOOK_FOR_FILE_S = 0.25  # readers come with each frame, and to ask the disk each time cost them more than all they read
BUSY_S = 10.0  # how long a writer waits for another; a commit takes milliseconds, on a bad card a second
MOST_ROWS = 1_000_000
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
READ = "SELECT id, at, origin, kind, about, body, format, rules, state, seal FROM rows"
WRITE = (
    "INSERT INTO rows (id, at, origin, kind, about, body, format, rules, state, seal)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
Values = tuple[Any, ...]
AS_WRITTEN = partial(str, encoding="utf-8", errors="surrogateescape")  # also what a flipped bit made of a text


class Journal:
    """One journal file; any number of threads and processes may read it and submit orders, one referee appends.

    Remembers a connection a thread, which file it opened and when it was last seen there, and at which of its versions
    the inbox was last found empty. Raises BadInput for a file that is no journal or cannot be written; any method
    raises JournalFailed when the disk is full or gone, or the file was moved, with nothing written as far as it knows,
    and JournalDamaged when the file itself is.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._local = threading.local()
        self._file: tuple[int, int] | None = None
        self._looked_s = float("-inf")
        self._empty_at: tuple[int, int] | None = None
        try:
            prepare(self._connected())
        except sqlite3.Error as fault:
            raise BadInput(f"{self.path}: is no journal that can be written ({fault}); choose another place") from None
        self._file = _identity(self.path)

    def append(self, *drafts: Draft, takes: Submitted | None = None) -> tuple[Row, ...]:
        """Write rows in one transaction, durably; `takes` marks an order of the inbox as dealt with by the first."""
        at_s = time.time()
        with self._transaction() as connection:
            rows = _inserted(connection, drafts, at_s)
            if takes is not None:
                connection.execute("UPDATE orders SET row = ? WHERE id = ?", (rows[0].id, takes.id))
        return rows

    def next_id(self) -> int:
        """Tell which id the next row will get, for drafts of one transaction that are about one another."""
        found = self._found("SELECT seq FROM sqlite_sequence WHERE name = 'rows'")
        return (found[0][0] if found else 0) + 1

    def submit(self, order: Any, origin: str) -> int:
        """Put an order into the inbox, durably; returns its number there."""
        values = (time.time(), origin, json.dumps(order))
        with self._transaction() as connection:
            return connection.execute("INSERT INTO orders (at, origin, body) VALUES (?, ?, ?)", values).lastrowid or 0

    def inbox(self) -> list[Submitted]:
        """List the orders not yet taken, oldest first; next to nothing when nobody has written since."""
        with self._connection() as connection:
            version = (connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes)
            if version == self._empty_at:
                return []
            found = connection.execute("SELECT id, origin, body FROM orders WHERE row IS NULL ORDER BY id").fetchall()
        self._empty_at = None if found else version
        return [Submitted(id=number, origin=origin, body=_order(body)) for number, origin, body in found]

    def is_taken(self, number: int) -> bool:
        """Tell whether the order of that number has been dealt with."""
        return not self._found("SELECT 1 FROM orders WHERE id = ? AND row IS NULL", number)

    def rows_after(self, row_id: int, limit: int = MOST_ROWS) -> list[Row]:
        """List up to `limit` rows after the one of that id, oldest first; one that is not as written is `damaged`."""
        with self._connection() as connection:
            before = connection.execute(f"{READ} WHERE id <= ? ORDER BY id DESC LIMIT 1", (row_id,)).fetchone()
            found = connection.execute(f"{READ} WHERE id > ? ORDER BY id LIMIT ?", (row_id, limit)).fetchall()
        seals = (None if before is None else before[-1], *(values[-1] for values in found))
        return [read_row(values, before) for values, before in zip(found, seals, strict=False)]

    def values_after(self, row_id: int, limit: int) -> list[Values]:
        """List rows after the one of that id as their columns stand in the file, each with its seal at the end."""
        return self._found(f"{READ} WHERE id > ? ORDER BY id LIMIT ?", row_id, limit)

    def seal_at(self, row_id: int) -> str | None:
        """Tell the seal of a row, None where there is no such row; "" for one of format 1."""
        found = self._found("SELECT coalesce(seal, '') FROM rows WHERE id = ?", row_id)
        return found[0][0] if found else None

    def last_id(self) -> int:
        """Tell the newest row's id, 0 in an empty journal."""
        return int(self._found("SELECT coalesce(max(id), 0) FROM rows")[0][0])

    def close(self) -> None:
        """Let go of this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            del self._local.connection
            connection.close()

    def _found(self, asked: str, *values: Any) -> list[Any]:
        with self._connection() as connection:
            return connection.execute(asked, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._look_for_file()
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # some failures have rolled back already
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        self._look_for_file()  # nothing is announced that was written into a file taken away

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Lend this thread's connection; one that fails is given up, whatever state it was in."""
        if time.monotonic() - self._looked_s > LOOK_FOR_FILE_S:
            self._look_for_file()
        try:
            yield self._connected()
        except sqlite3.Error as fault:
            with contextlib.suppress(sqlite3.Error):
                self.close()
            self._empty_at = None
            if getattr(fault, "sqlite_errorcode", 0) & 0xFF in BROKEN:
                raise JournalDamaged(f"{self.path}: is damaged ({fault}); start again, and it is mended") from None
            raise JournalFailed(f"{self.path}: cannot be written ({fault}); free some space on the disk") from None

    def _look_for_file(self) -> None:
        if self._file not in (None, _identity(self.path)):
            self.close()
            raise JournalFailed(
                f"{self.path}: was moved away or replaced; put the same file back, or end the referee and start again"
            )
        self._looked_s = time.monotonic()

    def _connected(self) -> sqlite3.Connection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)  # we begin and commit
            connection.text_factory = AS_WRITTEN
            _log_ahead(connection)
            connection.execute("PRAGMA synchronous = FULL")
            self._local.connection = connection
        return connection


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Have what is written logged ahead, so that nobody who reads waits for who writes.

    Two who open a fresh file at once are both in each other's way, which SQLite tells at once and does not wait out.
    """
    until_s = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as fault:
            if getattr(fault, "sqlite_errorcode", 0) != sqlite3.SQLITE_BUSY or time.monotonic() > until_s:
                raise
            time.sleep(LOOK_AGAIN_S)
        else:
            return


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _order(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None  # the referee refuses it, and it is taken


def _inserted(connection: sqlite3.Connection, drafts: Sequence[Draft], at_s: float) -> tuple[Row, ...]:
    counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'rows'").fetchone()
    latest = connection.execute("SELECT seal FROM rows ORDER BY id DESC LIMIT 1").fetchone()
    first = 1 + (counted[0] if counted else 0)
    given = enumerate(drafts, start=first)
    rows = [
        (n, at_s, one.origin, one.kind, one.about, _json(one.body), FORMAT, one.rules, one.state) for n, one in given
    ]
    return write_rows(connection, rows, (latest and latest[0]) or "")


def write_rows(connection: sqlite3.Connection, rows: Iterable[Values], before: str = "") -> tuple[Row, ...]:
    """Seal and write rows, each after the one with the seal `before`; returns them as they can be read."""
    sealed = sealed_after(before, rows)
    connection.executemany(WRITE, sealed)
    return tuple(map(_row, sealed))


def values_of(row: Row) -> Values:
    """Give a row's columns but for its seal, with the number of the format that is written now."""
    body = _json(row.body)
    return row.id, row.at_s, row.origin, row.kind, row.about, body, FORMAT, row.rules, row.state


def _json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False)


def read_row(values: Sequence[Any], before: str | None) -> Row:
    """Read a row as the file has it, after the one with the seal `before`; one that is not as written is `damaged`."""
    *columns, told = values
    return _row(values) if is_sealed(columns, told, before) else damaged_row(columns[0])


def _row(values: Sequence[Any]) -> Row:
    body = _body(values[COLUMNS.index("body")])
    return damaged_row(values[0]) if body is None else row_from(values, body)


def damaged_row(number: int) -> Row:
    """Stand for a row that cannot be read."""
    return Row(id=number, at_s=0.0, origin="journal", kind=DAMAGED, about=None, body=Saying("row_damaged").as_json())


def _body(text: str) -> dict[str, Any] | None:
    try:
        body = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return shallow(body, text) if isinstance(body, dict) else None
