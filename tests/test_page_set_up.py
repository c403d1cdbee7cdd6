"""The very first set-up, by touch on a Spanish phone: an empty state folder, no game, no calibration, no terminal."""

import json
import math
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
from tests.browsing import PHONE, TOUCH, Finger, in_browser, text
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
    context = browser.new_context(viewport=PHONE, locale="es-PR", bypass_csp=True, reduced_motion="reduce", **TOUCH)
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


def pair(page, finger, state):
    """Type the code that the box shows on its console, or blinks by its lamps."""
    finger.tap(".begin button")
    page.fill("#code", Phones(phones_file(state)).codes(())[REFEREE])
    finger.tap("#sheet form button")
    page.wait_for_selector("html[data-role*='referee']")
    page.wait_for_selector("body:not([data-camera=''])")


def step(finger, number):
    finger.tap(f"#sheet .steps li:nth-child({number}) button")


def place_of(page, seen, xy):
    box = page.locator("#sheet .corners svg").bounding_box()
    (width, height), (x, y) = seen["size"], xy
    return box["x"] + x / width * box["width"], box["y"] + y / height * box["height"]


def drag_corners(page, finger, seen, corners):
    for i, corner in enumerate(corners):
        handle = page.locator(".handle .point").nth(i).bounding_box()
        start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        finger.drag(start, place_of(page, seen, corner))


def learn_board(page, finger, seen):
    step(finger, 2)
    page.locator(".handle").first.wait_for()
    assert complaints(page) == []
    drag_corners(page, finger, seen, [seen["corners"][i] for i in (0, 2, 1, 3)])
    finger.tap("#sheet .answers .first")
    page.wait_for_selector("#sheet .note:has-text('se cruzan')")
    drag_corners(page, finger, seen, seen["corners"])
    finger.tap("#sheet .answers .first")
    page.wait_for_selector("#sheet .note:has-text('Aprendiendo')")
    page.wait_for_selector("#sheet .steps li:nth-child(2) .done")


def pins(page):
    told = page.locator(".pin").evaluate_all("all => all.map((one) => one.getAttribute('transform'))")
    return [tuple(map(float, re.findall(r"[\d.]+", pin))) for pin in told]


def whose_of(seen, xy):
    away = [math.dist(cap, xy) for cap in seen["caps"]]
    assert min(away) < 6
    return away.index(min(away))


def name_caps(page, finger, seen, state):
    """The camera finds caps, people name them; one that it missed is tapped twice."""
    (state / "caps").touch()
    page.wait_for_timeout(1200)
    step(finger, 3)
    page.wait_for_selector("#sheet .note:has-text('encontró')")
    assert page.is_disabled("#sheet > .answers .first")
    missed = set(range(len(PEOPLE))) - {whose_of(seen, xy) for xy in pins(page)}
    assert len(missed) < len(PEOPLE)
    for one in missed:
        for heard in ("nada nuevo", "quién"):
            finger.tap_at(*place_of(page, seen, seen["caps"][one]))
            page.wait_for_selector(f"#sheet .note:has-text('{heard}')")
    assert page.locator("#sheet output").all_inner_texts() == ["por cámara"] * len(PEOPLE)
    for i, xy in enumerate(pins(page)):
        finger.tap(".kit .name", i)
        page.keyboard.type(PEOPLE[whose_of(seen, xy)])
    finger.tap("#sheet > .answers .first")
    page.wait_for_selector("#sheet .note:has-text('regla')")
    assert complaints(page) == []
    finger.tap("#sheet > .answers .first")
    page.wait_for_selector("#sheet .steps li:nth-child(3) .done")


@pytest.mark.timeout(240)
def test_a_box_is_set_up_from_a_phone_and_the_game_begins(box, owner):
    state, _ = box
    seen = json.loads((state / "seen.json").read_text())
    finger = Finger(owner)
    assert "Aún no hay juego" in text(owner, "#strip")
    assert complaints(owner) == []
    pair(owner, finger, state)
    finger.tap(".begin button")
    assert complaints(owner) == []
    step(finger, 1)
    owner.wait_for_selector("#sheet .corners img")
    finger.tap("#sheet .answers .first")
    learn_board(owner, finger, seen)
    assert read_calibration(state / "calibration.json").board.size_mm[0] == pytest.approx(1830)
    name_caps(owner, finger, seen, state)
    kit = read_caps(state / "caps.json")
    assert sorted(cap.player for cap in kit) == list(PEOPLE)
    true_mm = dict(zip(PEOPLE, seen["diameters"], strict=True))
    assert all(abs(cap.diameter_mm - true_mm[cap.player]) < 6 for cap in kit)
    step(finger, 4)
    for name in PEOPLE:
        finger.tap(f"#sheet .segments button:has(svg):has-text('{name}')")
    finger.tap("#sheet .go")
    owner.wait_for_selector("#strip .told:has-text('Ana')")
    owner.wait_for_selector("#board .cap[data-player=Cy]", state="attached")
    journal = Journal(journal_file(state))
    assert story_of(journal).start["players"] == list(PEOPLE)
    journal.close()
