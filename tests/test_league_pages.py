"""What the audience of a league sees beside the list of boards: any board's page, and a crowd that keeps nobody out."""

import contextlib
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from linesies.device.membership import key_file
from linesies.league import hub as league_hub
from linesies.league.files import Files, Room
from linesies.league.forgetting import forget
from linesies.league.identity import identity_in
from linesies.league.schedule import Opening, Schedule
from linesies.league.standings import Standings
from linesies.league.tournament import TournamentOpened
from linesies.league.watching import Watching
from linesies.vision import Call, Shot
from tests import scenes
from tests.browsing import DESK, PHONE, SMALL_TARGETS, in_browser, until
from tests.leagues import BoardBox, ask, hub_on, organiser_of, soon
from tests.pace import SLACK
from tests.postgres import running_cluster
from tests.refereeing import START

PATIENCE_S = 300.0
MOST_LOOKS = 200


def refusal_of(address):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(address, timeout=60)
    with refused.value as answer:
        return answer.code


def key_of(box):
    return identity_in(key_file(box.state)).board


class Bells:
    """A bell that rings when a test says so."""

    def __init__(self):
        self.followers = []

    def follow(self, do, **_):
        self.followers.append(do)

    def ring(self):
        for do in self.followers:
            do()


def close_call(box):
    """Let Ana lie in box 9 by 1.4 mm, after a way that was tracked."""
    gap_mm, y_mm = 1.4, 180.0
    x_mm = scenes.beside_paint("ana", y_mm, gap_mm)
    ways = {"ana": tuple((0.05 * step, x_mm - 20 * (16 - step), y_mm + 40 * (16 - step)) for step in range(17))}
    called = Call(
        player="ana",
        xy_mm=(x_mm, y_mm),
        diameter_mm=32.0,
        location="9",
        gap_mm=gap_mm,
        sigma_mm=0.15,
        is_certain=True,
    )
    box.referee.see(Shot(player="ana", hits=(), calls=(called,), t_start_s=1.0, t_end_s=2.0, ways=ways))


@in_browser[0]
@in_browser[1]
def test_a_close_call_is_shown_moving_on_a_boards_page_at_the_hub(browser, hub, box):
    box.referee.begin(scenes.set_up(), {**START, "players": ["ana", "bo"]})
    box.say({"event": "correct", "players": {"ana": {"going_for": "9f"}}})
    soon(lambda: ask(hub, f"/boards/{key_of(box)}/story.json")[1]["row"] == box.referee.story.row)
    page = browser.new_context(**DESK).new_page()
    page.goto(f"{hub}/boards/{key_of(box)}/screen")
    until(page, f"() => document.body.dataset.row === '{box.referee.story.row}'")
    close_call(box)
    page.wait_for_selector("#show:not([hidden]) .stamp", state="attached")
    spots, stamps = set(), set()
    while page.is_visible("#show") and len(spots) < MOST_LOOKS:
        spots.add(page.evaluate("(document.querySelector('#show .flyer') || document.body).getAttribute('transform')"))
        stamps.add(page.evaluate("(document.querySelector('#show .stamp') || document.body).textContent"))
        page.wait_for_timeout(40)
    assert len(spots - {None}) > 3
    assert "In by 1.4 mm" in stamps
    page.wait_for_selector("#show", state="hidden")
    page.context.close()


@in_browser[0]
@in_browser[1]
def test_a_boards_page_at_the_hub_follows_its_game_and_orders_nothing(browser, hub, box):
    box.play(1)
    soon(lambda: ask(hub, f"/boards/{key_of(box)}/story.json")[1]["row"] == box.referee.story.row)
    television, overlay, phone = (browser.new_context(**on).new_page() for on in (DESK, DESK, PHONE))
    faults = []
    for page, mode in ((television, "screen"), (overlay, "overlay"), (phone, "screen")):
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("response", lambda told: faults.append(told.url) if told.status >= 400 else None)
        page.goto(f"{hub}/boards/{key_of(box)}/{mode}")
    box.play(1)
    for page in (television, overlay, phone):
        until(page, f"() => document.body.dataset.row === '{box.referee.story.row}'")
        page.wait_for_selector(f"#strip:has-text('{box.referee.story.public['turn'].title()}')")
    phone.touchscreen.tap(100, 100)
    phone.wait_for_selector("body.attended")
    assert not phone.is_visible("#more")
    assert faults == []
    for page in (television, overlay, phone):
        page.context.close()


def played_match(store, box):
    """Play a tournament's only match on a box, so that Ana wins."""
    plan = TournamentOpened(format="single", entrants=("Ana", "Bo"))
    Schedule(store).open(Opening(name="Block party", plan=plan))
    soon(lambda: box.take() is not None)
    box.begin(("Ana", "Bo"))
    box.play_until_won("Ana")
    soon(lambda: Schedule(store).tournament(1).winner == "Ana")


@in_browser[0]
@in_browser[1]
def test_a_correction_is_within_two_seconds_on_every_page_that_shows_it(browser, hub, box, store):
    played_match(store, box)
    row = box.referee.story.row
    audience = browser.new_context(**DESK)
    shown = {
        f"/boards/{key_of(box)}/screen": "Number(document.body.dataset.row) === {row}",
        f"/boards/{key_of(box)}/overlay": "Number(document.body.dataset.row) === {row}",
        "/": "Number((document.querySelector('article') || document.body).dataset.row) === {row}",
        "/tournaments/1": "document.body.innerText.includes('Board 1 now says: 1. Bo, 2. Ana') === {is_corrected}",
    }
    pages = [(audience.new_page(), path) for path in shown]
    for page, path in pages:
        page.goto(hub + path)
        until(page, f"() => {shown[path].format(row=row, is_corrected='false')}")
    begun_s = time.monotonic()
    box.referee.journal.submit({"order": "undo"}, "referee:phone")
    box.take()
    box.play_until_won("Bo")
    for page, path in pages:
        until(page, f"() => {shown[path].format(row=box.referee.story.row, is_corrected='true')}")
    assert time.monotonic() - begun_s < 2 * SLACK
    audience.close()


@in_browser[0]
@in_browser[1]
@pytest.mark.parametrize("path", ["/", "/tournaments", "/tournaments/1"])
def test_whatever_is_tapped_at_the_hub_is_as_large_as_a_finger(browser, hub, box, store, codes, path):
    played_match(store, box)
    phone = browser.new_context(**PHONE)
    name, token = organiser_of(hub, codes)["Cookie"].split("=")
    phone.add_cookies([{"name": name, "value": token, "url": hub}])
    page = phone.new_page()
    page.goto(hub + path)
    page.wait_for_selector("text=Take out of the league" if path == "/" else "text=forget")
    small = [one for one in page.evaluate(SMALL_TARGETS) if "checkbox" not in one[0]]  # its whole label is tapped
    assert small == []
    phone.close()


@in_browser[0]
@in_browser[1]
def test_a_call_that_is_taken_back_runs_along_the_foot_of_no_page_any_more(browser, hub, box):
    box.play(3)
    page = browser.new_context(**DESK).new_page()
    page.goto(hub)
    page.wait_for_selector("#ticker li >> nth=2")
    first, last = (page.inner_text(f"#ticker li >> nth={n}") for n in (2, 0))
    box.referee.journal.submit({"order": "undo"}, "referee:phone")
    box.take()
    until(page, f"() => Number(document.querySelector('article').dataset.row) === {box.referee.story.row}")
    assert page.locator("#ticker li").all_inner_texts()[-1] == first
    assert page.locator("#ticker li").count() == 2
    assert last != first
    page.context.close()


@in_browser[0]
@in_browser[1]
def test_a_game_that_no_camera_sees_shows_no_empty_board(browser, hub, box):
    box.referee.begin({}, {**START, "players": ["ana", "bo"]})
    soon(lambda: ask(hub, f"/boards/{key_of(box)}/story.json")[1]["row"] == box.referee.story.row)
    page = browser.new_context(**PHONE).new_page()
    page.goto(f"{hub}/boards/{key_of(box)}/screen")
    until(page, f"() => document.body.dataset.row === '{box.referee.story.row}'")
    page.wait_for_selector("#board svg.nothing")
    page.context.close()


@pytest.mark.parametrize("path", ["screen", "overlay", "feed"])
def test_a_board_that_nobody_knows_has_no_page(hub, path):
    assert refusal_of(f"{hub}/boards/{'0' * 64}/{path}") == 404


def test_a_board_tells_the_hub_no_picture_and_its_page_asks_for_none(hub, box, store):
    box.play(1)
    box.referee.tell_evidence(box.referee.story.entries[-1].row, {"whole": "1.jpg"})
    soon(lambda: ask(hub, f"/boards/{key_of(box)}/story.json")[1]["row"] == box.referee.story.row)
    feed = Watching(Standings(store), Bells()).feed(key_of(box))
    stream = feed.stream(None)
    told = next(stream) + next(stream)
    assert "event: story" in told
    assert "1.jpg" not in told


def test_who_is_forgotten_is_gone_from_pages_that_are_open(hub, box, store):
    box.begin(["Zoe", "Bo"])
    standings, bell = Standings(store), Bells()
    soon(lambda: standings.find(key_of(box)) and standings.story_json(key_of(box))["row"] == box.referee.story.row)
    watching = Watching(standings, bell)
    feed = watching.feed(key_of(box))
    stream = feed.stream(None)
    assert "Zoe" in next(stream) + next(stream)
    bell.ring()
    assert watching.is_told_by(feed)
    box.play_until_won("Bo")
    soon(lambda: standings.story_json(key_of(box))["row"] == box.referee.story.row)
    forget("Zoe", store=store, files=Files(store, Room()), schedule=Schedule(store), standings=standings)
    bell.ring()
    assert not watching.is_told_by(feed)
    anew = watching.feed(key_of(box)).stream(None)
    assert "Zoe" not in next(anew) + next(anew)


def test_what_was_called_last_is_told_in_each_language(hub, box):
    box.play(1)
    soon(lambda: ask(hub, "/boards.json")[1][0]["last"] is not None)
    text = ask(hub, "/boards.json")[1][0]["last"]["text"]
    assert text["en"] == box.referee.story.entries[-1].rulings[0]["text"]
    assert text["es"] != text["en"]


def test_a_crowd_keeps_neither_boards_nor_the_organiser_out(monkeypatch, store, codes, tmp_path):
    monkeypatch.setattr(league_hub, "MOST_PAGES", 3)
    with hub_on(store, codes) as port, contextlib.ExitStack() as crowd:
        address = f"http://127.0.0.1:{port}"
        for _ in range(3):
            crowd.enter_context(urllib.request.urlopen(f"{address}/feed", timeout=60))
        assert refusal_of(f"{address}/feed") == 503
        asked = urllib.request.Request(f"{address}/feed", headers=organiser_of(address, codes))
        assert crowd.enter_context(urllib.request.urlopen(asked, timeout=60)).readline().startswith(b"data: ")
        with contextlib.closing(BoardBox(tmp_path)) as box:
            assert box.join(address, codes.now).exit_code == 0


def test_a_hub_that_is_told_to_end_ends_what_it_was_begun_with_once(cluster, tmp_path):
    homes = f"database={cluster.url!r}, keys=Path({str(tmp_path / 'keys')!r})"
    begun = f"""
from pathlib import Path
from linesies.league.serving import Homes, serve_hub
try:
    serve_hub(Homes({homes}), host="127.0.0.1", port=0, say=lambda line: print(line, flush=True))
finally:
    print("what it was begun with ends", flush=True)
"""
    hub = subprocess.Popen([sys.executable, "-c", begun], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    next(line for line in hub.stdout if "next board" in line)  # said by the process that serves
    hub.send_signal(signal.SIGTERM)
    said, faults = hub.communicate(timeout=PATIENCE_S)
    assert said.count("what it was begun with ends") == 1
    assert "Traceback" not in faults
    assert hub.returncode == 0


def test_a_hub_that_starts_before_its_database_does_waits_for_it(tmp_path):
    with running_cluster() as late:
        homes = f"database={late.url!r}, keys=Path({str(tmp_path / 'keys')!r})"
        begun = f"""
from pathlib import Path
from linesies.league.serving import Homes, serve_hub
serve_hub(Homes({homes}), host="127.0.0.1", port=0, say=lambda line: print(line, flush=True))
"""
        late.stop("immediate")
        with subprocess.Popen([sys.executable, "-c", begun], stdout=subprocess.PIPE, text=True) as hub:
            assert "does not answer" in hub.stdout.readline()
            late.start()
            assert any("next board" in line for line in hub.stdout)
            hub.terminate()


def test_whoever_falls_silent_in_the_middle_of_a_message_holds_no_place_at_the_hub(store, cluster, tmp_path):
    homes = f"database={cluster.url!r}, keys=Path({str(tmp_path / 'keys')!r})"
    begun = f"""
from pathlib import Path
from linesies.league import serving
serving.MOST_WAITING, serving.STALLED_S = 3, 1
serving.serve_hub(serving.Homes({homes}), host="127.0.0.1", port={{port}}, say=lambda line: print(line, flush=True))
"""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hub = subprocess.Popen(
        [sys.executable, "-c", begun.format(port=port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with hub, contextlib.ExitStack() as open_parts:
        open_parts.callback(hub.terminate)
        next(line for line in hub.stdout if "next board" in line)
        for begun in (
            b"POST /league/rows HTTP/1.1\r\nContent-Length: 9000\r\n\r\n{",
            b"GET / HT",
            b"POST /league/rows HT",
        ):
            silent = open_parts.enter_context(socket.create_connection(("127.0.0.1", port)))
            silent.sendall(begun)
        assert ask(f"http://127.0.0.1:{port}", "/boards.json") == (200, [])
        hub.terminate()
        assert "Traceback" not in hub.stderr.read()


def test_the_code_for_the_next_board_is_the_organisers_to_see_and_nobody_elses(hub, codes):
    assert ask(hub, "/joining.json")[0] == 403
    assert ask(hub, "/joining.json", headers=organiser_of(hub, codes)) == (200, {"code": codes.now})


@pytest.mark.takes_turns(seconds=17)
@in_browser[0]
@in_browser[1]
def test_whoever_types_the_organisers_code_on_the_first_page_reads_there_how_the_next_board_joins(
    browser, hub, codes, tmp_path
):
    page = browser.new_context(**PHONE).new_page()
    page.goto(hub)
    page.tap("#guide summary")
    page.fill("#guide input", codes.organiser[-1])
    page.tap("#guide .door button")
    page.wait_for_selector(f"code:has-text('linesies join {hub} {codes.now} --name')")
    first = codes.now
    with contextlib.closing(BoardBox(tmp_path)) as box:
        box.join(hub, first)
        page.wait_for_selector(f"code:has-text('{codes.now} --name \"Board 2\"')")
    assert codes.now != first
    page.context.close()
