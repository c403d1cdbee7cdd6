"""Files that show calls: clips of shots, and what calls were measured from, of boards whose owners let people see them.

Each is named by the hash of its content (`file_place.py`); which ones are there stands in the database. What a board's
owner takes back, and all of a board that leaves, is shown to nobody from that moment on, and removed at the next ring
of the bell, or as soon as their place answers. Whoever tells, reads or forgets never waits for that place; and while
it is waited for, a board's turn is held, but no row of the database.
"""

import contextlib
import hashlib
import logging
import threading
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, get_args

from sqlalchemy import ColumnElement, Connection, Select, exists, func, or_, select, tuple_, update
from sqlalchemy import delete as drop
from sqlalchemy.dialects.postgresql import insert as upsert

from linesies.league.file_place import FilePlace, FilesAway
from linesies.league.store import SAID_BEFORE, STRANGER, Store, ring
from linesies.league.tables import boards, files, rows
from linesies.league.wire import MOST_FILE_BYTES, FileKind, Offered, Refusal, Wanted
from linesies.referee.past_games import games_of

log = logging.getLogger(__name__)

KINDS = get_args(FileKind)
MB = 1_000_000
TIDIED_TO = 0.9  # of the room, so that not every file has all of them looked through
WRITERS, READERS = (
    4,
    24,
)  # at once: each writer holds one or two of the database's fifteen connections, each reader a thread
BUSY_S = 5.0  # how long a further one waits for his turn
LOCK = 0x66696C65  # in PostgreSQL's space of locks, with a board: whose turn it is at its files; alone: at the table
NOT_OFFERED = Refusal(code="not_offered", message="the owner of this board lets nobody see its pictures")
TOO_LARGE = Refusal(code="too_large", message=f"it has more than {MOST_FILE_BYTES} bytes")
OTHER_BYTES = Refusal(code="other_bytes", message="it is not what its name says")
NO_SUCH_ROW = Refusal(code="unknown_row", message="the hub holds no such row of this board")


class FilesBusy(FilesAway):
    """Others change them just now; it is their turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Where files lie, and how many megabytes of each board."""

    address: str = "league-files"
    megabytes: int = 300  # as a box keeps for itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A file of a row that a board brings, as the database knows it."""

    board: str
    epoch: str
    row: int
    kind: str
    sha256: str
    bytes: int


class Files:
    """The files of all boards; any number of processes may use them at once."""

    def __init__(self, store: Store, room: Room) -> None:
        """Keep files beside what a database holds; raises BadAddress for a place that cannot be reached from here."""
        self._store = store
        self._engine = store.engine
        self._place = FilePlace(room.address)
        self._is_tried = False
        self._late: set[Brought] = set()  # that came when nobody waited any more; the next ring settles them
        self._room = room.megabytes * MB
        self._writers, self._readers = threading.BoundedSemaphore(WRITERS), threading.BoundedSemaphore(READERS)

    def offered(self, board: str, offered: Offered) -> Wanted | Refusal:
        """Heed whether a board lets its files be seen, and say which of them are wanted."""
        is_new = boards.c.left_at.is_(None) & (boards.c.offered_s.is_(None) | (boards.c.offered_s < offered.at_s))
        said = {"offered_s": offered.at_s, "offers_files": offered.files is not None}
        with self._engine.begin() as connection:
            if not _is_member(connection, board):
                return STRANGER
            if not connection.execute(update(boards).where(boards.c.board == board, is_new).values(**said)).rowcount:
                return SAID_BEFORE
            if offered.files is None:
                ring(connection)
                return Wanted()
            named = {row for row, _ in offered.files}
            this = (rows.c.board == board) & (rows.c.epoch == offered.epoch) & rows.c.row.in_(named)
            there = set(connection.execute(select(rows.c.row).where(this)).scalars())
            of_chain = (files.c.board == board) & (files.c.epoch == offered.epoch)
            had = {(one.row, one.kind) for one in connection.execute(select(files.c.row, files.c.kind).where(of_chain))}
        wanted = tuple(one for one in offered.files if one[0] in there and one not in had)
        return Wanted(files=wanted, has_rows=named <= there)

    def keep(self, board: str, data: bytes, *, epoch: str, file: tuple[int, str], sha256: str) -> Wanted | Refusal:
        """Keep a file of a row of a board that lets it be seen; one that was had before is had."""
        if len(data) > MOST_FILE_BYTES:
            return TOO_LARGE
        if hashlib.sha256(data).hexdigest() != sha256:
            return OTHER_BYTES
        row, kind = file
        one = Brought(board=board, epoch=epoch, row=row, kind=kind, sha256=sha256, bytes=len(data))
        with self._alone(board):
            with self._engine.connect() as connection:
                refusal = _why_not(connection, one)
                if refusal is not None or _is_had(connection, one):
                    return refusal or Wanted()
            self._place.write(board, sha256, data, late=lambda: self._late.add(one))
            self._settle(one)
        self._make_room(board)
        return Wanted()

    def of_row(self, board: str, row: int) -> frozenset[str]:
        """Name the kinds of files that may be seen of a row of a board's newest chain."""
        asked = _seen(board, row, files.c.kind)
        with self._engine.connect() as connection:
            return frozenset(connection.execute(asked).scalars())

    def read(self, board: str, row: int, kind: str) -> bytes | None:
        """Read a file of a row of a board's newest chain; None where there is none that may be seen."""
        with self._engine.connect() as connection:
            name = connection.execute(
                _seen(board, row, files.c.sha256).where(files.c.kind == kind)
            ).scalar_one_or_none()
        if name is None:
            return None
        if not self._readers.acquire(timeout=BUSY_S):
            raise FilesAway("too many look at files at once")
        try:
            data = self._place.read(board, name)
        finally:
            self._readers.release()
        return data if data is not None and hashlib.sha256(data).hexdigest() == name else None

    def tidy(self) -> None:
        """Remove what nobody may see any longer, and see first that there is a place; let it follow the bell.

        At first that is also what was on its way into a folder when a hub before this one was killed: no row of the
        table names it.
        """
        if not self._is_tried:
            self._place.try_out()
            if self._place.is_folder:  # a store is not asked for all of its names
                self._remove_unknown()
            self._is_tried = True
        is_left_over = files.c.is_gone & (files.c.bytes > 0) | ~files.c.is_gone & ~boards.c.offers_files
        left_over = select(files.c.board).join(boards, boards.c.board == files.c.board).where(is_left_over).distinct()
        with self._engine.connect() as connection:
            going = connection.execute(left_over).scalars().all()
        away: FilesAway | None = None
        late = [partial(self._settle_late, one) for one in list(self._late)]
        for do in (*late, *(partial(self._tidy, board) for board in going)):
            try:
                do()
            except FilesBusy as busy:  # it is tried again in any case
                log.info("left for the next time: %s", busy)
            except FilesAway as fault:  # what ails one file holds up no other
                away = fault
        if away is not None:
            raise away

    def forget_games_of(self, name: str) -> None:
        """Show nobody any file of all games in which somebody is named, nor take any that a board has yet to bring."""
        numbers = self._store.names.numbers_of(name)
        texts = (rows.c.body, func.coalesce(rows.c.state, ""))
        naming = [text.contains(f"\x02{number}\x03") for number in numbers for text in texts]
        if not naming:
            return
        his = select(rows.c.board, rows.c.epoch, rows.c.row).where(or_(*naming))
        chains: dict[tuple[str, str], list[int]] = {}
        with self._engine.connect() as connection:
            for one in connection.execute(his):
                chains.setdefault((one.board, one.epoch), []).append(one.row)
        with self._changing() as connection:
            for chain, named in chains.items():
                _forget_games(connection, chain, named)
            ring(connection)

    def _make_room(self, board: str) -> None:
        """Where a board has too much, remove the oldest, and what people disputed last."""
        with self._engine.connect() as connection:
            held = connection.execute(_there(board)).all()
        size = sum(one.bytes for one in held)
        if size <= self._room:
            return
        disputed = self._disputed(board, {one.epoch for one in held})
        going = sorted(held, key=lambda one: ((one.epoch, one.row) in disputed, one.at))
        least = size - TIDIED_TO * self._room
        gone = 0
        for count, one in enumerate(going, start=1):
            gone += one.bytes
            if gone >= least:
                self._let_go(going[:count])
                return

    def _disputed(self, board: str, epochs: set[str]) -> set[tuple[str, int]]:
        """Name the rows of a board on which people had something to say."""
        games = ((epoch, games_of(self._store.rows_after(board, epoch, 0))) for epoch in epochs)
        return {(epoch, row) for epoch, stories in games for story in stories for row in story.disputed}

    def _let_go(self, going: Sequence[Any]) -> None:
        with self._changing() as connection:
            for one in going:
                connection.execute(update(files).where(_same(one)).values(is_gone=True))
            ring(connection)

    def _settle(self, one: Brought) -> None:
        """Let a file be seen that lies there, or remove it, where nobody may see it any more."""
        with self._changing() as connection:
            if _why_not(connection, one) is None:
                connection.execute(upsert(files).values(**asdict(one)).on_conflict_do_nothing())
        self._remove_unshown(one.board, one.sha256)

    def _settle_late(self, one: Brought) -> None:
        with self._alone(one.board):
            self._settle(one)
        self._late.discard(one)
        self._make_room(one.board)

    def _remove_unknown(self) -> None:
        with self._engine.connect() as connection:
            everybody = connection.execute(select(boards.c.board)).scalars().all()
        for board in everybody:
            there = {*self._place.names(board)}
            for name in there - {*self._named(files.c.board == board)} if there else ():
                with self._alone(board):
                    if name not in {one.sha256 for one in self._late}:
                        self._remove_unshown(board, name)

    def _tidy(self, board: str) -> None:
        """Remove a board's files of which that is wanted, each in a turn of its own: others come between."""
        self._clear(board)
        lying = (files.c.board == board) & files.c.is_gone & (files.c.bytes > 0)
        for name in self._named(lying):
            with self._alone(board):
                self._remove_unshown(board, name)
                with self._changing() as connection:
                    connection.execute(update(files).where(lying, files.c.sha256 == name).values(bytes=0))

    def _clear(self, board: str) -> None:
        """Remove all files of a board for as long as its owner lets nobody see them."""
        if self._may_be_seen(board):
            return
        shown = (files.c.board == board) & ~files.c.is_gone
        for name in {*self._place.names(board), *self._named(shown)}:
            with self._alone(board):
                if self._may_be_seen(board):
                    return
                self._place.remove(board, name)
                with self._changing() as connection:
                    connection.execute(drop(files).where(shown, files.c.sha256 == name))

    def _remove_unshown(self, board: str, name: str) -> None:
        """Remove a file, unless it is shown of some row."""
        if not self._named((files.c.board == board) & (files.c.sha256 == name) & ~files.c.is_gone):
            self._place.remove(board, name)

    def _named(self, which: ColumnElement[bool]) -> Sequence[str]:
        with self._engine.connect() as connection:
            return connection.execute(select(files.c.sha256).where(which).distinct()).scalars().all()

    def _may_be_seen(self, board: str) -> bool:
        with self._engine.connect() as connection:
            return bool(connection.execute(_offers(board)).scalar_one())

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Connection]:
        """Be the only one who changes the table, for a moment: many rows, in whatever order."""
        with self._engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
            yield connection

    @contextlib.contextmanager
    def _alone(self, board: str) -> Iterator[None]:
        """Be the only one, of all processes, who changes what lies there of a board; raises FilesBusy."""
        if not self._writers.acquire(timeout=BUSY_S):
            raise FilesBusy("too many bring files at once")
        try:
            with self._engine.begin() as connection:
                taken = select(func.pg_try_advisory_xact_lock(LOCK, func.hashtext(board)))
                if not connection.execute(taken).scalar_one():
                    raise FilesBusy("another file of this board is on its way")
                yield
        finally:
            self._writers.release()


def _why_not(connection: Connection, one: Brought) -> Refusal | None:
    """Say why a file is not taken, None where it is."""
    if not _is_member(connection, one.board):
        return STRANGER
    if not connection.execute(_offers(one.board)).scalar_one():
        return NOT_OFFERED
    this = (rows.c.board == one.board) & (rows.c.epoch == one.epoch) & (rows.c.row == one.row)
    return None if connection.execute(select(exists().where(this))).scalar_one() else NO_SUCH_ROW


def _is_had(connection: Connection, one: Brought) -> bool:
    return bool(connection.execute(select(exists().where(_same(one)))).scalar_one())


def _offers(board: str) -> Select[tuple[bool]]:
    return select(boards.c.offers_files).where(boards.c.board == board)


def _is_member(connection: Connection, board: str) -> bool:
    asked = select(exists().where(boards.c.board == board, boards.c.left_at.is_(None)))
    return bool(connection.execute(asked).scalar_one())


def _forget_games(connection: Connection, chain: tuple[str, str], named: Sequence[int]) -> None:
    """Let all files of games of a chain in which rows name somebody be gone, those too that are yet to be brought."""
    board, epoch = chain
    of_chain = select(rows.c.row).where(rows.c.board == board, rows.c.epoch == epoch).order_by(rows.c.row)
    starts = connection.execute(of_chain.where(rows.c.kind == "start")).scalars().all()
    his = {bisect(starts, row) for row in named}
    seen = connection.execute(of_chain.where(rows.c.kind == "seen")).scalars().all()
    going = [
        {"board": board, "epoch": epoch, "row": row, "kind": kind, "sha256": "", "bytes": 0, "is_gone": True}
        for row in seen
        if bisect(starts, row) in his
        for kind in KINDS
    ]
    if going:
        gone = upsert(files).on_conflict_do_update(index_elements=list(files.primary_key), set_={"is_gone": True})
        connection.execute(gone, going)


def _same(one: Any) -> ColumnElement[bool]:
    """Mean the row of the table with the key of one."""
    return tuple_(*files.primary_key) == tuple(getattr(one, column.name) for column in files.primary_key)


def _there(board: str) -> Select[Any]:
    """Ask for the files that are there of a board, with when their calls were made."""
    of_row = (rows.c.board == files.c.board) & (rows.c.epoch == files.c.epoch) & (rows.c.row == files.c.row)
    return select(files, rows.c.at).join(rows, of_row).where(files.c.board == board, ~files.c.is_gone)


def _seen(board: str, row: int, *columns: Any) -> Select[Any]:
    """Ask for the files of a row that people may see."""
    is_open = boards.c.offers_files & (boards.c.epoch == files.c.epoch)
    asked = select(*columns).join(boards, (boards.c.board == files.c.board) & is_open)
    return asked.where(files.c.board == board, files.c.row == row, ~files.c.is_gone)
