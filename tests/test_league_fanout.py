"""Thousands of pages: nginx with nchan tells them what the hub has told it once, and asks the hub once for all."""

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import urllib.request
from pathlib import Path
from typing import NamedTuple

import pytest

from linesies.benchmarks.league_fanout import lines_to, nginx
from linesies.device.membership import key_file
from linesies.league import Joining
from linesies.league.errors import BadInput
from linesies.league.fanout import FanOut
from linesies.league.files import Files, Room
from linesies.league.forgetting import forget
from linesies.league.hub import Others
from linesies.league.identity import identity_in
from linesies.league.organising import COOKIE
from linesies.league.schedule import Opening, Schedule
from linesies.league.standings import Standings
from linesies.league.store import ring
from linesies.league.tournament import Left, MatchEnded, TournamentOpened
from tests.browsing import DESK, in_browser, until
from tests.leagues import BoardBox, Codes, ask, hub_on, organiser_of, soon

NCHAN = Path("/usr/lib/nginx/modules/ngx_nchan_module.so")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Fan(NamedTuple):
    """A hub behind nginx: the pages' address, the hub's codes, its own port, and where it tells nchan."""

    page: str
    codes: Codes
    hub: int
    others: Others


@pytest.fixture
def fan(store):
    if shutil.which("nginx") is None or not NCHAN.exists():
        pytest.skip("nginx with nchan is not installed (sudo apt install libnginx-mod-nchan)")
    codes, (told, page, hub) = Codes(), (free_port(), free_port(), free_port())
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # nginx's worker is another user
        process = subprocess.Popen(nginx(Path(folder), told=told, page=page, hub=hub))
        try:
            soon(lambda: is_open(page))
            others = Others(fan_out=FanOut(f"http://127.0.0.1:{told}/told"))
            with hub_on(store, codes, hub, others):
                yield Fan(f"http://127.0.0.1:{page}", codes, hub, others)
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
    page = fan.page

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
    page, codes = fan.page, fan.codes
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


@pytest.fixture
def box(fan, tmp_path):
    """A board that tells that hub."""
    with contextlib.closing(BoardBox(tmp_path)) as box:
        box.join(f"http://127.0.0.1:{fan.hub}", fan.codes.now)
        box.start()
        yield box


def at_board(fan, box, path):
    return f"{fan.page}/boards/{identity_in(key_file(box.state)).board}/{path}"


def asked_of(address):
    return ask(address, "")[1]


def whole_of(fan, box, row):
    """All of a board's story, as a page asks for it that has heard of that row."""
    return asked_of(at_board(fan, box, f"whole.json?lang=es&row={row}"))["story"]


def has_come(fan, box):
    return lambda: asked_of(at_board(fan, box, "story.json")).get("row") == box.referee.story.row


def test_a_boards_page_hears_from_nginx_what_is_new_and_holds_no_connection_of_the_hub(fan, box):
    box.play(1)
    soon(has_come(fan, box))
    asked = urllib.request.Request(at_board(fan, box, "feed?lang=es"), headers={"Accept": "text/event-stream"})
    with urllib.request.urlopen(asked, timeout=60) as feed:
        before = box.referee.story.row
        assert whole_of(fan, box, before)["whole"]
        box.play(1)
        while "entries" not in (told := next_told(feed)):  # told every few seconds that its board is there
            assert told["camera"] == "ok"
        assert (told["whole"], told["after"], len(told["entries"])) == (False, before, 1)
        in_english = asked_of(at_board(fan, box, "story.json"))["entries"][-1]
        assert told["entries"][0]["rulings"][0]["text"] != in_english["rulings"][0]["text"]
        soon(lambda: lines_to(fan.hub) == 0)


def test_a_hub_that_is_started_anew_tells_the_boards_pages_that_listen_all(fan, box, store):
    box.play(1)
    soon(has_come(fan, box))
    asked = urllib.request.Request(at_board(fan, box, "feed?lang=en"), headers={"Accept": "text/event-stream"})
    with urllib.request.urlopen(asked, timeout=60) as feed, hub_on(store, Codes(), others=fan.others):
        while not (told := next_told(feed)).get("whole"):
            pass
        assert told["row"] == box.referee.story.row


def test_who_is_forgotten_is_gone_from_boards_pages_behind_nginx_too(fan, box, store):
    box.begin(["Zoe", "Bo"])
    box.play_until_won("Bo")
    soon(has_come(fan, box))
    asked = urllib.request.Request(at_board(fan, box, "feed?lang=es"), headers={"Accept": "text/event-stream"})
    with urllib.request.urlopen(asked, timeout=60) as feed:
        assert "Zoe" in str(whole_of(fan, box, box.referee.story.row))
        forget("Zoe", store=store, files=Files(store, Room()), schedule=Schedule(store), standings=Standings(store))
        while not (told := next_told(feed)).get("whole"):
            pass
        assert "Bo" in str(told)
        assert "Zoe" not in str(told)


@in_browser[0]
@in_browser[1]
def test_a_boards_page_behind_nginx_follows_its_game_and_comes_back_after_a_gap(browser, fan, box):
    box.play(1)
    soon(has_come(fan, box))
    page = browser.new_context(**DESK).new_page()
    page.goto(at_board(fan, box, "screen"))
    for _ in range(2):
        until(page, f"() => document.body.dataset.row === '{box.referee.story.row}'")
        assert page.get_attribute("body", "data-connection") == "live"
        box.play(1)
    page.context.set_offline(True)
    box.play(3)
    soon(has_come(fan, box))
    page.context.set_offline(False)
    until(page, f"() => document.body.dataset.row === '{box.referee.story.row}'")
    soon(lambda: lines_to(fan.hub) == 0)
    page.context.close()


@pytest.mark.parametrize("address", ["", "127.0.0.1:8101", "https://x/y", "http://", "http://["])
def test_what_is_no_address_to_post_to_is_said_in_one_line(address):
    with pytest.raises(BadInput, match="--fan-out"):
        FanOut(address)
