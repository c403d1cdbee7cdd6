"""A second tap while the first is still under way does nothing, on every sheet that hosts a game."""

import cv2
import numpy as np
import pytest

from linesies.device.places import evidence_folder
from linesies.device.serving.webdevice import OwnDevice
from linesies.referee.saying import Saying, Trouble
from tests import scenes
from tests.browsing import PHONE, in_browser, ordered, wait_for
from tests.hosted import SPOTS, Machine, take
from tests.page_server import Stage, serving
from tests.test_page_hosting import hosting, table  # noqa: F401 - the fixture

pytestmark = in_browser

TWICE = "selector => [0, 1].forEach(() => document.querySelector(selector).click())"
DONE = "#sheet > .answers .first"
SOON_MS = 600


@pytest.fixture(autouse=True)
def found(monkeypatch):
    """A camera that finds every cap by itself."""
    monkeypatch.setattr(Machine, "found", [{"xy": list(xy), "diameter": 26, "kind": "crown"} for xy in SPOTS])


def to_another_camera(owner):
    hosting(owner, "Choose the camera")
    return "#sheet .steps .preset"


def to_named_caps(owner):
    hosting(owner, "Name the caps")
    return DONE


def to_corners(owner):
    hosting(owner, "Find the board")
    return DONE


def to_a_proof(owner):
    hosting(owner, "Prove how exact calls are")
    return "#sheet .proving .first"


def to_a_search(owner):
    hosting(owner, "Find the board")
    return "#sheet > .answers button:last-child"


def to_the_lamps(owner):
    owner.tap("#more")
    owner.tap("#sheet .wide:has-text('Host')")
    return "#sheet div.steps > button:nth-last-child(2)"


def to_the_switch(owner):
    hosting(owner, "Shut down safely")
    return "#sheet .answers .first"


@pytest.mark.parametrize(
    "lead", [to_another_camera, to_named_caps, to_corners, to_a_search, to_a_proof, to_the_lamps, to_the_switch]
)
def test_two_taps_in_a_row_give_one_order(table, lead):  # noqa: F811 - pytest's way
    referee, _, phone = table
    owner = phone("")
    selector = lead(owner)
    owner.wait_for_selector(f"{selector}:enabled")
    owner.evaluate(TWICE, selector)
    owner.wait_for_timeout(SOON_MS)
    assert len(referee.journal.inbox()) == 1


def test_caps_are_sent_once_until_it_is_said_what_became_of_them(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    owner = phone("")
    done = to_named_caps(owner)
    for kind in ("lid", "crown"):
        owner.tap(f"{done}:enabled")
        wait_for(owner, "#sheet .note", "The caps are read")
        owner.select_option(".kit li:nth-child(1) select >> nth=1", kind)  # all is drawn anew
        assert owner.is_disabled(done)
        take(referee)
        referee.tell_trouble(Trouble("caps", Saying("caps_table")))
    owner.wait_for_selector(f"{done}:enabled")


class Learning(OwnDevice):
    """A machine that learns cards for as long as `is_busy`."""

    is_busy = False

    def photographed(self, game):
        return {**super().photographed(game), "cards": ["back"], "is_learning": self.is_busy}


@pytest.fixture
def mat(tmp_path, browser):
    """A box over a card mat, its machine, and its owner's page."""
    stage = Stage()
    regions = [{"name": name, "polygon": [[0, 0], [9, 0], [9, 9]]} for name in ("seat:player1", "seat:player2")]
    stage.tell(set_up={**scenes.set_up(), "board": {**scenes.set_up()["board"], "regions": regions}})
    machine = Learning(tmp_path)
    context = browser.new_context(bypass_csp=True, **PHONE)
    with serving(stage.app(device=machine, evidence_dir=evidence_folder(tmp_path))) as port:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("body[data-connection=live]")
        yield stage, machine, page
        context.close()


def test_cards_are_learned_once_though_all_is_drawn_anew_meanwhile(mat):
    stage, machine, page = mat
    page.tap(".begin button")
    page.tap("#sheet button:text-is('Learn the cards')")
    learn = "#sheet .answers button"
    page.wait_for_selector(f"{learn}:enabled")
    page.evaluate(TWICE, learn)
    machine.is_busy = True
    ordered(stage)
    page.locator("#sheet .pick").nth(3).tap()
    assert page.is_disabled(learn)
    page.wait_for_timeout(2 * SOON_MS)
    assert page.is_disabled(learn)
    machine.is_busy = False
    page.wait_for_selector(f"{learn}:enabled")
    assert len(stage.orders) == 1


def test_a_photograph_is_of_the_card_that_was_asked_for_though_another_is_due_by_then(mat):
    _, _, page = mat
    page.tap(".begin button")
    page.tap("#sheet button:text-is('Learn the cards')")
    page.tap("#sheet .segments button:text-is('Skip-Bo')")
    page.wait_for_selector("#sheet .taking label:text-is('Photograph: 1')")
    with page.expect_file_chooser() as chooser:
        page.tap("#sheet .taking label")
    page.evaluate("document.querySelectorAll('#sheet .pick')[4].click()")
    picture = cv2.imencode(".jpg", np.full((300, 200, 3), 90, np.uint8))[1].tobytes()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        chooser.value.set_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": picture})
    assert sent.value.url.endswith("/deck/skipbo/1")
