"""A guided proof by touch: the phone says what to lay where, the box photographs, measures, and says how exact it is.

`LINESIES_PLACES=5 pytest -s tests/test_proof_walk.py` walks through all five and says how long that took.
"""

import os
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from linesies.device.live_state import MomentWriter, read_moment
from linesies.device.loop.match import Match
from linesies.device.loop.owner_orders import SetUpPaths, Steward
from linesies.device.loop.proof_walk import ProofWalk
from linesies.device.loop.set_up import set_up_json
from linesies.device.loop.setting_up import NoEyes
from linesies.device.places import journal_file
from linesies.device.proof.certificates import kept, told
from linesies.device.proof.walk import picture_at, walk_in
from linesies.device.serving.webapp import JournalFace
from linesies.device.serving.webdevice import OwnDevice
from linesies.referee.orders import Prove, PutRight
from linesies.referee.owner_orders import complete_owners
from linesies.referee.saying import Saying
from linesies.referee.story import Story
from linesies.vision import Frame, seated_at
from linesies.web import Anyone, create_app
from tests.browsing import PHONE, Finger, in_browser, to_hosting
from tests.gauges import CAPS, GAUGE, MIDDLE_MM, bank_card, floor, install, seat_at, sheet
from tests.page_server import serving
from tests.refereeing import referee_on
from tests.test_hosting import order_row

IN_BROWSER, WHERE_ONE_IS = in_browser
PLACES = int(os.environ.get("LINESIES_PLACES", "1"))


def frame(bgr):
    return Frame.from_bgr(np.ascontiguousarray(bgr), number=0, t_s=0.0)


def laid_at(place):
    """Photograph the sheet at a place: alone, and with a bank card and the caps that belong on its rings."""
    on = replace(sheet(turn_rad=0.4 + place * np.pi / 2), middle_mm=MIDDLE_MM + 6.0 * place)
    caps = [(cap, seat_at(on, GAUGE.seats[ring], cap)) for ring, cap in seated_at(GAUGE, CAPS, place).items()]
    return floor().picture([on]), floor().picture([on, bank_card(on)], caps)


@pytest.fixture
def installed(tmp_path):
    return install(tmp_path)


@pytest.fixture
def walk(installed):
    return ProofWalk(installed, installed / "calibration.json", installed / "caps.json")


def finished(walk, bgr, patience_s=120.0):
    until_s = time.monotonic() + patience_s
    while time.monotonic() < until_s:
        told = walk.see(frame(bgr))
        if told:
            return told
        time.sleep(0.05)
    raise AssertionError("nothing was told")


def test_a_walk_says_whose_cap_belongs_on_which_ring_and_where_it_stands(walk, installed):
    assert walk_in(installed).measured == 0
    assert not walk.is_on
    walk.take(Prove(place=0, shows="gauge"))
    assert walk.is_on
    assert walk.see(frame(floor().picture())) == []
    now = walk_in(installed)
    assert (now.measured, now.has_gauge, now.is_measuring) == (0, True, False)
    assert now.seats[0] == [cap.player for cap in CAPS]
    assert sorted(now.seats[1]) == sorted(now.seats[0])
    assert now.seats[1] != now.seats[0]
    walk.take(Prove(shows="nothing"))
    assert not walk.is_on


def test_where_no_gauge_lies_that_is_said_and_both_pictures_are_taken_again(walk, installed):
    bare = floor().picture()
    for shows in ("gauge", "caps"):
        walk.take(Prove(place=0, shows=shows))
        assert walk.see(frame(bare)) == []
    assert walk_in(installed).is_measuring
    [told] = finished(walk, bare)
    assert (told.who, told.saying.code) == ("proof", "proof_not_found")
    assert not picture_at(installed, 0, "gauge").exists()
    assert walk_in(installed).measured == 0
    assert kept(installed) is None


def test_of_a_picture_that_breaks_off_it_is_said_that_the_place_is_to_be_photographed_again(walk, installed):
    bare = floor().picture()
    walk.take(Prove(place=0, shows="gauge"))
    walk.see(frame(bare))
    taken = picture_at(installed, 0, "gauge")
    taken.write_bytes(taken.read_bytes()[:20_000])
    walk.take(Prove(place=0, shows="caps"))
    walk.see(frame(bare))
    [told] = finished(walk, bare)
    assert told.saying.code == "proof_failed"
    assert "breaks off in the middle" in told.saying.why
    assert not taken.exists()


def test_a_caps_file_that_cannot_be_read_ends_no_game(installed):
    kept = SetUpPaths(state=installed, calibration=installed / "calibration.json", caps=installed / "caps.json")
    steward = Steward(NoEyes(floor().calibration), CAPS, kept=kept, redraw=lambda _: None, rekit=lambda _: None)
    (installed / "caps.json").write_text('{"caps": []}')
    steward.take([order_row("prove", place=0, shows="gauge")])
    [told] = steward.see(frame(floor().picture()))
    assert (told.who, told.saying.code) == ("proof", "order_failed")


def test_only_a_real_board_with_named_caps_is_proved():
    assert complete_owners(Prove(shows="gauge"), Story()) == Saying("board_first")
    assert complete_owners(PutRight(), Story(set_up={"board": {}})) == Saying("caps_first")
    simulated = Story(set_up={"source": "sim:street", "board": {}, "caps": [{}]})
    assert complete_owners(Prove(shows="gauge"), simulated) == Saying("simulated_camera")


class Box(threading.Thread):
    """A box over the floor whose loop runs; shows its camera what lies there."""

    def __init__(self, state):
        super().__init__(name="box", daemon=True)
        self.state, self.shown, self.is_done = state, floor().picture(), False
        self.referee = referee_on(journal_file(state))
        eyes = NoEyes(floor().calibration)
        kept = SetUpPaths(state=state, calibration=state / "calibration.json", caps=state / "caps.json")
        steward = Steward(eyes, CAPS, kept=kept, redraw=self.referee.redraw, rekit=lambda _: None)
        moment = MomentWriter(str(journal_file(state)), dict)
        self.match = Match(eyes, self.referee, moment=moment, steward=steward)
        self.referee.redraw(set_up_json(floor().calibration, CAPS))
        self.size_px, self.fps, self.is_live = (1280, 960), 20.0, False
        self.passed = threading.Condition()

    def frames(self):
        while not self.is_done:
            yield frame(self.shown)
            with self.passed:
                self.passed.notify_all()
            time.sleep(0.05)

    def lay(self, picture):
        """Lay this before the camera, and wait until the loop is through with every frame from before."""
        self.shown = picture
        with self.passed:
            assert self.passed.wait(60)
            assert self.passed.wait(60)

    def run(self):
        self.match.follow(self, lambda: False)

    def app(self):
        return create_app(
            JournalFace(self.referee.journal),
            self.referee.journal.submit,
            lambda: read_moment(str(journal_file(self.state))),
            doorkeeper=Anyone(may_order=True),
            device=OwnDevice(self.state),
            proof=lambda: told(self.state, {}),
        )


@pytest.fixture
def box(installed):
    box = Box(installed)
    box.start()
    yield box
    box.is_done = True
    box.join(20)


@pytest.mark.takes_turns(seconds=74)
@IN_BROWSER
@WHERE_ONE_IS
def test_a_phone_leads_through_a_proof_by_touch(box, browser):
    pictures = [laid_at(place) for place in range(PLACES)]
    context = browser.new_context(locale="en", bypass_csp=False, **PHONE)
    with serving(box.app()) as port:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("body[data-connection=live]")
        finger = Finger(page)
        to_hosting(page, finger)
        begun_s = time.monotonic()
        finger.tap("#sheet button:text-is('Prove how exact calls are')")
        for place, (bare, laid) in enumerate(pictures):
            page.wait_for_selector(f"#sheet h3:text-is('Place {place + 1} of 5')")
            box.lay(bare)
            finger.tap("#sheet button:text-is('Take the picture')")
            page.wait_for_selector("#sheet li:has-text('Ring 1:')")
            box.lay(laid)
            finger.tap("#sheet button:text-is('Take the picture')")
        if PLACES < 5:
            finger.tap("#sheet button:text-is('That is enough')")
        page.wait_for_selector(f"#sheet .certificate:has-text('by {8 * PLACES} known gaps of caps')")
        assert kept(box.state).found["places"] == PLACES
        print(f"{PLACES} places by touch in {time.monotonic() - begun_s:.0f} s, {finger.taps} taps")  # noqa: T201
    context.close()
