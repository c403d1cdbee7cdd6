"""The phones that have paired: one SQLite file beside the journal, read by the page and by the device's own commands.

A phone proves itself by a token that only its browser holds; here lies its hash. A code lets in one phone and is then
replaced; codes are shown on the device, to whoever stands beside it. After ten wrong codes all change and get longer,
so that guessing leads nowhere, from however many addresses; those that people are just typing stay good for a minute.
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
CREATE TABLE IF NOT EXISTS replaced (code TEXT PRIMARY KEY, seat TEXT NOT NULL, until REAL NOT NULL);
CREATE TABLE IF NOT EXISTS guesses (wrong INTEGER NOT NULL, changes INTEGER NOT NULL);
"""
REFEREE = ""  # the seat of the referee's code
DIGITS = {True: 6, False: 4}  # of the referee's code, of a player's
MORE_DIGITS = 2  # once somebody has guessed
MOST_WRONG = 10  # wrong codes, after which all codes change
STILL_GOOD_S = 60.0  # for who is just typing a code that changed; so long, too, they change no more
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
            found = connection.execute(
                "SELECT seat FROM codes WHERE code = ? UNION SELECT seat FROM replaced WHERE code = ? AND until > ?",
                (code, code, time.time()),
            ).fetchone()
            if found is None:
                _note_wrong(connection)
                return None
            (seat,) = found
            connection.execute("DELETE FROM codes WHERE seat = ?", (seat,))
            connection.execute("DELETE FROM replaced WHERE seat = ?", (seat,))
            connection.execute("INSERT INTO replaced VALUES (?, ?, 0)", (code, seat))  # the next is another
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
            taken = {*known.values(), *(code for (code,) in connection.execute("SELECT code FROM replaced"))}
            has_been_guessed = connection.execute("SELECT 1 FROM guesses WHERE changes > 0").fetchone() is not None
            for seat in (REFEREE, *players):
                digits = DIGITS[seat == REFEREE] + MORE_DIGITS * has_been_guessed
                while seat not in known:
                    code = f"{secrets.randbelow(10**digits):0{digits}}"
                    if code not in taken:
                        taken.add(code)
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


def _note_wrong(connection: sqlite3.Connection) -> None:
    """Count a wrong code; all codes change after so many, unless they just have."""
    now_s = time.time()
    if connection.execute("UPDATE guesses SET wrong = wrong + 1").rowcount == 0:
        connection.execute("INSERT INTO guesses VALUES (1, 0)")
    (wrong,) = connection.execute("SELECT wrong FROM guesses").fetchone()
    connection.execute("DELETE FROM replaced WHERE until <= ?", (now_s,))
    if wrong >= MOST_WRONG and connection.execute("SELECT 1 FROM replaced").fetchone() is None:
        connection.execute("INSERT INTO replaced SELECT code, seat, ? FROM codes", (now_s + STILL_GOOD_S,))
        connection.execute("DELETE FROM codes")
        connection.execute("UPDATE guesses SET wrong = 0, changes = changes + 1")


def _role(connection: sqlite3.Connection, phone: str, is_referee: int) -> Role:
    seats = tuple(row[0] for row in connection.execute("SELECT player FROM seats WHERE phone = ? ORDER BY 1", (phone,)))
    kind = "referee" if is_referee else "player" if seats else "watcher"
    return Role(kind=kind, seats=seats, phone=phone)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
