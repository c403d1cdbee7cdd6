"""The phones that have paired: one SQLite file beside the journal, read by the page and by the device's own commands.

A phone proves itself by a token that only its browser holds; here lies its hash. A code lets in one phone and is then
replaced; codes are shown on the device, to whoever stands beside it.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from linesies.web import Role

TABLES = """
CREATE TABLE IF NOT EXISTS phones (
    id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, is_referee INTEGER NOT NULL, since REAL NOT NULL);
CREATE TABLE IF NOT EXISTS seats (
    phone TEXT NOT NULL REFERENCES phones(id) ON DELETE CASCADE, player TEXT NOT NULL, UNIQUE (phone, player));
CREATE TABLE IF NOT EXISTS codes (seat TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE);
"""
REFEREE = ""  # the seat of the referee's code
DIGITS = {True: 6, False: 4}  # of the referee's code, of a player's
BUSY_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone:
    """A paired phone, by a name that gives nothing away: what it may do, and since when (unix time)."""

    name: str
    role: Role
    since_s: float


class Phones:
    """All paired phones and the codes that let in the next; remembers a connection a thread."""

    is_open = False

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._local = threading.local()
        Path(self._path).touch(mode=0o600)
        self._connection().executescript(TABLES)

    def role(self, token: str) -> Role:
        """Tell what the phone with this token may do; one that nobody let in watches."""
        connection = self._connection()
        found = connection.execute("SELECT id, is_referee FROM phones WHERE token = ?", (_hashed(token),)).fetchone()
        return Role() if found is None else _role(connection, *found)

    def enter(self, token: str, code: str) -> str | None:
        """Give the phone what the code stands for; returns its new token, None for a code that is nobody's.

        The token changes so that one planted in a browser before it paired is worth nothing.
        """
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            found = connection.execute("SELECT seat FROM codes WHERE code = ?", (code,)).fetchone()
            if found is None:
                return None
            (seat,) = found
            connection.execute("DELETE FROM codes WHERE seat = ?", (seat,))
            new = secrets.token_urlsafe(32)
            phone = self._admitted(connection, token, new)
            self._seat(connection, phone, seat)
        return new

    def sit(self, token: str, player: str) -> str:
        """Let the phone play for a player without a code, where phones are trusted; returns its new token."""
        with self._connection() as connection:
            new = secrets.token_urlsafe(32)
            self._seat(connection, self._admitted(connection, token, new), player)
        return new

    def codes(self, players: Iterable[str]) -> dict[str, str]:
        """Give the code of each player's seat, and under "" the referee's; made where there is none."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            known = dict(connection.execute("SELECT seat, code FROM codes").fetchall())
            for seat in (REFEREE, *players):
                while seat not in known:
                    code = f"{secrets.randbelow(10 ** DIGITS[seat == REFEREE]):0{DIGITS[seat == REFEREE]}}"
                    if code not in known.values():
                        known[seat] = code
                        connection.execute("INSERT INTO codes VALUES (?, ?)", (seat, code))
        return {seat: known[seat] for seat in (REFEREE, *players)}

    def all(self) -> tuple[Phone, ...]:
        """List the paired phones, the oldest first."""
        connection = self._connection()
        found = connection.execute("SELECT id, is_referee, since FROM phones ORDER BY since, id").fetchall()
        return tuple(Phone(name=name, role=_role(connection, name, of), since_s=since) for name, of, since in found)

    def revoke(self, phone: str) -> bool:
        """Take everything back from a phone; tells whether there was such a one."""
        with self._connection() as connection:
            return connection.execute("DELETE FROM phones WHERE id = ?", (phone,)).rowcount > 0

    def _admitted(self, connection: sqlite3.Connection, token: str, new: str) -> str:
        found = connection.execute("SELECT id FROM phones WHERE token = ?", (_hashed(token),)).fetchone()
        phone = found[0] if found else secrets.token_hex(3)
        connection.execute(
            "INSERT INTO phones VALUES (?, ?, 0, ?) ON CONFLICT (id) DO UPDATE SET token = excluded.token",
            (phone, _hashed(new), time.time()),
        )
        return phone

    @staticmethod
    def _seat(connection: sqlite3.Connection, phone: str, seat: str) -> None:
        if seat == REFEREE:
            connection.execute("UPDATE phones SET is_referee = 1 WHERE id = ?", (phone,))
        else:
            connection.execute("INSERT OR IGNORE INTO seats VALUES (?, ?)", (phone, seat))

    def _connection(self) -> sqlite3.Connection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=BUSY_S)
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
        return connection


def _role(connection: sqlite3.Connection, phone: str, is_referee: int) -> Role:
    seats = tuple(row[0] for row in connection.execute("SELECT player FROM seats WHERE phone = ? ORDER BY 1", (phone,)))
    kind = "referee" if is_referee else "player" if seats else "watcher"
    return Role(kind=kind, seats=seats, phone=phone)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
