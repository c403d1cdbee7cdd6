"""The tables of a journal's file, and bringing an older one up to them."""

import contextlib
import sqlite3
from collections.abc import Iterator

FORMAT_1 = (
    """CREATE TABLE IF NOT EXISTS rows (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, origin TEXT NOT NULL, kind TEXT NOT NULL,
    about INTEGER, body TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, origin TEXT NOT NULL, body TEXT NOT NULL, row INTEGER)""",
    "CREATE INDEX IF NOT EXISTS orders_not_taken ON orders(id) WHERE row IS NULL",
    """CREATE TRIGGER IF NOT EXISTS rows_are_never_edited BEFORE UPDATE ON rows
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END""",
    """CREATE TRIGGER IF NOT EXISTS rows_are_never_deleted BEFORE DELETE ON rows
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END""",
)
SINCE_FORMAT_2 = ("format INTEGER", "rules INTEGER", "state TEXT", "seal TEXT")
Schema = frozenset[tuple[str, str]]


def prepare(connection: sqlite3.Connection) -> None:
    """Make what is missing of the tables; rows of format 1 stay as they are."""
    if schema_of(connection) == FRESH:
        return
    connection.execute("BEGIN IMMEDIATE")  # another process may open the same old journal
    for statement in FORMAT_1:
        connection.execute(statement)
    known = {name for _, name, *_ in connection.execute("PRAGMA table_info(rows)")}
    for column in SINCE_FORMAT_2:
        if column.split()[0] not in known:
            connection.execute(f"ALTER TABLE rows ADD COLUMN {column}")
    connection.execute("COMMIT")


def schema_of(connection: sqlite3.Connection) -> Schema:
    """List what a file defines: name and text of each table, index and trigger."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return frozenset((name, " ".join(text.split())) for name, text in found)


def _made_by(statements: Iterator[str]) -> Schema:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements:
            connection.execute(statement)
        return schema_of(connection)


OLD = _made_by(iter(FORMAT_1))
FRESH = _made_by(iter((*FORMAT_1, *(f"ALTER TABLE rows ADD COLUMN {column}" for column in SINCE_FORMAT_2))))
EMPTY: Schema = frozenset()
KNOWN = (EMPTY, OLD, FRESH)
