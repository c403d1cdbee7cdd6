"""A simulated board plays whatever match is called to it; a hub's own PostgreSQL keeps all in its folder."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from linesies.device.membership import Membership, new_epoch, write_membership
from linesies.league.cluster import Cluster, running_cluster
from linesies.league.errors import BadInput
from linesies.referee.orders import CalledMatch, CallMatch, order_json
from linesies.simulator import league_board
from linesies.simulator.evening import nicknames
from linesies.simulator.league_board import LeagueBoard
from tests.leagues import soon

EVENING = """
import time
from linesies.benchmarks.passing import passing_folder
from linesies.simulator.evening import EveningWishes, evening
with passing_folder() as folder, evening(EveningWishes(folder=folder, boards=1)):
    print(folder, flush=True)
    time.sleep(600)
"""


class Pauses:
    """A chance by which somebody wants a pause."""

    def random(self):
        return 0.082

    def uniform(self, *_):
        return 1.0

    def choice(self, among):
        return among[0]


@pytest.fixture
def board(tmp_path, monkeypatch):
    """A simulated board to which a match is called."""
    monkeypatch.setattr(league_board, "time", SimpleNamespace(sleep=lambda _: None))  # its own alone, nobody else's
    write_membership(tmp_path, Membership(hub="http://127.0.0.1:1", name="Board 1", place="", epoch=new_epoch()))
    board = LeagueBoard(tmp_path, seed=3)
    board.go_on(0.0, is_restless=False)
    assert not board.referee.has_game
    match = CalledMatch(tournament=1, title="Block party", match="K1.1", players=("Ana", "Bo"))
    board.journal.submit(order_json(CallMatch(match=match)), "league")
    return board


def test_a_simulated_board_waits_for_a_match_and_plays_it_to_its_end(board):
    for _ in range(2000):
        board.go_on(0.0, is_restless=False)
        if board.referee.is_over:
            break
    assert board.referee.story.players == ("Ana", "Bo")
    assert board.referee.story.match is None
    assert board.referee.is_over


def test_a_simulated_board_that_is_started_anew_in_a_game_knows_what_was_agreed_on(board, tmp_path):
    board.go_on(0.0, is_restless=False)
    anew = LeagueBoard(tmp_path, seed=3)
    anew._chance = Pauses()
    anew.go_on(0.0, is_restless=False)
    assert anew.referee.story.public["phase"] == "paused"


def test_nicknames_are_different_however_many_play():
    assert len(set(nicknames(100))) == 100


def test_a_folder_in_which_postgresql_does_not_start_is_said_in_one_line(tmp_path):
    (tmp_path / "data" / "global").mkdir(parents=True)
    (tmp_path / "data" / "global" / "pg_control").touch()
    (tmp_path / "data" / "PG_VERSION").write_text("15")
    tmp_path.chmod(0o755)
    with pytest.raises(BadInput, match="PostgreSQL does not do"), running_cluster(tmp_path):
        pass
    with pytest.raises(BadInput):
        Cluster(tmp_path / "data" / "PG_VERSION")


def programs_on(folder):
    """Which programs were started with something in a folder."""
    return [one for one in Path("/proc").glob("[0-9]*/cmdline") if folder.encode() in _words(one)]


def _words(process):
    try:
        return process.read_bytes()
    except OSError:
        return b""


def test_an_evening_of_a_benchmark_that_is_killed_leaves_no_board_no_postgresql_and_no_folder_behind():
    with subprocess.Popen([sys.executable, "-c", EVENING], stdout=subprocess.PIPE, text=True) as benchmark:
        folder = benchmark.stdout.readline().strip()
        try:  # a board, PostgreSQL, and who sweeps behind them: each bears its own name a moment after it has begun
            soon(lambda: len(programs_on(folder)) >= 3)
        finally:
            benchmark.kill()
    soon(lambda: not programs_on(folder) and not Path(folder).exists())
