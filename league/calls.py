"""Which match is called to which board, kept in the hub's database: a board has one at a time, a match one board."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from linesies.league.schedule import Titled
from linesies.league.store import KnownBoard, Store, ring
from linesies.league.tables import IS_ON, calls
from linesies.league.tournament import TournamentMatch
from linesies.referee.orders import CalledMatch

Key = tuple[int, str]  # a tournament, and a match of it


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCall:
    """A match that was called to a board; `heard` is how the board said its players came in, as it was last heeded."""

    number: int
    match: CalledMatch
    board: str
    epoch: str | None
    after_row: int
    called_at: datetime
    is_on: bool
    game_row: int | None = None
    heard: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """Name the match."""
        return self.match.tournament, self.match.match


class MatchCalls:
    """Remembers nothing itself: all is in the database."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine
        self._names = store.names

    def on(self) -> tuple[MatchCall, ...]:
        """List the matches that are called now, the first called first."""
        return self._found(IS_ON)

    def of(self, tournament: int) -> tuple[MatchCall, ...]:
        """List all calls of a tournament's matches, the first called first."""
        return self._found(calls.c.tournament == tournament)

    def at(self, board: str) -> tuple[MatchCall, ...]:
        """List all calls to a board, the first called first."""
        return self._found(calls.c.board == board)

    def counted(self) -> Mapping[Key, int]:
        """Count how often each match was called."""
        asked = select(calls.c.tournament, calls.c.match, func.count()).group_by(calls.c.tournament, calls.c.match)
        with self._engine.connect() as connection:
            return {(tournament, match): count for tournament, match, count in connection.execute(asked)}

    def add(self, called: CalledMatch, board: KnownBoard, after_row: int) -> bool:
        """Call a match to a board; tells whether neither had another meanwhile."""
        values = {
            "tournament": called.tournament,
            "match": called.match,
            "board": board.board,
            "epoch": board.epoch,
            "after_row": after_row,
            "told": self._names.hide_json(msgspec.json.encode(called).decode()),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(calls).values(**values))
                ring(connection)
        except IntegrityError:
            return False
        return True

    def end(self, call: MatchCall) -> None:
        """Take a match from its board, played or not."""
        self._change(call, ended_at=func.coalesce(calls.c.ended_at, func.now()))

    def heed(self, call: MatchCall, board: KnownBoard, game_row: int, ranking: tuple[str, ...]) -> None:
        """Note what the board said of the match's game, whether it was taken or declined; then the match is off it."""
        heard = self._names.hide_json(msgspec.json.encode(ranking).decode())
        values = {"epoch": board.epoch, "game_row": game_row, "heard": heard}
        self._change(call, **values, ended_at=func.coalesce(calls.c.ended_at, func.now()))

    def _change(self, call: MatchCall, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(update(calls).where(calls.c.call == call.number).values(**values))
            ring(connection)

    def _found(self, which: Any) -> tuple[MatchCall, ...]:
        with self._engine.connect() as connection:
            found = connection.execute(select(calls).where(which).order_by(calls.c.call)).all()
        return tuple(
            MatchCall(
                number=one.call,
                match=msgspec.json.decode(self._names.show(one.told), type=CalledMatch),
                board=one.board,
                epoch=one.epoch,
                after_row=one.after_row,
                called_at=one.called_at,
                is_on=one.ended_at is None,
                game_row=one.game_row,
                heard=()
                if one.heard is None
                else msgspec.json.decode(self._names.show(one.heard), type=tuple[str, ...]),
            )
            for one in found
        )


def called(tournament: int, titled: Titled, match: TournamentMatch) -> CalledMatch:
    """Say a match as its board is told."""
    players, head_starts = titled.now.here(match), titled.now.ahead(match)
    return CalledMatch(
        tournament=tournament, title=titled.name, match=match.id, players=players, head_starts=head_starts
    )


def call_json(call: MatchCall) -> dict[str, Any]:
    """Write for a page which match is called where."""
    return {"board": call.board, "called_at": call.called_at.timestamp(), **msgspec.to_builtins(call.match)}
