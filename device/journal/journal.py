"""The journal: what was seen, ordered and ruled, in one SQLite file that is only ever added to.

Rule 1: a row that was returned by `append` survives a power cut (WAL, synchronous=FULL: the commit waits for the disk).
Rule 2: rows are never edited nor deleted; the file itself refuses it.
Rule 3: a connection that failed is given up. So an `append` that failed may turn out to have been written after all:
whoever tries again reads first what stands there.

What kinds of rows there are stands in `referee/rows.py`.

Whoever has something to say to the referee puts it into the inbox (`submit`), from any process; the referee
takes it into the rows together with its consequence, in one transaction.
"""

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from linesies.device.errors import BadInput, JournalDamaged, JournalFailed
from linesies.referee.rows import Draft, Order, Row

TABLES = """
CREATE TABLE IF NOT EXISTS rows (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, origin TEXT NOT NULL, kind TEXT NOT NULL,
    about INTEGER, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, origin TEXT NOT NULL, body TEXT NOT NULL, row INTEGER);
CREATE INDEX IF NOT EXISTS orders_not_taken ON orders(id) WHERE row IS NULL;
CREATE TRIGGER IF NOT EXISTS rows_are_never_edited BEFORE UPDATE ON rows
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
CREATE TRIGGER IF NOT EXISTS rows_are_never_deleted BEFORE DELETE ON rows
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
"""
BUSY_S = 10.0  # how long a writer waits for another; a commit takes milliseconds, on a bad card a second
MOST_ROWS = 1_000_000
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Journal:
    """One journal file; any number of threads and processes may read it and submit orders, one referee appends.

    Remembers a connection a thread, and at which of the file's versions the inbox was last found empty.
    Raises BadInput for a file that is no journal or cannot be written; any method raises JournalFailed when the disk
    is full or gone, with nothing written as far as it knows, and JournalDamaged when the file itself is.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._local = threading.local()
        self._empty_at: tuple[int, int] | None = None
        try:
            self._connected().executescript(TABLES)
        except sqlite3.Error as fault:
            raise BadInput(f"{self.path}: is no journal that can be written ({fault}); choose another place") from None

    def append(self, *drafts: Draft, takes: Order | None = None) -> tuple[Row, ...]:
        """Write rows in one transaction, durably; `takes` marks an order of the inbox as dealt with by the first."""
        at_s = time.time()
        with self._transaction() as connection:
            rows = tuple(_insert(connection, draft, at_s) for draft in drafts)
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

    def inbox(self) -> list[Order]:
        """List the orders not yet taken, oldest first; next to nothing when nobody has written since."""
        with self._connection() as connection:
            version = (connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes)
            if version == self._empty_at:
                return []
            found = connection.execute("SELECT id, origin, body FROM orders WHERE row IS NULL ORDER BY id").fetchall()
        self._empty_at = None if found else version
        return [Order(id=number, origin=origin, body=json.loads(body)) for number, origin, body in found]

    def is_taken(self, number: int) -> bool:
        """Tell whether the order of that number has been dealt with."""
        return not self._found("SELECT 1 FROM orders WHERE id = ? AND row IS NULL", number)

    def rows_after(self, row_id: int, limit: int = MOST_ROWS) -> list[Row]:
        """List up to `limit` rows after the one of that id, oldest first."""
        asked = "SELECT id, at, origin, kind, about, body FROM rows WHERE id > ? ORDER BY id LIMIT ?"
        return [_row(values) for values in self._found(asked, row_id, limit)]

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
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # some failures have rolled back already
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Lend this thread's connection; one that fails is given up, whatever state it was in."""
        try:
            yield self._connected()
        except sqlite3.Error as fault:
            with contextlib.suppress(sqlite3.Error):
                self.close()
            self._empty_at = None
            if getattr(fault, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
                raise JournalDamaged(f"{self.path}: is damaged ({fault}); start again, and it is mended") from None
            raise JournalFailed(f"{self.path}: cannot be written ({fault}); free some space on the disk") from None

    def _connected(self) -> sqlite3.Connection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)  # we begin and commit
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._local.connection = connection
        return connection


def _insert(connection: sqlite3.Connection, draft: Draft, at_s: float) -> Row:
    body = json.dumps(draft.body, ensure_ascii=False)
    values = (at_s, draft.origin, draft.kind, draft.about, body)
    number = connection.execute(
        "INSERT INTO rows (at, origin, kind, about, body) VALUES (?, ?, ?, ?, ?)", values
    ).lastrowid
    return _row((number, *values))


def _row(values: Sequence[Any]) -> Row:
    number, at_s, origin, kind, about, body = values
    return Row(id=number, at_s=at_s, origin=origin, kind=kind, about=about, body=json.loads(body))
