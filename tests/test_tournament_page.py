"""The organiser's taps and what everybody sees of a tournament: real PostgreSQL, real Chromium, a finger."""

import contextlib
import json
import urllib.error
import urllib.request

import pytest

from linesies.league import Joining, Pushed
from linesies.league.admission import Admission
from linesies.league.bell import Bell
from linesies.league.hub import create_hub
from linesies.league.organising import COOKIE, Organisers
from linesies.league.schedule import Opening, Schedule
from linesies.league.tournament import MatchEnded, TournamentOpened
from tests.browsing import DESK, PHONE, Finger, in_browser, still_middle, text
from tests.page_server import serving

pytestmark = in_browser

NAMES = ("Ana", "Bo", "Cy", "Dee")


@pytest.fixture
def hub(store):
    """A hub's address, and the organiser's codes that its console has shown."""
    codes = []
    with contextlib.closing(Bell(store.engine)) as bell:
        app = create_hub(store, Admission(lambda _: None), bell, Organisers(Admission(codes.append)))
        with serving(app) as port:
            yield f"http://127.0.0.1:{port}", codes


def ask(hub, path, body=None, token=""):
    asked = urllib.request.Request(hub + path, body and json.dumps(body).encode(), {"Cookie": f"{COOKIE}={token}"})
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


def opened(store, names=NAMES):
    return Schedule(store).open(Opening(name="Block party", plan=TournamentOpened(format="single", entrants=names)))


@pytest.mark.parametrize(
    "path", ["/tournaments", "/tournaments/1/deeds", "/tournaments/1/deeds?preview", "/tournaments/1/undo"]
)
def test_nobody_but_the_organiser_arranges_anything(hub, path):
    address, codes = hub
    assert ask(address, path, {"deed": "left", "player": "Ana"}, token="guessed")[0] == 403
    assert ask(address, "/organiser", {"code": "x" * 6})[0] == 403
    assert len(codes) == 1


def test_a_tournament_is_told_from_what_was_said_and_undone_step_by_step(store):
    schedule = Schedule(store)
    number = opened(store)
    first = schedule.tournament(number)
    schedule.say(number, MatchEnded(match="K1.1", ranking=first.matches[0].players))
    schedule.say(number, MatchEnded(match="K1.2", ranking=first.matches[1].players))
    assert [match.id for match in schedule.tournament(number).waiting] == ["F2.1"]
    assert schedule.undo(number)
    assert schedule.undo(number)
    assert not schedule.undo(number)
    assert schedule.tournament(number) == first


def test_before_a_correction_counts_it_says_which_matches_it_changes(store):
    schedule = Schedule(store)
    number = opened(store)
    for match in ("K1.1", "K1.2", "F2.1"):
        now = schedule.tournament(number)
        players = next(one.players for one in now.matches if one.id == match)
        schedule.say(number, MatchEnded(match=match, ranking=players))
    wrong = schedule.tournament(number)
    first = wrong.matches[0]
    change = schedule.change(number, MatchEnded(match="K1.1", ranking=first.ranking[::-1]))
    assert (change.matches, change.void) == (("F2.1",), ("F2.1",))
    assert schedule.tournament(number) == wrong


@pytest.mark.parametrize("sent", [{}, {"deed": "won"}, {"deed": "opened", "format": "ladder", "entrants": []}, [1]])
def test_what_makes_no_sense_gets_one_line(hub, sent):
    address, codes = hub
    request = urllib.request.Request(address + "/organiser", json.dumps({"code": codes[-1]}).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        token = answer.headers["Set-Cookie"].split("=")[1].split(";")[0]
    status, told = ask(address, "/tournaments", {"name": "x", "plan": sent}, token)
    assert status == 400
    assert told["message"]
    assert ask(address, "/tournaments/99999/deeds", {"deed": "left", "player": "Ana"}, token)[0] == 404


@pytest.mark.takes_turns(seconds=15)
def test_an_organiser_opens_plays_and_corrects_a_knock_out_by_touch(browser, hub):
    address, codes = hub
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("dialog", lambda dialog: dialog.accept())
    finger = Finger(page)
    page.goto(f"{address}/tournaments")
    page.fill(".door input", codes[-1])
    finger.tap(".door button")
    page.fill(".opening input", "Block party")
    page.fill(".opening textarea", "\n".join(NAMES))
    page.wait_for_timeout(300)
    finger.tap(".opening button")
    page.wait_for_url("**/tournaments/*")
    audience = context.browser.new_context(**DESK).new_page()
    audience.goto(page.url)
    audience.wait_for_selector("article >> text=K1.1")
    assert audience.locator("article button").count() == 0

    def won(match, name):
        card = page.locator("article", has=page.locator(f"h3:text-is('{match}')"))
        card.wait_for()
        card.get_by_role("button", name=name).tap()

    won("K1.1", "Ana")
    won("K1.2", "Bo")
    won("F2.1", "Bo")
    audience.wait_for_selector("h2 >> text=Bo has won")
    won("K1.2", "Cy")  # it was Cy after all: the final is played anew
    audience.wait_for_selector("#heard >> text=not counted: F2.1")
    won("F2.1", "Ana")
    audience.wait_for_selector("h2 >> text=Ana has won")
    assert text(audience, ".ranking").split()[:2] == ["Ana", "Cy"]
    page.locator(".ranking li", has_text="Ana").get_by_role("button", name="forget").tap()
    audience.wait_for_selector("h2 >> text=/Someone [0-9]+ has won/")
    assert "Ana" not in audience.inner_text("body")
    context.close()


def test_a_tap_counts_though_another_result_comes_in_while_the_finger_is_down(browser, hub, store):
    address, codes = hub
    number = opened(store)
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.clock.install()
    page.goto(f"{address}/tournaments/{number}")
    page.fill(".door input", codes[-1])
    finger = Finger(page)
    finger.tap(".door button")
    card = page.locator("article", has=page.locator("h3:text-is('K1.2')"))
    place = still_middle(card.get_by_role("button", name="Bo"))
    page.clock.pause_at(page.evaluate("Date.now()") + 3000)
    page.evaluate("document.querySelector('article').isOld = true")
    finger.down(*place)
    Schedule(store).say(number, MatchEnded(match="K1.1", ranking=("Ana", "Dee")))
    page.wait_for_timeout(1000)  # the hub's news comes
    page.clock.run_for(1000)  # and would be drawn now
    page.wait_for_timeout(300)
    assert page.evaluate("document.querySelector('article').isOld")
    finger.up()
    page.clock.resume()
    page.wait_for_selector("article.done:has(h3:text-is('K1.2')) li.winner:has-text('Bo')")
    context.close()


def test_a_phone_buzzes_when_its_player_is_called_to_a_board_and_not_for_what_stood_there(browser, hub, store):
    address, _ = hub
    number = opened(store)
    context = browser.new_context(**PHONE)
    context.add_init_script("window.buzzed = 0; navigator.vibrate = () => ++window.buzzed")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{address}/tournaments/{number}")
    page.select_option(".yours select", "Ana")
    page.wait_for_selector(".yours .goes")
    assert page.evaluate("buzzed") == 0
    store.admit("b0", Joining(code="", name="Board 1"))
    store.push("b0", Pushed(epoch="0" * 32))
    page.wait_for_selector(".yours .goes-to:has-text('Board 1')")
    assert page.evaluate("buzzed") == 1
    page.reload()
    page.wait_for_selector(".yours .goes-to:has-text('Board 1')")
    assert page.evaluate("buzzed") == 0
    context.close()
