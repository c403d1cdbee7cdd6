"""Thousands of pages: nginx with nchan tells them what the hub has told it once, and asks the hub once for all."""

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import pytest

from linesies.benchmarks.league_fanout import nginx
from linesies.league import Joining
from linesies.league.errors import BadInput
from linesies.league.fanout import FanOut
from linesies.league.hub import Others
from linesies.league.organising import COOKIE
from linesies.league.schedule import Opening, Schedule
from linesies.league.store import ring
from linesies.league.tournament import Left, MatchEnded, TournamentOpened
from tests.leagues import Codes, ask, hub_on, organiser_of, soon

NCHAN = Path("/usr/lib/nginx/modules/ngx_nchan_module.so")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@pytest.fixture
def fan(store):
    """A hub behind nginx; gives the page's address and the hub's codes."""
    if shutil.which("nginx") is None or not NCHAN.exists():
        pytest.skip("nginx with nchan is not installed (sudo apt install libnginx-mod-nchan)")
    codes, (told, page, hub) = Codes(), (free_port(), free_port(), free_port())
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # nginx's worker is another user
        process = subprocess.Popen(nginx(Path(folder), told=told, page=page, hub=hub))
        try:
            soon(lambda: is_open(page))
            with hub_on(store, codes, hub, Others(fan_out=FanOut(f"http://127.0.0.1:{told}/told"))):
                yield f"http://127.0.0.1:{page}", codes
        finally:
            process.terminate()
            process.wait()


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def next_told(feed):
    """The next thing that a feed tells."""
    while not (line := feed.readline()).startswith(b"data:"):
        assert line
    return json.loads(line[5:])


def test_pages_hear_from_nginx_what_the_hub_told_it_and_who_comes_late_hears_the_newest(fan, store):
    page, _ = fan

    def join(name):
        store.admit(name * 64, Joining(code="", name=name))
        with store.engine.begin() as connection:
            ring(connection)

    feed = urllib.request.Request(f"{page}/feed", headers={"Accept": "text/event-stream"})
    with urllib.request.urlopen(feed, timeout=60) as early:
        join("a")
        while not (told := next_told(early)["boards"]):
            pass
        assert [board["name"] for board in told] == ["a"]
        with urllib.request.urlopen(feed, timeout=60) as late:
            assert [board["name"] for board in next_told(late)["boards"]] == ["a"]
            join("b")
            assert len(next_told(early)["boards"]) == len(next_told(late)["boards"]) == 2


def test_what_pages_ask_is_asked_of_the_hub_once_a_second_for_all_and_never_cached_for_the_organiser(fan, store):
    page, codes = fan
    schedule = Schedule(store)
    schedule.open(
        Opening(name="Block party", plan=TournamentOpened(format="single", entrants=("Ana", "Bo", "Cy", "Dee")))
    )

    def told(headers=None):
        return ask(page, "/tournaments/1.json", headers=headers)[1]

    assert told()["gone"] == []
    schedule.say(1, Left(player="Ana"))
    organiser = organiser_of(page, codes)
    assert COOKIE in organiser["Cookie"]
    assert (told(organiser)["gone"], told(organiser)["is_organiser"]) == (["Ana"], True)
    assert told()["is_organiser"] is False
    soon(lambda: told()["gone"] == ["Ana"])


def test_a_result_that_is_set_right_is_told_though_no_board_and_no_call_is_another(store):
    class Told(list):
        tell = list.append

    told, schedule = Told(), Schedule(store)
    schedule.open(Opening(name="Block party", plan=TournamentOpened(format="single", entrants=("Ana", "Bo"))))
    with hub_on(store, Codes(), others=Others(fan_out=told)):
        for ranking in (("Ana", "Bo"), ("Bo", "Ana")):
            soon(lambda: told)
            told.clear()
            schedule.say(1, MatchEnded(match="K1.1", ranking=ranking))
        soon(lambda: told)


@pytest.mark.parametrize("address", ["", "127.0.0.1:8101", "https://x/y", "http://", "http://["])
def test_what_is_no_address_to_post_to_is_said_in_one_line(address):
    with pytest.raises(BadInput, match="--fan-out"):
        FanOut(address)
