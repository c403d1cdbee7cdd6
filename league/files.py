"""Files that show calls: clips of shots, and what calls were measured from, of boards whose owners let people see them.

They lie at an address that fsspec knows, a folder a board, each named by the hash of its content; which ones are
there stands in the database. What a board's owner takes back, and all of a board that leaves, is shown to nobody
from that moment on, and removed at the next ring of the bell.
"""

import contextlib
import hashlib
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from sqlalchemy import ColumnElement, Connection, Select, exists, func, insert, or_, select, tuple_, update
from sqlalchemy import delete as remove

from linesies.league.errors import LeagueError
from linesies.league.store import SAID_BEFORE, STRANGER, Store, member_of, ring
from linesies.league.tables import boards, files, rows
from linesies.league.wire import MOST_FILE_BYTES, FileKind, Offered, Refusal, Wanted
from linesies.referee.addresses import place_of
from linesies.referee.past_games import games_of

KINDS = get_args(FileKind)
MB = 1_000_000
TIDIED_TO = 0.9  # of the room, so that not every file has all of them looked through
NOT_OFFERED = Refusal(code="not_offered", message="the owner of this board lets nobody see its pictures")
TOO_LARGE = Refusal(code="too_large", message=f"it has more than {MOST_FILE_BYTES} bytes")
OTHER_BYTES = Refusal(code="other_bytes", message="it is not what its name says")
NO_SUCH_ROW = Refusal(code="unknown_row", message="the hub holds no such row of this board")


class FilesAway(LeagueError, OSError):  # noqa: N818 - reads as what happened
    """Where the files lie cannot be reached, or takes none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Where files lie, and how many megabytes of each board."""

    address: str = "league-files"
    megabytes: int = 300  # as a box keeps for itself


class Files:
    """The files of all boards; any number of processes may use them at once."""

    def __init__(self, store: Store, room: Room) -> None:
        """Keep files beside what a database holds; raises BadAddress for a place that cannot be reached from here."""
        self._store = store
        self._engine = store.engine
        self._place = place_of(room.address)
        self._room = room.megabytes * MB

    def offered(self, board: str, offered: Offered) -> Wanted | Refusal:
        """Heed whether a board lets its files be seen, and say which of them are wanted."""
        is_new = boards.c.offered_s.is_(None) | (boards.c.offered_s < offered.at_s)
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
        key = {"board": board, "epoch": epoch, "row": row, "kind": kind}
        with self._engine.begin() as connection:
            refusal = _why_not(connection, board, epoch, row)
            if refusal is not None or connection.execute(select(exists().where(_same(key)))).scalar_one():
                return refusal or Wanted()
            with _reaching(self._place):
                self._folder(board).mkdir(parents=True, exist_ok=True)
                (self._folder(board) / sha256).write_bytes(data)
            connection.execute(insert(files).values(**key, sha256=sha256, bytes=len(data)))
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
        with _reaching(self._place):
            try:
                data = (self._folder(board) / name).read_bytes()
            except FileNotFoundError:
                return None
        return data if hashlib.sha256(data).hexdigest() == name else None

    def remove_withdrawn(self) -> None:
        """Remove all files of boards that let nobody see them any longer; let it follow the bell."""
        withdrawn = ~boards.c.offers_files & exists().where(files.c.board == boards.c.board)
        with self._engine.connect() as connection:
            going = connection.execute(select(boards.c.board).where(withdrawn)).scalars().all()
        for board in going:
            with self._engine.begin() as connection:
                connection.execute(member_of(board))  # it offers none meanwhile
                if connection.execute(_offers(board)).scalar_one():
                    continue
                with _reaching(self._place):
                    folder = self._folder(board)
                    for path in list(folder.iterdir()) if folder.is_dir() else ():
                        path.unlink(missing_ok=True)
                connection.execute(remove(files).where(files.c.board == board))

    def remove_games_of(self, name: str) -> None:
        """Remove the files of all games in which somebody is named."""
        numbers = self._store.names.numbers_of(name)
        texts = (rows.c.body, func.coalesce(rows.c.state, ""))
        naming = [text.contains(f"\x02{number}\x03") for number in numbers for text in texts]
        with self._engine.connect() as connection:
            chains = connection.execute(select(files.c.board, files.c.epoch).where(~files.c.is_gone).distinct()).all()
        for board, epoch in chains if naming else ():
            with self._engine.connect() as connection:
                chain = select(rows.c.row).where(rows.c.board == board, rows.c.epoch == epoch).order_by(rows.c.row)
                starts = connection.execute(chain.where(rows.c.kind == "start")).scalars().all()
                his = {bisect(starts, row) for row in connection.execute(chain.where(or_(*naming))).scalars()}
                held = connection.execute(_there(board).where(files.c.epoch == epoch)).all()
            self._remove([one for one in held if bisect(starts, one.row) in his])

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
                self._remove(going[:count])
                return

    def _disputed(self, board: str, epochs: set[str]) -> set[tuple[str, int]]:
        """Name the rows of a board on which people had something to say."""
        games = ((epoch, games_of(self._store.rows_after(board, epoch, 0))) for epoch in epochs)
        return {(epoch, row) for epoch, stories in games for story in stories for row in story.disputed}

    def _remove(self, going: Sequence[Any]) -> None:
        for one in going:
            key = {name: getattr(one, name) for name in ("board", "epoch", "row", "kind")}
            with self._engine.begin() as connection:
                connection.execute(update(files).where(_same(key)).values(is_gone=True))
                alike = (files.c.board == one.board) & (files.c.sha256 == one.sha256) & ~files.c.is_gone
                if not connection.execute(select(exists().where(alike))).scalar_one():
                    with _reaching(self._place):
                        (self._folder(one.board) / one.sha256).unlink(missing_ok=True)

    def _folder(self, board: str) -> Path:
        return self._place / board


@contextlib.contextmanager
def _reaching(place: Path) -> Iterator[None]:
    """Say in our own words whatever a store of files elsewhere raises."""
    try:
        yield
    except FileNotFoundError:
        raise
    except Exception as fault:
        raise FilesAway(f"{place}: {type(fault).__name__}: {fault}") from fault


def _why_not(connection: Connection, board: str, epoch: str, row: int) -> Refusal | None:
    """Lock a board, and say why no file of that row is taken from it, None where it is."""
    if not _is_member(connection, board):
        return STRANGER
    if not connection.execute(_offers(board)).scalar_one():
        return NOT_OFFERED
    this = (rows.c.board == board) & (rows.c.epoch == epoch) & (rows.c.row == row)
    return None if connection.execute(select(exists().where(this))).scalar_one() else NO_SUCH_ROW


def _offers(board: str) -> Select[tuple[bool]]:
    return select(boards.c.offers_files).where(boards.c.board == board)


def _is_member(connection: Connection, board: str) -> bool:
    """Lock a board, and tell whether it is in the league."""
    member = connection.execute(member_of(board)).one_or_none()
    return member is not None and member.left_at is None


def _same(key: dict[str, Any]) -> ColumnElement[bool]:
    return tuple_(*(files.c[name] for name in key)) == tuple(key.values())


def _there(board: str) -> Select[Any]:
    """Ask for the files that are there of a board, with when their calls were made."""
    of_row = (rows.c.board == files.c.board) & (rows.c.epoch == files.c.epoch) & (rows.c.row == files.c.row)
    return select(files, rows.c.at).join(rows, of_row).where(files.c.board == board, ~files.c.is_gone)


def _seen(board: str, row: int, *columns: Any) -> Select[Any]:
    """Ask for the files of a row that people may see."""
    is_open = boards.c.offers_files & (boards.c.epoch == files.c.epoch)
    asked = select(*columns).join(boards, (boards.c.board == files.c.board) & is_open)
    return asked.where(files.c.board == board, files.c.row == row, ~files.c.is_gone)
