"""Sheets by keyboard and screen reader alone: codes, hosting, a proof, a vote, setting right, a show, a clip."""

import pytest

from tests import scenes
from tests.browsing import in_browser, until
from tests.hosted import take
from tests.page_server import Stage, served
from tests.refereeing import codes, shot
from tests.screen_reader import Reader, reader_at
from tests.sights import street
from tests.test_page_evidence import filmed  # noqa: F401 - the fixture
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


def test_what_is_chosen_or_asked_once_more_keeps_the_keyboard(table):  # noqa: F811 - pytest's way
    reader = Reader(table[2](""))
    hosting(reader, "New game")
    reader.do("button", "^The referee$")
    assert reader.focus == ("button", "The referee")
    reader.do("DisclosureTriangle", "^One option at a time$")
    reader.go("button", "^more$")
    reader.press("Enter", "Enter")
    assert reader.focus == ("button", "more")
    reader.press("Escape")
    reader.do("button", "^More$")
    reader.do("button", "^Host a game$")
    reader.do("button", "^Shut down safely$")
    assert reader.focus == ("group", "Shut down safely")
    reader.do("button", "^No$")
    reader.do("button", "^Shut down safely$")


@pytest.mark.takes_turns(seconds=15)
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
    with street(tmp_path) as (referee, port), reader_at(browser, port) as reader:
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


COUNTED = """() => {
  window.told = [];
  const note = document.querySelector(".sharing [role=status]");
  new MutationObserver(() => window.told.push(note.textContent)).observe(note, { childList: true });
}"""


@pytest.fixture
def still_call(browser, filmed):  # noqa: F811 - pytest's way
    """A page that moves nothing, with the sheet of a close call open: (stage, page, reader)."""
    stage = Stage()
    scenes.playing(stage)
    scenes.made(stage)
    *others, last = stage.story_json()["entries"]
    evidence = {"pictures": {}, "clip": "00000005-clip.mp4", "start_s": 3.0, "contacts_s": [0.55]}
    stage.tell(entries=[*others, {**last, "evidence": evidence}])
    with served(stage, evidence_dir=filmed) as port, reader_at(browser, port) as reader:
        reader.do("button", "^The evidence$")
        yield stage, reader.page, reader


@pytest.fixture
def close_call(browser):
    """A page on which the show of a close call has begun, and its reader."""
    stage = Stage()
    scenes.playing(stage)
    with served(stage) as port, reader_at(browser, port, motion="no-preference") as reader:
        reader.go("button", "^Sound on$")
        scenes.made(stage)
        reader.page.wait_for_selector("#show:not([hidden]) svg")
        yield reader.page, reader


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


def entered(reader, code):
    reader.do("button", "^(Join|Ana)$")
    reader.go("textbox", "^Your code$")
    reader.page.keyboard.type(code)
    reader.press("Enter")


def test_codes_of_a_seat_and_of_the_referee_are_typed_and_the_page_says_whose_it_is_now(table):  # noqa: F811
    _, phones, phone = table
    page = phone()
    reader = Reader(page)
    entered(reader, "0000")
    page.wait_for_selector("#sheet [role=status]:has-text('not right')")
    assert reader.focus[0] == "textbox"
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(phones.codes(["ana"])["ana"])
    reader.press("Enter")
    page.wait_for_selector("#more:has-text('Ana')")
    assert page.title() == "Ana · Linesies"
    reader = Reader(page)
    entered(reader, phones.codes([])[""])
    page.wait_for_selector("html[data-role*=referee]")
    assert page.title() == "Referee, Ana · Linesies"


def test_a_shot_that_was_missed_is_put_in_and_the_rest_kept(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    referee.see(shot("bo", "1"))
    reader = Reader(phone(""))
    reader.do("button", "^History$")
    reader.press("Tab", "Enter")
    reader.stands_on("heading", "^Bo")
    reader.do("button", "^A shot before it was not seen$")
    reader.stands_on("heading", "^A shot was not seen$")
    reader.do("button", "^In no box$")
    reader.page.wait_for_selector("#sheet [role=status] .would")
    reader.do("button", "^Keep the rest as it is$")
    reader.do("button", "^Do only that$")
    taken(referee)
    seen, kept = referee.story.entries
    assert (seen.event["player"], kept.event["event"]) == ("bo", "correct")


def test_a_call_is_shared_as_a_picture_and_as_a_film_that_says_when_it_is_ready(still_call):
    _, page, reader = still_call
    with page.expect_download() as saved:
        reader.do("button", "^Share as a picture$")
    assert saved.value.suggested_filename.endswith(".png")
    assert reader.focus == ("button", "Share as a picture")
    page.evaluate(COUNTED)
    reader.do("button", "^Share as a film$")
    reader.stands_on("button", "^Share the film$")
    told = page.evaluate("window.told")
    assert told[-1] == "The film is ready."
    assert len(told) == len(set(told))
    with page.expect_download() as saved:
        reader.press("Enter")
    assert saved.value.suggested_filename.split(".")[-1] in ("mp4", "webm")


def test_a_clip_is_played_stopped_and_scrubbed(still_call):
    _, page, reader = still_call
    reader.do("DisclosureTriangle", "^The shot, filmed$")
    page.wait_for_selector(".notch", state="attached")
    reader.go("slider", "^Move through the clip$")
    page.keyboard.press("Home")
    until(page, "document.querySelector('video').currentTime === 0")
    page.keyboard.press("PageUp")
    until(page, "document.querySelector('video').currentTime > 0.05")
    until(page, "document.querySelector('.track input').getAttribute('aria-valuetext') === '0.10 s'")
    reader.do("button", "^Contact 1$")
    until(page, "Math.abs(document.querySelector('video').currentTime - 0.55) < 0.03")
    reader.do("button", "^Play slowly$", "Shift+Tab")
    until(page, "!document.querySelector('video').paused")
    reader.stands_on("button", "^(Stop|Play slowly)$")


def test_results_are_opened_and_a_rematch_begins(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    for player in ("bo", "cy"):
        referee.journal.submit({"order": "event", "event": {"event": "leave", "player": player}}, "referee")
        referee.take_orders()
    reader = Reader(phone(""))
    reader.do("button", "^Results$")
    reader.stands_on("heading", "^Ana wins!$")
    reader.press("Escape")
    reader.stands_on("button", "^Results$")
    reader.do("button", "^Rematch$")
    take(referee, 3)
    assert not referee.is_over
    reader.hear("Ana begins, from behind the start line.")
    assert reader.page.evaluate("document.activeElement !== document.body")
