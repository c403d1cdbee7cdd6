"""A whole evening, from the first call to the winner: 64 players, eight boards, and all that goes wrong."""

import contextlib
from collections import Counter

import msgspec
import pytest

from linesies.league import Joining, Pushed
from linesies.league.bell import Bell
from linesies.league.calling import Calling
from linesies.league.calls import MatchCalls
from linesies.league.game_result import ranking_in
from linesies.league.identity import identity_in
from linesies.league.schedule import Opening, Schedule
from linesies.league.standings import Standings
from linesies.league.tables import boards
from linesies.league.tournament import TournamentOpened
from linesies.referee.folding import fold
from linesies.referee.orders import CallMatch, order_json
from linesies.referee.story import Story
from tests.leagues import BoardBox, Codes, ask, hub_on, organiser_of
from tests.refereeing import quick_journal

PLAYERS = tuple(f"p{number:02}" for number in range(1, 65))  # the stronger has the lower number, and wins
GROUPS = 16
EPOCH = "0" * 32


class QuickBoard(BoardBox):
    """A box that tells the hub's store itself, and at which a game is over in one sentence."""

    def __init__(self, state, store, number):
        super().__init__(state)
        self.start()
        self.store = store
        self.board = identity_in(state / "league.key").board
        self.is_dead = False
        self.held, self.seal, self.match = 0, "", None
        store.admit(self.board, Joining(code="", name=f"Board {number}"))

    def tell(self):
        """Push what is new, and take the match that is called here."""
        if self.is_dead:
            return
        rows = tuple(tuple(one) for one in self.referee.journal.values_after(self.held, 500))
        answer = self.store.push(self.board, Pushed(epoch=EPOCH, before=self.seal, rows=rows))
        self.held, self.seal = answer.held, answer.seal
        if answer.match != self.match:
            self.match = answer.match
            self.referee.journal.submit(order_json(CallMatch(match=answer.match)), "league")
            self.take()

    def die(self):
        """Fall silent, as a board whose battery is empty."""
        self.is_dead = True
        with self.store.engine.begin() as connection:
            connection.execute(boards.update().where(boards.c.board == self.board).values(heard_at=None))

    def results(self):
        """How the games in its journal ended, told from nothing else."""
        ended, story = [], Story()
        for row in [*self.referee.journal.rows_after(0, 10_000), None]:
            if row is None or row.kind == "start":
                ended.append(ranking_in(story, story.players))
            if row is not None:
                story = fold([row], story)
        return [one for one in ended if one is not None]

    def correct(self, winner):
        """Say that the last game was won by the other."""
        self.referee.journal.submit({"order": "undo"}, "referee:phone")
        self.take()
        self.play_until_won(winner)


class WholeEvening:
    """The boards, the organiser's taps, and how each match was played."""

    def __init__(self, store, hub, organiser, boards_):
        self.schedule = Schedule(store)
        self.calls = MatchCalls(store)
        self.calling = Calling(Standings(store), self.schedule, self.calls)
        self.boards = boards_
        self._hub, self._organiser = hub, organiser
        plan = TournamentOpened(format="groups", entrants=PLAYERS)
        self.number = self.tap("", Opening(name="Block party", plan=plan))["tournament"]

    def tap(self, what, body):
        path = f"/tournaments/{self.number}/{what}" if what else "/tournaments"
        status, told = ask(self._hub, path, msgspec.json.encode(body), self._organiser)
        assert status == 200, told
        return told

    @property
    def now(self):
        return self.schedule.tournament(self.number)

    def match(self, match):
        return next(one for one in self.now.matches if one.id == match)

    def look(self):
        for board in self.boards:
            board.tell()
        self.calling.look()
        for board in self.boards:
            board.tell()

    def play(self, until, upset=None):
        """Let all boards play what they are called to until something is so; in an upset the weaker wins."""
        for _ in range(100):
            self.look()
            if until():
                return
            for board in self.boards:
                match = None if board.is_dead else board.referee.story.match
                if match is not None and not board.referee.has_game:
                    board.begin(match.players)
                    board.play_until_won(sorted(match.players)[-1 if match.match == upset else 0])
        raise AssertionError("the evening does not go on")

    def board_of(self, match):
        call = {one.match.match: one for one in self.calls.of(self.number)}[match]
        return next(board for board in self.boards if board.board == call.board)


@pytest.fixture
def evening(store, monkeypatch, tmp_path):
    monkeypatch.setattr(Bell, "follow", lambda *_, **__: None)  # this test looks when it suits it
    codes = Codes()
    with contextlib.ExitStack() as open_parts:
        states = [open_parts.enter_context(quick_journal()).parent for _ in range(8)]
        port = open_parts.enter_context(hub_on(store, codes))
        hub = f"http://127.0.0.1:{port}"
        boards_ = [QuickBoard(state, store, number) for number, state in enumerate(states, start=1)]
        yield WholeEvening(store, hub, organiser_of(hub, codes), boards_)


def journals_tell(evening):
    """How often each result stands in the boards' journals."""
    return Counter(result for board in evening.boards for result in board.results())


def bracket_tells(now):
    """How often each result of a game stands in the bracket."""
    return Counter(match.ranking for match in now.matches if not match.is_walkover and not match.is_bye)


def is_knock_out_of(evening, number):
    return lambda: any(match.id.startswith(f"K{number}.") for match in evening.now.matches)


def begin_groups(evening):
    """The first round: one does not come, one board dies before its match and one in the middle of it."""
    assert Counter(match.stage for match in evening.now.matches) == {f"group {one}": 2 for one in "ABCDEGHIJMNOPQRS"}
    missing = next(match for match in evening.now.matches if match.players == ("p32", "p33"))
    evening.look()
    idle, busy = evening.boards[-2:]
    lost = busy.referee.story.match
    busy.begin(lost.players)
    busy.tell()
    idle.die()
    busy.die()
    evening.tap("deeds", {"deed": "missed", "match": missing.id, "player": "p32"})
    evening.look()
    assert lost.match in {call.match.match for call in evening.calls.on()}  # its game is on, so it waits for its board
    assert evening.tap("recall", {"match": lost.match}) == {"done": True}


def correct_first_round(evening):
    """The last game of the first round was told the wrong way round; its board is set right, the organiser agrees."""
    wrong = evening.match("K1.16")
    board = evening.board_of(wrong.id)
    board.correct(min(wrong.players))
    evening.look()
    (said,) = [one.said for one in evening.calling.where(evening.number).values() if one.said]
    assert said.ranking == tuple(sorted(wrong.players))
    (other,) = said.change.matches
    assert evening.match("K1.16").ranking[0] == max(wrong.players)
    evening.tap("word", {"match": wrong.id, "is_taken": True})
    assert min(wrong.players) in evening.match(other).players


@pytest.mark.takes_turns(seconds=40)
def test_64_players_on_eight_boards_come_to_the_right_winner_through_all_that_goes_wrong(evening):
    begin_groups(evening)
    evening.play(is_knock_out_of(evening, 1))
    through = {player for match in evening.now.waiting for player in match.players}
    assert through == {*PLAYERS[:31], "p33"}  # the first two of each group, but who did not come
    evening.play(is_knock_out_of(evening, 2), upset="K1.16")
    correct_first_round(evening)
    evening.play(is_knock_out_of(evening, 3))
    evening.tap("deeds", {"deed": "left", "player": "p01"})
    evening.play(lambda: evening.now.winner)
    assert evening.now.standing.ranking[:2] == ("p02", "p03")
    assert sorted(evening.now.standing.ranking) == sorted(PLAYERS)
    assert not evening.now.void
    assert len(evening.now.matches) == GROUPS * 6 + 31
    assert bracket_tells(evening.now) == journals_tell(evening)
    assert evening.calls.on() == ()
