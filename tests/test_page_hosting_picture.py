"""The camera's picture has its place before it comes: nothing that may be tapped moves when it does, or doesn't."""

import time

import cv2
import numpy as np
import pytest

from tests.browsing import SMALL, Finger, in_browser, until
from tests.hosted import SPOTS, Machine
from tests.test_page_hosting import hosting, table  # noqa: F401 - the fixture
from tests.thorough import cases

pytestmark = in_browser

SHEETS = ["Choose the camera", "Find the board", "Name the caps", "Prove how exact calls are"]
UPRIGHT, SIDEWAYS = {"width": 390, "height": 844}, {"width": 844, "height": 390}
BOXES = """() => Object.fromEntries([...document.querySelectorAll("#sheet button, #sheet summary")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.getAttribute("aria-label") || one.textContent, [x, y, width, height].map(Math.round)];
}))"""
IS_SEEN = "document.querySelector('#sheet .corners img')?.naturalWidth > 0"


class Camera(Machine):
    """A camera whose picture comes when it is let."""

    is_on, size = False, (480, 640)

    def picture(self):
        if not Camera.is_on:
            return None
        return cv2.imencode(".jpg", np.full((*Camera.size, 3), 120, np.uint8))[1].tobytes()


@pytest.fixture
def camera(monkeypatch):
    monkeypatch.setattr(Machine, "picture", Camera.picture)
    monkeypatch.setattr(Camera, "is_on", False)
    return monkeypatch


def come(page):
    until_s = time.monotonic() + 60
    while not page.evaluate(IS_SEEN):
        assert time.monotonic() < until_s
        page.wait_for_timeout(50)
    page.wait_for_timeout(300)


@pytest.mark.parametrize("screen", cases([UPRIGHT], more=[SIDEWAYS]))
@pytest.mark.parametrize("sheet", SHEETS)
def test_no_button_moves_when_the_picture_fails_and_when_it_comes(table, camera, sheet, screen):  # noqa: F811
    _, _, phone = table
    owner = phone("")
    owner.set_viewport_size(screen)
    hosting(owner, sheet)
    owner.wait_for_selector("#sheet .corners img", state="attached")
    owner.wait_for_timeout(300)
    before = owner.evaluate(BOXES)
    owner.wait_for_timeout(1500)  # it was asked for, and there was none
    failed = owner.evaluate(BOXES)
    camera.setattr(Camera, "is_on", True)
    come(owner)
    seen = owner.evaluate(BOXES)
    assert {name: box for name, box in failed.items() if before[name] != box} == {}
    assert {name: box for name, box in seen.items() if before[name] != box} == {}


@pytest.mark.parametrize("screen", [{**SMALL, "height": 800}, SIDEWAYS])  # where nothing needs to be scrolled
@pytest.mark.parametrize("locale", cases(["es-PR"], more=["en-US"]))
def test_no_camera_moves_from_under_the_finger_when_one_is_chosen(table, camera, locale, screen):  # noqa: F811
    _, _, phone = table
    camera.setattr(Camera, "is_on", True)
    owner = phone("", locale=locale)
    owner.set_viewport_size(screen)
    for step in ("#more", "#sheet .first.wide", "#sheet .steps li:first-child button"):
        owner.tap(step)
    come(owner)
    note, before = owner.inner_text("#sheet .note"), owner.evaluate(BOXES)
    for nth in (1, 0):
        owner.tap(f"#sheet .preset >> nth={nth}")
        until(owner, f"document.querySelector('#sheet .note').textContent !== {note!r}")
        assert owner.evaluate(BOXES) == before
        owner.wait_for_selector("#sheet .preset:not([disabled]) >> nth=0")
        assert owner.evaluate(BOXES) == before


@pytest.mark.parametrize("locale", ["en-US", "es-PR"])
def test_larger_and_take_away_lie_apart_on_the_smallest_phone(table, monkeypatch, locale):  # noqa: F811
    monkeypatch.setattr(Machine, "found", [{"xy": [160, 120], "diameter": 30, "kind": "crown"}])
    _, _, phone = table
    owner = phone("", locale=locale)
    owner.set_viewport_size(SMALL)
    for step in ("#more", "#sheet .first.wide", "#sheet .steps li:nth-child(3) button"):
        owner.tap(step)
    larger = owner.locator(".kit li .segments button >> nth=1").bounding_box()
    away = owner.locator(".kit li > .close").bounding_box()
    assert larger["x"] + larger["width"] <= away["x"]
    assert away["x"] + away["width"] <= SMALL["width"]


@pytest.mark.parametrize("size", [(480, 640), (360, 640), (640, 480)])
def test_a_tap_means_the_spot_beneath_it_whatever_the_picture_is_like(table, camera, size):  # noqa: F811
    _, _, phone = table
    camera.setattr(Camera, "is_on", True)
    camera.setattr(Camera, "size", size)
    owner = phone("")
    hosting(owner, "Name the caps")
    come(owner)
    height, width = size
    box = owner.locator("#sheet .corners svg").bounding_box()
    scale = min(box["width"] / width, box["height"] / height)
    x, y = (box["x"] + box["width"] / 2 + scale * width / 4, box["y"] + box["height"] / 2 - scale * height / 4)
    Finger(owner).tap_at(x, y)
    owner.wait_for_selector(".kit li")
    told = owner.locator(".pin").get_attribute("transform").removeprefix("translate(").removesuffix(")").split()
    assert np.hypot(float(told[0]) - 0.75 * width, float(told[1]) - 0.25 * height) < 3


@pytest.mark.parametrize("sheet", SHEETS)
def test_on_a_phone_held_sideways_the_picture_and_what_is_to_be_tapped_are_both_in_sight(table, camera, sheet):  # noqa: F811
    _, _, phone = table
    camera.setattr(Camera, "is_on", True)
    owner = phone("")
    owner.set_viewport_size(SIDEWAYS)
    hosting(owner, sheet)
    come(owner)
    for selector in ("#sheet .corners img", "#sheet button.first:not(.preset) >> nth=0"):
        box = owner.locator(selector).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= SIDEWAYS["height"]


def test_held_sideways_caps_are_confirmed_without_scrolling_however_many_are_named(table, monkeypatch):  # noqa: F811
    _, _, phone = table
    monkeypatch.setattr(Machine, "found", [{"xy": list(xy), "diameter": 30, "kind": "crown"} for xy in SPOTS])
    owner = phone("")
    owner.set_viewport_size(SIDEWAYS)
    hosting(owner, "Name the caps")
    owner.wait_for_selector(".kit li:nth-child(3)")
    box = owner.locator("#sheet > .answers .first").bounding_box()
    assert box["y"] + box["height"] <= SIDEWAYS["height"]
