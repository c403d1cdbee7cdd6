"""Sheets by keyboard and screen reader alone: hosting, a proof, a vote, setting right, the show of a close call."""

import pytest

from tests import scenes
from tests.browsing import PHONE, in_browser, until
from tests.hosted import take
from tests.page_server import Stage, served
from tests.refereeing import codes, shot
from tests.screen_reader import Reader
from tests.sights import street
from tests.test_page_hosting import table  # noqa: F401 - the fixture
from tests.test_page_set_right import taken

pytestmark = in_browser

# How the cross comes to each cap, from the middle of the picture on.
TO_CAPS = (
    ([], []),
    (["Shift+ArrowLeft"] * 4, ["Shift+ArrowUp"] * 3),
    (["Shift+ArrowRight"] * 8, ["Shift+ArrowDown"] * 4 + ["ArrowDown"] * 5),
)


def last_order(referee):
    return referee.journal.rows_after(0)[-1].body


def hosting(reader, step):
    reader.do("button", "^More$")
    reader.do("button", "^Host a game$")
    reader.do("button", f"^{step}")
    reader.stands_on("heading", f"^{step}$")


def test_camera_board_caps_and_proof_are_set_up_without_pointing(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    owner = phone("")
    reader = Reader(owner)
    hosting(reader, "Choose the camera")
    reader.do("button", "^imx708")
    take(referee)
    assert last_order(referee) == {"order": "camera", "source": "picamera2:0"}
    reader.press("Escape")
    hosting(reader, "Find the board")
    owner.locator(".handle").first.wait_for()
    reader.go("button", "^Corner 2$")
    reader.press("Shift+ArrowRight", "ArrowDown")
    reader.do("button", "^These are the corners$")
    take(referee)
    assert last_order(referee)["corners"][1] == [0.85 * 640 + 10, 0.15 * 480 + 1]
    reader.press("Escape")
    hosting(reader, "Name the caps")
    owner.wait_for_selector("#sheet .corners svg")
    reader.go("button", "^Put the caps down")
    for number, (x, y) in enumerate(TO_CAPS, start=1):
        reader.press(*x, *y, "Enter")
        owner.wait_for_selector(f".kit li:nth-child({number})")
    reader.do("button", "^These are the caps$")
    take(referee)
    told = {tuple(cap["xy"]): cap["player"] for cap in last_order(referee)["caps"]}
    assert told == dict(zip([(320, 240), (160, 120), (480, 300)], ["ana", "bo", "cy"], strict=True))
    reader.press("Escape")
    hosting(reader, "Prove how exact calls are")
    reader.do("button", "^Take the picture$")
    take(referee)
    assert last_order(referee)["shows"] == "gauge"


@pytest.mark.takes_turns
def test_a_vote_is_called_and_agreed_to(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo, cy = (Reader(phone(name)) for name in ("ana", "bo", "cy"))
    referee.see(shot("ana", "open"))
    ana.hear("In no box")
    bo.go("button", "^History$")
    ana.do("button", "^Do-over$")
    ana.do("button", "^Yes, do‑over$")
    take(referee)
    for reader in (bo, cy):
        reader.stands_on("heading", "^Ana wants a do-over$")
        reader.do("button", "^I agree$")
        take(referee)
    assert codes(referee)[-1] == ["do_over"]
    bo.hear("Do-over")
    bo.stands_on("button", "^History$")


def test_a_place_and_a_hit_are_set_right_on_the_board_by_keyboard(browser, tmp_path):
    with street(tmp_path) as (referee, port):
        page = browser.new_page(**PHONE, reduced_motion="reduce")
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#players button")
        reader = Reader(page)
        reader.do("button", "^History$")
        reader.press("Tab", "Enter")
        reader.do("button", "^Something else$")
        reader.stands_on("heading", "^Something else$")
        reader.do("button", "^Bo, ")  # whose shot it was hit
        reader.do("button", "^Cy\\b")
        reader.stands_on("button", "^Cy\\b")
        reader.do("button", "^Off the board$")
        reader.do("button", "^Do it$")
        taken(referee)
        event = referee.story.entries[-1].event
        assert (event["hits"], event["rest"]["cy"]) == ([["bo", "cy"]], "off")
        page.close()


@pytest.fixture
def close_call(browser):
    """A page on which the show of a close call has begun, and its reader."""
    stage = Stage()
    scenes.playing(stage)
    with served(stage) as port:
        page = browser.new_page(**PHONE, reduced_motion="no-preference")
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#players button")
        reader = Reader(page)
        reader.go("button", "^Sound on$")
        scenes.made(stage)
        page.wait_for_selector("#show:not([hidden]) svg")
        yield page, reader
        page.close()


def test_a_show_is_skipped_and_watched_again_and_takes_no_keyboard(close_call):
    page, reader = close_call
    reader.press("Escape")
    assert page.is_hidden("#show")
    assert reader.focus == ("button", "Sound on")
    reader.do("button", "^History$")
    reader.press("Tab", "Enter")
    reader.do("button", "^Watch the call$")
    page.wait_for_selector("#show:not([hidden]) svg")
    reader.do("button", "^Skip$")
    until(page, "document.getElementById('show').hidden")
    assert reader.focus[1] == "The call"
