"""A card game is begun by touch alone: a mat that nobody has set up, phones, people with names of their own.

From the referee's code to the first card that the camera sees; how many taps that takes, and how long, is held.
"""

import contextlib
import json
import re
import subprocess
import sys
import time

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.live_state import read_moment
from linesies.device.phones.phones import REFEREE, Phones
from linesies.device.places import journal_file, phones_file
from linesies.referee.folding import story_of
from tests.browsing import PHONE, Finger, in_browser, spot_on, text
from tests.pace import SLACK
from tests.thorough import cases

pytestmark = in_browser

PEOPLE = ("Zoë", "Max", "Io")
LONGEST_S = 300.0
WATCHED_S = 5.0  # so that nothing told before the game began is taken for it
PATIENCE_S = 150.0  # with a machine that does twenty times its work; no promise
MOST_TAPS = 30  # by all phones together, three of them typing a code


class Table:
    """A box over a mat, the phones on its page, and their fingers."""

    def __init__(self, state, address, browser):
        self.state, self._address, self._browser = state, address, browser
        self.fingers = []

    def code(self, seat):
        return Phones(phones_file(self.state)).codes(PEOPLE)[seat]

    def phone(self):
        context = self._browser.new_context(bypass_csp=True, reduced_motion="reduce", **PHONE)
        page = context.new_page()
        page.set_default_timeout(60_000)
        for _ in range(100):
            try:
                page.goto(self._address)
                break
            except Exception:  # noqa: BLE001 - the page is not there yet
                time.sleep(0.2)
        page.wait_for_selector("body[data-connection=live]")
        self.fingers.append(Finger(page))
        return page, self.fingers[-1]

    @property
    def taps(self):
        return sum(finger.taps for finger in self.fingers)

    def journal(self):
        return contextlib.closing(Journal(journal_file(self.state)))

    @property
    def story(self):
        with self.journal() as journal:
            return story_of(journal)

    @property
    def rows(self):
        with self.journal() as journal:
            return journal.rows_after(0)

    def wait(self, is_so):
        until_s = time.monotonic() + PATIENCE_S
        while not is_so(self.story):
            assert time.monotonic() < until_s, f"waited in vain: {self.story.entries[-3:]}, {self.story.state}"
            time.sleep(0.2)

    def wait_until_watched(self):
        """Wait until the eyes of the game that has begun look through the camera, and have for a while."""
        until_s, began_s = time.monotonic() + PATIENCE_S, None
        while began_s is None or self.moment["t"] < began_s + WATCHED_S:
            assert time.monotonic() < until_s, f"waited in vain for the camera: {self.moment}"
            is_watched = self.moment["camera"] == "ok" and "doing" not in self.moment and self.moment["fps"] > 0
            if not is_watched or (began_s is not None and self.moment["t"] < began_s):
                began_s = None
            elif began_s is None:
                began_s = self.moment["t"]
            time.sleep(0.2)

    @property
    def moment(self):
        return read_moment(str(journal_file(self.state)))


@pytest.fixture
def table(request, tmp_path, browser):
    """A table for a game that was just switched on."""
    game = request.param
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.set_up_table", str(tmp_path), game, str(len(PEOPLE))],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Table(tmp_path, re.search(r"http://\S+/", child.stdout.readline())[0], browser)
    finally:
        for context in browser.contexts:
            context.close()
        child.terminate()
        child.wait(20)
        child.stdout.close()


def join(page, finger, code):
    finger.tap(".begin button" if page.locator(".begin button").count() else "#more")
    page.fill("#code", code)
    finger.tap("#sheet form button")


def learn_mat(page, finger, table, game):
    """Say which mat it is, and drag the corners of its picture to it."""
    finger.tap("#sheet .steps li:nth-child(2) button")
    page.locator(".handle").first.wait_for()
    finger.tap("#sheet .boards button:has-text('mat')")
    finger.tap(f"#sheet .boards button:text-is('{game}')")
    finger.tap("#sheet .boards button:has-text('−')")  # for four, if nothing else is said
    for i, corner in enumerate(json.loads((table.state / "corners.json").read_text())):
        handle = page.locator(".handle .point").nth(i).bounding_box()
        start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        finger.drag(start, spot_on(page, "#sheet .corners svg", corner))
    finger.tap("#sheet .answers .first")
    until_s = time.monotonic() + PATIENCE_S
    while page.locator("#sheet .steps li:nth-child(2) .done").count() == 0:
        assert time.monotonic() < until_s, f"not learned: {text(page, '#sheet')}"
        page.wait_for_timeout(200)


def begin(page, finger, game, preset):
    finger.tap("#sheet .steps button:has-text('New game')")
    finger.tap(f"#sheet .segments button:text-is('{HOSTED.get(game, game)}')")
    for name in PEOPLE:
        page.fill("#sheet form.small input", name)
        finger.tap("#sheet form.small button")
    finger.tap(f"#sheet .preset:has-text('{preset}')")
    finger.tap("#sheet .go")
    page.wait_for_selector(f"#board .seat[data-player='{PEOPLE[0]}']")


TITLES = {"skull": "Skull", "skull_king": "Skull King", "skipbo": "Skip-Bo"}
HOSTED = {"Skip-Bo": "Skip-Bo Mod"}  # as the sheet of a new game has it
PRESETS = {"skull": "small", "skull_king": "quick", "skipbo": "short"}


def first_words(game, table, players):
    """Say by phone what no camera sees before the first card can be laid, and wait until the referee has heard it."""
    before = table.story.row
    if game == "skipbo":
        _, finger = players[0]
        finger.tap("#own .numbers-row button:text-is('5')")
        finger.tap("#own .choices button:nth-child(2)")  # rolled: 5 to 8
    if game == "skull_king":
        _, finger = players[-1]
        finger.tap("#own .first")  # dealt
        for page, finger in players:
            page.wait_for_selector("#own .numbers-row")
            finger.tap("#own .numbers-row button:nth-child(1)")
    said = {"skull": 0, "skull_king": 1 + len(players), "skipbo": 1}[game]
    table.wait(lambda story: story.row >= before + said)


@pytest.mark.takes_turns(seconds=110)
@pytest.mark.timeout(420)
@pytest.mark.parametrize("table", cases(["skull_king"], more=["skull", "skipbo"]), indirect=True)
def test_a_card_game_is_begun_from_phones_alone(table, request, record_property):
    game = request.node.callspec.params["table"]
    page, finger = table.phone()
    began_s = time.monotonic()
    join(page, finger, table.code(REFEREE))
    page.wait_for_selector("html[data-role*='referee']")
    finger.tap(".begin button")
    learn_mat(page, finger, table, TITLES[game])
    begin(page, finger, TITLES[game], PRESETS[game])
    players = [table.phone() for _ in PEOPLE]
    for (own, touch), name in zip(players, PEOPLE, strict=True):
        join(own, touch, table.code(name))
        own.wait_for_selector(f"#more:has-text('{name}')")
    first_words(game, table, players)
    table.wait_until_watched()
    (table.state / "card").touch()
    kind = {"skull": "placed"}.get(game, "play")
    table.wait(lambda story: any(entry.event and entry.event["event"] == kind for entry in story.entries))
    took_s = time.monotonic() - began_s
    [laid] = [entry for entry in table.story.entries if entry.event and entry.event["event"] == kind]
    assert (laid.origin, laid.event["player"]) == ("vision", PEOPLE[0]), [str(row) for row in table.rows]
    assert laid.refused is None
    record_property("taps", table.taps)
    record_property("seconds", round(took_s))
    assert took_s < LONGEST_S * SLACK
    assert table.taps <= MOST_TAPS
