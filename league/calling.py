"""Matches go to free boards, and what boards say of them comes back: looked at whenever anything has changed.

A match is called to the first free board by name; the game there that its players play after that is its game. Once it
is over the match has its result. A match whose board falls silent before the game began goes back to the queue, behind
those that were never called; one whose game is under way waits for its board, or for the organiser. A board that comes
back later with that game played all the same is not overheard: the organiser is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from linesies.league.calls import MatchCall, MatchCalls, called
from linesies.league.game_result import EndedGame, ended, is_free, is_game_of, ranking_in
from linesies.league.schedule import Change, Schedule, Titled
from linesies.league.standings import Standings, is_heard
from linesies.league.store import KnownBoard
from linesies.league.tournament import MatchEnded
from linesies.referee.orders import CalledMatch
from linesies.referee.story import Story, is_of_match

EVERY_S = 2.0  # is looked at least, for a board falls silent without a sound


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReport:
    """What a board says of a match now, and was not heeded yet: who came in how, and what that would change.

    `call` is the one that the game was played by; `game_row` is where it begins on the board.
    """

    call: MatchCall
    board: KnownBoard
    game_row: int
    ranking: tuple[str, ...]
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """To which board a match was called, whether its game is that board's game now, and what the board says of it.

    `board` is None for one that has left.
    """

    call: MatchCall
    board: KnownBoard | None
    is_begun: bool
    said: BoardReport | None


class Calling:
    """Calls matches and takes their results; many may look at once, for the database keeps each call single."""

    def __init__(self, standings: Standings, schedule: Schedule, calls: MatchCalls) -> None:
        self._standings = standings
        self._schedule = schedule
        self._calls = calls

    def look(self) -> None:
        """Take what boards have said, take matches from boards that are silent, and call those that wait."""
        boards = self._standings.boards()
        tournaments = self._schedule.tournaments()
        for call in self._calls.on():
            self._follow(call, tournaments[call.match.tournament], boards.get(call.board))
        # a game that is yet to be told was not played by a call of now
        self._call([board for board in boards.values() if is_heard(board) and not board.is_behind])

    def awaited(self) -> tuple[MatchCall, ...]:
        """List the matches whose players have yet to begin at the boards that they are called to."""
        boards = self._standings.boards()
        return tuple(call for call in self._calls.on() if not self._is_begun(call, boards.get(call.board)))

    def where(self, tournament: int) -> Mapping[str, Where]:
        """Tell of each match to which board it was called last, whether it is on there, and what a board says now."""
        boards, told = self._standings.boards(), dict[str, Where]()
        for call in self._calls.of(tournament):
            board, before = boards.get(call.board), told.get(call.match.match)
            said = self._said(call, board) or (None if before is None else before.said)
            told[call.match.match] = Where(call=call, board=board, is_begun=self._is_begun(call, board), said=said)
        return told

    def heed(self, tournament: int, match: str, *, is_taken: bool) -> bool:
        """Take what a board says after the match, or leave the match as it is; tells whether there was anything."""
        where = self.where(tournament).get(match)
        said = None if where is None else where.said
        if said is None:
            return False
        if is_taken:
            self._schedule.say(tournament, MatchEnded(match=match, ranking=said.ranking))
        self._calls.heed(said.call, said.board, said.game_row, said.ranking)
        return True

    def recall(self, tournament: int, match: str) -> bool:
        """Take a match back from its board, to be called again; tells whether it was called."""
        call = next((one for one in self._calls.on() if one.key == (tournament, match)), None)
        if call is not None:
            self._calls.end(call)
        return call is not None

    def _said(self, call: MatchCall, board: KnownBoard | None) -> BoardReport | None:
        """Tell what a match's board says now that differs from what was last heeded."""
        if board is None or call.is_on:
            return None
        game = self._late(call, board) if call.game_row is None else self._heeded(call, board)
        named = {name.casefold(): name for name in call.match.players}
        ranking = tuple(named[name.casefold()] for name in game.ranking) if game else ()
        if game is None or ranking in (call.heard, self._ranking_of(call) if call.game_row is None else None):
            return None
        deed = MatchEnded(match=call.match.match, ranking=ranking)
        change = self._schedule.change(call.match.tournament, deed)
        return BoardReport(call=call, board=board, game_row=game.row, ranking=ranking, change=change)

    def _heeded(self, call: MatchCall, board: KnownBoard) -> EndedGame | None:
        """Find the game for which a call was last heeded, as long as it is the newest on its board."""
        games = ended(self._standings.story(board)) if board.epoch == call.epoch else ()
        return next((one for one in games if one.row == call.game_row and _is_of(one, call)), None)

    def _late(self, call: MatchCall, board: KnownBoard) -> EndedGame | None:
        """Find a match's game that was played where it was called, but told only after it was taken from that board."""
        if call.epoch not in (None, board.epoch):
            return None  # the board's journal was begun anew: what stands there was not played by this call
        others = [one for one in self._calls.at(board.board) if one.number != call.number]
        heeded = {one.game_row for one in others if one.epoch == board.epoch}
        again = [one for one in others if one.is_on and is_of_match(one.match.players, call.match.players)]
        played_on = min((one.after_row for one in again), default=inf)  # from there on: the other call's
        games = (one for one in self._standings.ended(board) if call.after_row < one.row <= played_on)
        found = (one for one in games if _is_of(one, call))
        return next((one for one in found if one.row not in heeded), None)

    def _ranking_of(self, call: MatchCall) -> tuple[str, ...] | None:
        """Tell how a match stands in its tournament."""
        matches = self._schedule.tournaments()[call.match.tournament].now.matches
        return next((one.ranking for one in matches if one.id == call.match.match), None)

    def _is_begun(self, call: MatchCall, board: KnownBoard | None) -> bool:
        return board is not None and self._is_game_of(call, board, self._standings.story(board))

    def _is_game_of(self, call: MatchCall, board: KnownBoard, story: Story) -> bool:
        after_row = call.after_row if board.epoch == call.epoch else 0
        return is_game_of(story, call.match.players, after_row)

    def _follow(self, call: MatchCall, titled: Titled, board: KnownBoard | None) -> None:
        match = next((one for one in titled.now.waiting if one.id == call.match.match), None)
        if match is None or board is None:
            self._calls.end(call)
            return
        story = self._standings.story(board)
        if self._is_game_of(call, board, story):
            self._take(call, board, story)
        elif not is_heard(board) or called(call.match.tournament, titled, match) != call.match:
            self._calls.end(call)

    def _take(self, call: MatchCall, board: KnownBoard, story: Story) -> None:
        """Take the result of a match's game once it is over."""
        ranking = ranking_in(story, call.match.players)
        if ranking is not None:
            self._schedule.end(call.match.tournament, MatchEnded(match=call.match.match, ranking=ranking))
            self._calls.heed(call, board, story.start_row, ranking)

    def _call(self, boards: Sequence[KnownBoard]) -> None:
        on = self._calls.on()
        taken = {call.board for call in on}
        free = [board for board in boards if board.board not in taken and is_free(self._standings.story(board))]
        waiting = self._waiting(on) if free else []
        for board, match in zip(free, waiting, strict=False):
            self._calls.add(match, board, self._standings.story(board).row)

    def _waiting(self, on: Sequence[MatchCall]) -> list[CalledMatch]:
        """List matches that can be called: as they were drawn, the least often called first, nobody in two at once."""
        counted = self._calls.counted()
        busy = {(call.match.tournament, player) for call in on for player in call.match.players}
        keys = {call.key for call in on}
        drawn = [
            called(number, told, match)
            for number, told in sorted(self._schedule.tournaments().items())
            for match in told.now.waiting
            if (number, match.id) not in keys
        ]
        waiting = []
        for match in sorted(drawn, key=lambda one: counted.get((one.tournament, one.match), 0)):
            players = {(match.tournament, player) for player in match.players}
            if not players & busy:
                waiting.append(match)
                busy |= players
        return waiting


def _is_of(game: EndedGame, call: MatchCall) -> bool:
    return is_of_match(game.ranking, call.match.players)


def where_json(where: Where) -> dict[str, Any]:
    """Write for a page where a match is, or was, played."""
    return {
        "board": where.board and where.board.name,
        "is_heard": where.board is not None and is_heard(where.board),
        "is_on": where.call.is_on,
        "is_begun": where.is_begun,
        "called_at": where.call.called_at.timestamp(),
        "said": where.said and _said_json(where.said),
    }


def _said_json(said: BoardReport) -> dict[str, Any]:
    changes = sorted({*said.change.matches, *said.change.void})
    return {"board": said.board.name, "ranking": list(said.ranking), "changes": changes}
