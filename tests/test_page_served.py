"""The real referee's page in a real Chromium, served in a process of its own."""

import os
import signal
import time

import pytest

from linesies.device.places import journal_file
from linesies.device.serving.serving import Face
from linesies.device.settings.settings import WebSettings
from tests.browsing import PHONE, in_browser, text
from tests.pace import SLACK
from tests.refereeing import codes, referee_on, shot

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = in_browser

LONGEST_S = 0.5  # -s prints how soon it was


@pytest.fixture
def table(tmp_path):
    """The real referee with its journal, and its page served in a process of its own."""
    referee = referee_on(journal_file(tmp_path))
    face = Face(tmp_path, WebSettings(host="127.0.0.1", port=0, pairing=False))
    yield referee, face
    face.close()


def when_served(browser, face):
    page = browser.new_page(**PHONE)
    for _ in range(100):
        try:
            page.goto(face.addresses[0])
            break
        except sync_api.Error:
            time.sleep(0.2)
    page.wait_for_selector("body[data-connection=live]", timeout=60_000)
    return page


def test_a_real_ruling_is_on_the_page_soon(table, browser):
    referee, face = table
    page = when_served(browser, face)
    delays = []
    for box in ("1", "2", "3", "4"):
        rows = referee.see(shot("ana", box))
        page.wait_for_selector(f"#call .tale:has-text('Ana makes {box},')")
        delays.append(time.time() - rows[-1].at_s)
    print("from the ruling to the page:", ", ".join(f"{delay * 1000:.0f} ms" for delay in delays))  # noqa: T201 - seen with -s
    page.close()
    assert max(delays) < LONGEST_S * SLACK


def test_a_question_is_settled_from_the_page_in_the_real_journal(table, browser):
    referee, face = table
    page = when_served(browser, face)
    referee.see(shot("ana", "1", certain=False))
    page.tap("#settle .answers button:has-text('On the line')")
    for _ in range(200):
        referee.take_orders()
        if codes(referee):
            break
        time.sleep(0.05)
    page.wait_for_selector("#call[data-word=line]")
    page.wait_for_selector("#settle:not([open])", state="attached")
    assert codes(referee)[-1][0] == "turn_over"
    page.tap("#open-history")
    assert "Decided by phone" in text(page, "#history li:first-child")
    page.close()


def test_the_page_outlives_its_server(table, browser, monkeypatch):
    monkeypatch.setattr("linesies.device.serving.serving.PAUSE_S", 0.0)
    referee, face = table
    page = when_served(browser, face)
    os.killpg(face._child.pid, signal.SIGKILL)
    face._child.wait()
    page.wait_for_selector("body[data-connection=lost]", timeout=60_000)
    referee.see(shot("ana", "1"))
    face.look_after()
    page.wait_for_selector("#call .tale:has-text('Ana makes 1,')", timeout=60_000)
    assert page.get_attribute("body", "data-connection") == "live"
    page.close()
