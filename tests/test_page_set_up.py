"""The very first set-up, from a Spanish phone: an empty state folder, no game, no calibration, no terminal."""

import json
import re
import subprocess
import sys
import time

import pytest

from linesies.calibration import read_calibration
from linesies.device.journal.journal import Journal
from linesies.device.phones.phones import REFEREE, Phones
from linesies.device.places import journal_file, phones_file
from linesies.referee.story import story_of
from linesies.vision import read_caps
from tests.browsing import PHONE, in_browser, text
from tests.test_page_access import complaints

pytestmark = in_browser

PEOPLE = ("Ana", "Bo", "Cy")


@pytest.fixture
def box(tmp_path):
    """A box that was just switched on; gives its folder and its page's address."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.set_up_game", str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        address = re.search(r"http://\S+/", child.stdout.readline())[0]
        assert "Nothing is set up yet" in child.stdout.readline()
        yield tmp_path, address
    finally:
        child.terminate()
        child.wait(20)
        child.stdout.close()


@pytest.fixture
def owner(browser, box):
    """The phone of whoever has just unpacked the box."""
    _, address = box
    context = browser.new_context(viewport=PHONE, locale="es-PR", bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(30_000)
    for _ in range(100):
        try:
            page.goto(address)
            break
        except Exception:  # noqa: BLE001 - the page is not there yet
            time.sleep(0.2)
    page.wait_for_selector("body[data-connection=live]")
    yield page
    context.close()


def pair(page, state):
    """Type the code that the box shows on its console, or blinks by its lamps."""
    page.click(".begin button")
    page.fill("#code", Phones(phones_file(state)).codes(())[REFEREE])
    page.click("#sheet form button")
    page.wait_for_selector("html[data-role*='referee']")
    page.wait_for_selector("body:not([data-camera=''])")


def step(page, number):
    page.click(f"#sheet .steps li:nth-child({number}) button")


def place_of(page, seen, xy):
    box = page.locator("#sheet .corners svg").bounding_box()
    (width, height), (x, y) = seen["size"], xy
    return box["x"] + x / width * box["width"], box["y"] + y / height * box["height"]


def learn_board(page, seen):
    step(page, 2)
    page.locator(".handle").first.wait_for()
    assert complaints(page) == []
    for i, corner in enumerate(seen["corners"]):
        handle = page.locator(".handle .point").nth(i).bounding_box()
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        page.mouse.move(*place_of(page, seen, corner), steps=3)
        assert page.is_visible(".loupe")
        page.mouse.up()
    page.click("#sheet .answers .first")
    page.wait_for_selector("#sheet .steps li:nth-child(2) .done")


def name_caps(page, seen, state):
    (state / "caps").touch()
    page.wait_for_timeout(1200)
    step(page, 3)
    page.locator("#sheet .corners svg").wait_for()
    assert page.is_disabled("#sheet > .answers .first")
    for i, (xy, name) in enumerate(zip(seen["caps"], PEOPLE, strict=True)):
        page.mouse.click(*place_of(page, seen, xy))
        page.locator(".kit .name").nth(i).fill(name)
    page.click("#sheet > .answers .first")
    page.wait_for_selector("#sheet .note:has-text('regla')")
    assert complaints(page) == []
    page.click("#sheet > .answers .first")
    page.wait_for_selector("#sheet .steps li:nth-child(3) .done")


@pytest.mark.timeout(240)
def test_a_box_is_set_up_from_a_phone_and_the_game_begins(box, owner):
    state, _ = box
    seen = json.loads((state / "seen.json").read_text())
    assert "Aún no hay juego" in text(owner, "#strip")
    assert complaints(owner) == []
    pair(owner, state)
    owner.click(".begin button")
    assert complaints(owner) == []
    step(owner, 1)
    owner.wait_for_selector("#sheet .corners img")
    owner.click("#sheet .answers .first")
    learn_board(owner, seen)
    assert read_calibration(state / "calibration.json").board.size_mm[0] == pytest.approx(1830)
    name_caps(owner, seen, state)
    kit = read_caps(state / "caps.json")
    assert [cap.player for cap in kit] == list(PEOPLE)
    assert all(abs(cap.diameter_mm - true) < 6 for cap, true in zip(kit, seen["diameters"], strict=True))
    step(owner, 4)
    for name in PEOPLE:
        owner.click(f"#sheet .segments button:has(svg):has-text('{name}')")
    owner.click("#sheet .go")
    owner.wait_for_selector("#strip .told:has-text('Ana')")
    owner.wait_for_selector("#board .cap[data-player=Cy]", state="attached")
    journal = Journal(journal_file(state))
    assert story_of(journal).start["players"] == list(PEOPLE)
    journal.close()
