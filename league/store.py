"""What the hub holds, in PostgreSQL: boards, and their rows, each once and in its chain.

A push is one transaction that locks its board: two of one board wait for one another, those of several do not. What
was answered as held survives a power cut, as PostgreSQL's commit does.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    create_engine,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from linesies.league.chain import joined
from linesies.league.errors import BadInput, NoAnswer
from linesies.league.hiding import COLUMNS, Hiding, hide_held
from linesies.league.names import Names
from linesies.league.tables import IS_ON, boards, calls, rows
from linesies.league.wire import HubAnswer, Joining, Leaving, Pushed, Refusal, row_of
from linesies.referee.orders import CalledMatch
from linesies.referee.rows import Row

MIGRATIONS = Path(__file__).parent / "migrations"
CHANNEL = "linesies_rows"  # of NOTIFY: something has changed
UNTOLD = ""  # the seal of its newest row, by a board of an earlier release
STRANGER = Refusal(code="unknown", message="this board is not in the league; join with the code that the hub shows")
SAID_BEFORE = Refusal(code="outdated", message="this was said before; the box itself has to say it anew")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBoard:
    """A board as the hub knows it."""

    board: str
    name: str
    place: str
    epoch: str | None
    heard_at: datetime | None
    has_left: bool
    is_behind: bool


class Store:
    """The hub's database; any number of processes may use it at once."""

    def __init__(self, url: str, keys: Path) -> None:
        """Open a database, whose names lie under keys in a folder; raises NoAnswer for one that does not answer.

        Its tables are brought up to date. Raises BadInput for an address that is none.
        """
        try:
            self.engine: Engine = create_engine(url, pool_pre_ping=True)
            self._own = create_engine(url, pool_pre_ping=True, pool_size=1)  # a name is kept while its row is
        except ArgumentError as fault:
            raise BadInput(_no_answer(fault)) from None
        try:
            with self.engine.begin() as connection:
                migrate(connection)
            self.names = Names(self._own, keys)
            self._hiding = Hiding(self.names)
            hide_held(self.engine, self.names)
            self.keyless = self.names.without_keys()  # people whose keys were not there when it was opened
        except OperationalError as fault:
            self.close()
            raise NoAnswer(_no_answer(fault)) from None

    def close(self) -> None:
        """Let go of all connections: now, or as soon as whoever uses one has done."""
        for engine in (self.engine, self._own):
            event.listen(engine, "checkin", _end)  # to a pool that is gone it would come back open
            engine.dispose()

    def admit(self, board: str, joining: Joining) -> None:
        """Let a board in, or in again, under the name that it has now."""
        named = {"name": joining.name, "place": joining.place, "left_at": None}
        with self.engine.begin() as connection:
            made = upsert(boards).values(board=board, **named)
            connection.execute(made.on_conflict_do_update(index_elements=[boards.c.board], set_=named))

    def let_go(self, board: str) -> bool:
        """Note that a board has left; what it told stays. Tells whether it was in the league."""
        return self._let_go(boards.c.board == board)

    def take_leave(self, board: str, leaving: Leaving) -> HubAnswer | Refusal:
        """Let a board go that says so itself; what was heard of it before is somebody else's echo, and refused."""
        said_s = boards.c.leave_said_s
        is_new = (boards.c.board == board) & (said_s.is_(None) | (said_s < leaving.at_s))
        if self._let_go(is_new, leave_said_s=leaving.at_s):
            return HubAnswer(held=0)
        known = self.board(board)
        return HubAnswer(held=0) if known is None or known.has_left else SAID_BEFORE

    def _let_go(self, which: ColumnElement[bool], **values: Any) -> bool:
        meant = which & boards.c.left_at.is_(None)
        with self.engine.begin() as connection:
            found = connection.execute(
                update(boards).where(meant).values(left_at=func.now(), offers_files=False, **values)
            )
            ring(connection)
        return bool(found.rowcount)

    def push(self, board: str, pushed: Pushed) -> HubAnswer | Refusal:
        """Take the rows that are new, all or none, and answer what is held; refuse a stranger, a hole or a fork."""
        with self.engine.begin() as connection:
            member = connection.execute(member_of(board)).one_or_none()
            if member is None or member.left_at is not None:
                return STRANGER
            told = joined(
                _held(connection, board, pushed.epoch),
                pushed,
                lambda row: _seal_at(connection, board, pushed.epoch, row),
            )
            if isinstance(told, Refusal):
                return told
            fresh = self._hiding.hidden(connection, (board, pushed.epoch), told.rows) if told.rows else []
            if not pushed.rows:
                _note_behind(connection, board, is_behind=pushed.before not in (UNTOLD, told.answer.seal))
            _keep(connection, board, pushed.epoch, fresh)
            match = member.told and msgspec.json.decode(self.names.show(member.told), type=CalledMatch)
            return msgspec.structs.replace(told.answer, match=match)

    def boards(self) -> tuple[KnownBoard, ...]:
        """List all boards that ever joined, by name: Board 2 before Board 10."""
        with self.engine.connect() as connection:
            found = connection.execute(select(boards).order_by(boards.c.board)).all()
        return tuple(sorted(map(_board, found), key=lambda board: _as_people_sort(board.name)))

    def board(self, key: str) -> KnownBoard | None:
        """Give the board with that key, None where none ever joined."""
        with self.engine.connect() as connection:
            found = connection.execute(select(boards).where(boards.c.board == key)).one_or_none()
        return None if found is None else _board(found)

    def rows_after(self, board: str, epoch: str, row: int) -> list[Row]:
        """List a board's rows after the one of that number, oldest first."""
        columns = [rows.c[name] for name in COLUMNS]
        asked = select(*columns).where(rows.c.board == board, rows.c.epoch == epoch, rows.c.row > row)
        with self.engine.connect() as connection:
            return [row_of(self.shown(found)) for found in connection.execute(asked.order_by(rows.c.row))]

    def shown(self, row: Sequence[Any]) -> Sequence[Any]:
        """Show a row's names: exactly the row that the board has told, but for who was forgotten."""
        return self._hiding.shown(row)


def _no_answer(fault: Exception) -> str:
    why = str(fault).partition("\n")[0]
    return f"--database: does not answer ({why}); name one as postgresql+psycopg://HOST/NAME"


def _end(_: object, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _as_people_sort(name: str) -> list[tuple[int, str]]:
    """Order names by the numbers in them, and without regard to capitals."""
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in re.split(r"(\d+)", name)]


def migrate(connection: Connection, revision: str = "head") -> None:
    """Bring the tables to a revision, the newest if none is named."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _board(found: Any) -> KnownBoard:
    return KnownBoard(
        board=found.board,
        name=found.name,
        place=found.place,
        epoch=found.epoch,
        heard_at=found.heard_at,
        has_left=found.left_at is not None,
        is_behind=found.is_behind,
    )


def member_of(board: str) -> Select[Any]:
    """Ask for a board, which nobody else then writes to, and for the match that is called to it."""
    both = boards.outerjoin(calls, (calls.c.board == boards.c.board) & IS_ON)
    asked = (
        select(boards.c.left_at, boards.c.offers_files, calls.c.told).select_from(both).where(boards.c.board == board)
    )
    return asked.with_for_update(of=boards)


def _held(connection: Connection, board: str, epoch: str) -> HubAnswer:
    asked = select(rows.c.row, rows.c.seal).where(rows.c.board == board, rows.c.epoch == epoch)
    newest = connection.execute(asked.order_by(rows.c.row.desc()).limit(1)).one_or_none()
    return HubAnswer(held=0) if newest is None else HubAnswer(held=newest.row, seal=newest.seal or "")


def _seal_at(connection: Connection, board: str, epoch: str, row: int) -> str | None:
    asked = select(rows.c.seal).where(rows.c.board == board, rows.c.epoch == epoch, rows.c.row == row)
    return connection.execute(asked).scalar_one_or_none()


def _keep(connection: Connection, board: str, epoch: str, fresh: Iterable[Sequence[Any]]) -> None:
    values: list[Mapping[str, Any]] = [
        {"board": board, "epoch": epoch, **dict(zip(COLUMNS, one, strict=True))} for one in fresh
    ]
    heard = update(boards).where(boards.c.board == board)
    connection.execute(heard.values(heard_at=func.now(), **({"epoch": epoch} if values else {})))
    if values:
        connection.execute(insert(rows), values)
        ring(connection)


def _note_behind(connection: Connection, board: str, *, is_behind: bool) -> None:
    changed = update(boards).where(boards.c.board == board, boards.c.is_behind != is_behind)
    if connection.execute(changed.values(is_behind=is_behind)).rowcount:
        ring(connection)


def ring(connection: Connection) -> None:
    """Let the bell ring once this transaction is done."""
    connection.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANNEL})
