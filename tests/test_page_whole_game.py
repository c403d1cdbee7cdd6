"""A whole street game on four phones, the referee's own and a screen at once: corrected, done over, undone, dropped."""

from random import Random

import pytest

from linesies.device.phones.phones import Phones
from linesies.device.serving.webapp import JournalFace
from linesies.simulator.bots.skully import SkullyBot
from linesies.web import create_app
from tests import scenes
from tests.browsing import DESK, PHONE, confirm_change, heard, in_browser
from tests.hosted import take
from tests.page_server import nothing_moves, serving
from tests.refereeing import quick_journal, referee_on

pytestmark = in_browser

PLAYERS = ["ana", "bo", "cal", "dee"]
OPTIONS = {"early_hits": "allowed", "killer_hits": 1, "killer_round": "any_order", "pipsies": 6}


@pytest.fixture
def table(tmp_path, browser):
    """A referee whose journal lies in memory, and a way to open phones on its page."""
    contexts = []
    with quick_journal() as path:
        referee = referee_on(path)
        referee.begin(scenes.set_up(), {"event": "start", "game": "skully", "players": PLAYERS, "options": OPTIONS})
        phones = Phones(tmp_path / "phones.sqlite")
        app = create_app(JournalFace(referee.journal), referee.journal.submit, nothing_moves, doorkeeper=phones)
        with serving(app) as port:

            def phone(seat=None, path="", **more):
                context = browser.new_context(**(PHONE | more))
                contexts.append(context)
                page = context.new_page()
                page.set_default_timeout(60_000)
                code = "" if seat is None else f"#seat={phones.codes(PLAYERS)[seat]}"
                page.goto(f"http://127.0.0.1:{port}/{path}{code}")
                if seat is not None:
                    page.wait_for_selector(f"html[data-role*='{seat or 'referee'}']")
                page.wait_for_selector("body[data-connection=live]")
                return page

            yield referee, phone
            for context in contexts:
                context.close()


class Street:
    """Players who shoot as a bot does; the camera's reports go straight into the inbox."""

    def __init__(self, referee):
        self.referee = referee
        self.bot = SkullyBot(OPTIONS, Random(7))

    def play(self, most):
        for number in range(most):
            if self.referee.is_over:
                return number
            event = self.bot.event(self.referee.story.public)
            if event["event"] in ("correct", "leave", "do_over"):
                continue
            self.referee.journal.submit({"order": "event", "event": event}, "street")
            self.referee.take_orders()
        return most

    def play_until_shot(self):
        for _ in range(200):
            self.play(1)
            if self.referee.story.public["do_over"] and self.referee.story.public["phase"] == "shoot":
                return
        raise AssertionError("nobody shot")


@pytest.mark.takes_turns(seconds=55)
def test_a_whole_game_with_do_over_correction_undo_and_a_phone_that_drops_out(table):
    referee, phone = table
    phones = {name: phone(name) for name in PLAYERS}
    owner, screen = phone(""), phone(path="screen", **DESK)
    street = Street(referee)
    street.play(12)

    street.play_until_shot()
    heard(phones["bo"], referee.story.row)
    phones["bo"].tap("#do-over")
    phones["bo"].tap("#sheet .answers .first")
    take(referee)
    owner.tap("#settle .answers button:has-text('Agree for all')")
    take(referee, 2)
    assert [ruling["code"] for ruling in referee.story.entries[-1].rulings] == ["do_over"]
    screen.wait_for_selector("#call[data-word=do_over]")

    street.play_until_shot()
    entries = len(referee.story.entries)
    heard(owner, referee.story.row)
    owner.tap("#open-history")
    owner.tap("#history li:first-child button")
    owner.tap("#sheet .answers button:has-text('Cross it out')")
    confirm_change(owner, referee.journal.inbox)
    take(referee, 2)
    assert referee.story.entries[-1].event is None
    owner.tap("#history li.undone:first-child button")
    owner.tap("#sheet .answers button:has-text('Put it back in')")
    confirm_change(owner, referee.journal.inbox)
    take(referee, 2)
    assert referee.story.entries[-1].event is not None
    assert len(referee.story.entries) == entries
    owner.tap("#open-history")

    phones["cal"].goto("about:blank")
    street.play(20)
    phones["cal"].go_back()
    heard(phones["cal"], referee.story.row)

    street.play(20_000)
    assert referee.is_over
    winner = referee.story.public["winner"].capitalize()
    for page in (*phones.values(), owner, screen):
        page.wait_for_selector(f"#strip:has-text('{winner} wins!')")
        heard(page, referee.story.row)
