"""A whole street game by a simulated camera on four phones, the referee's own and a screen at once.

The real eyes, referee, journal and page in processes of their own (tests/camera_game.py), joined by codes; done over,
undone, corrected, appealed, with phones that drop out and come back, played through to its winner.
"""

import contextlib
import subprocess
import sys
import time

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.phones.phones import Phones
from linesies.device.places import journal_file, phones_file
from linesies.referee.folding import story_of
from tests.browsing import DESK, PHONE, confirm_change, heard, in_browser

pytestmark = in_browser

PLAYERS = ["ana", "bo", "cal", "dee"]
PATIENCE_S = 300.0  # on a busy machine


class Game:
    """The game as its journal tells it, the camera held or let go, and phones on its page."""

    def __init__(self, state, browser, address):
        self._hold, self._held = state / "hold", state / "held"
        self._journal = Journal(journal_file(state))
        self._phones = Phones(phones_file(state))
        self._browser, self._address = browser, address
        self._story = story_of(self._journal)

    @property
    def story(self):
        self._story = story_of(self._journal, self._story)
        return self._story

    def wait(self, is_so, patience_s=PATIENCE_S):
        until_s = time.monotonic() + patience_s
        while not is_so(self.story):
            assert time.monotonic() < until_s, f"waited in vain after row {self.story.row}"
            time.sleep(0.05)

    def shots(self):
        return sum((entry.event or {}).get("event") == "shot" for entry in self.story.entries)

    @contextlib.contextmanager
    def held(self):
        """Hold the camera at a moment when nothing is asked and somebody is to shoot."""
        while True:
            self._hold.touch()
            self.wait(lambda _: self._held.exists())
            state = self.story.public
            if not self.story.held and state["phase"] == "shoot" and state["do_over"]:
                break
            self.let_go()
        yield
        self.let_go()

    def let_go(self):
        """Let the camera go on."""
        self._hold.unlink()
        self.wait(lambda _: not self._held.exists())

    def phone(self, seat=None, path="", opened_on=PHONE):
        page = self._browser.new_context(**opened_on).new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{self._address}{path}" + ("" if seat is None else f"#seat={self._phones.codes(PLAYERS)[seat]}"))
        if seat is not None:
            page.wait_for_selector(f"html[data-role*='{seat or 'referee'}']")
        page.wait_for_selector("body[data-connection=live]")
        return page

    def heard(self, page):
        """Wait until a page has heard all that is written."""
        heard(page, self.story.row)


@pytest.fixture
def game(tmp_path, browser):
    (tmp_path / "hold").touch()  # nobody shoots before the phones are there
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.camera_game", str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        address = child.stdout.readline().strip()
        assert address.startswith("http"), "the camera's game did not begin"
        yield Game(tmp_path, browser, address)
        for context in browser.contexts:
            context.close()
    finally:
        child.terminate()
        child.wait(20)
        child.stdout.close()


def newest_shot(game, page):
    """Open the newest shot that was seen and measured in a page's history; gives its row."""
    shots = (entry for entry in reversed(game.story.entries) if entry.is_effective and "calls" in entry.event)
    row = next(entry.row for entry in shots if entry.event["event"] == "shot")
    page.tap("#open-history")
    page.tap(f"#history li[data-row='{row}'] button")
    return row


def do_over(game, player, owner):
    entries = len(game.story.entries)
    player.tap("#do-over")
    player.tap("#sheet .answers .first")
    owner.tap("#settle .answers button:has-text('Agree for all')")
    game.wait(lambda story: len(story.entries) > entries)
    assert [ruling["code"] for ruling in game.story.entries[-1].rulings] == ["do_over"]


def undo_and_redo(game, owner):
    last = game.story.entries[-1].row
    for words, is_there in (("Cross it out", False), ("Put it back in", True)):
        game.heard(owner)
        owner.tap("#open-history")
        owner.tap(f"#history li[data-row='{last}'] button")
        owner.tap(f"#sheet .answers button:has-text('{words}')")

        def has_come(is_there=is_there):
            return (game.story.entry(last).event is not None) == is_there

        confirm_change(owner, has_come)
        game.wait(lambda _story, has_come=has_come: has_come())
        owner.tap("#open-history")


def correct(game, owner):
    game.heard(owner)
    row = newest_shot(game, owner)
    owner.tap("#sheet .answers button >> nth=0")
    confirm_change(owner, lambda: len(game.story.entry(row).readings) > 1)
    game.wait(lambda story: len(story.entry(row).readings) > 1)
    owner.tap("#open-history")
    owner.wait_for_selector(f"#history li[data-row='{row}'] .old", state="attached")


def appeal(game, phones):
    for page in phones.values():
        game.heard(page)
    newest_shot(game, phones["dee"])
    phones["dee"].tap("#sheet button:has-text('Appeal')")
    phones["dee"].tap("#sheet .answers button:has-text('Cross it out')")
    for name in ("ana", "bo"):
        phones[name].tap("#settle .answers button:has-text('The call stands')")
    game.wait(lambda story: story.appeals)
    assert (game.story.appeals[0]["by"], game.story.appeals[0]["outcome"]) == ("dee", "stands")
    phones["dee"].tap("#open-history")


@pytest.mark.takes_turns(seconds=100)
@pytest.mark.timeout(900)
def test_a_whole_game_by_a_simulated_camera(game):
    phones = {name: game.phone(name) for name in PLAYERS}
    owner, screen = game.phone(""), game.phone(path="screen", opened_on=DESK)
    game.let_go()
    game.wait(lambda _: game.shots() >= 2)
    with game.held():
        for page in (phones["bo"], owner):
            game.heard(page)
        do_over(game, phones["bo"], owner)
        undo_and_redo(game, owner)
        screen.wait_for_selector("#call[data-word=do_over]")

    phones["cal"].goto("about:blank")
    dees_phone = phones["dee"].context
    phones["dee"].close()
    before = game.shots()
    game.wait(lambda _: game.shots() >= before + 2)
    with game.held():
        phones["cal"].go_back()
        phones["dee"] = dees_phone.new_page()
        phones["dee"].goto(owner.url)
        phones["dee"].wait_for_selector("html[data-role*='dee']")
        correct(game, owner)
        appeal(game, phones)

    game.wait(lambda story: story.public["phase"] == "over")
    winner = game.story.public["winner"].capitalize()
    for page in (*phones.values(), owner, screen):
        page.wait_for_selector(f"#strip:has-text('{winner} wins!')")
        game.heard(page)
    owner.tap("#open-history")
    owner.wait_for_selector("#history img")
    assert any("killer_made" in {ruling["code"] for ruling in entry.rulings} for entry in game.story.entries)
