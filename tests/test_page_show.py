"""The close-call show: drawn from the tracked way, the surveyed paint and the ruling's own numbers."""

import math

import pytest

from tests import scenes
from tests.browsing import DESK, heard, in_browser, until

pytestmark = in_browser

CLOCK = """() => {
  window.moment = 0;
  performance.now = () => window.moment;
  window.requestAnimationFrame = (step) => { window.step = step; return 1; };
  window.cancelAnimationFrame = () => { window.step = null; };
}"""


def begun(stage, page, scene):
    """Begin a show whose clock stands until the test moves it."""
    page.evaluate(CLOCK)
    scene(stage)
    page.wait_for_selector("#show:not([hidden]) svg")


def at(page, second):
    page.evaluate(f"() => {{ window.moment = {1000 * second}; if (window.step) window.step(window.moment); }}")


def view_of(page):
    return [float(side) for side in page.get_attribute("#show svg", "viewBox").split()]


def gap_drawn(page):
    ends = page.evaluate(
        "['x1','y1','x2','y2'].map((key) => Number(document.querySelector('#show .gap').getAttribute(key)))"
    )
    return math.hypot(ends[2] - ends[0], ends[3] - ends[1])


def painted(page):
    """The outlines of the paint, as the show draws them."""
    drawn = page.evaluate(
        "[...document.querySelectorAll('#show .paint polygon')].map((one) => one.getAttribute('points'))"
    )
    return [[[float(value) for value in point.split(",")] for point in outline.split()] for outline in drawn]


def test_paint_is_drawn_as_wide_as_it_was_surveyed_in_the_sun_too(stage, opened):
    scenes.playing(stage)
    page = opened(color_scheme="light", reduced_motion="reduce")
    scenes.made(stage)
    page.wait_for_selector("#show:not([hidden]) svg")
    page.keyboard.press("Escape")
    page.tap("#call .look")
    page.wait_for_selector("#sheet .lens")
    for drawing in ("#sheet .lens", "#call .lens"):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{drawing} .paint polygon')).stroke") == "none"
    page.tap("#sheet button:has-text('Watch the call')")
    assert page.evaluate("getComputedStyle(document.querySelector('#show .paint polygon')).stroke") == "none"


def last_call(stage):
    return stage.story_json()["entries"][-1]["event"]["calls"]["ana"]


@pytest.mark.parametrize(
    ("scene", "second", "stamp"),
    [(scenes.made, 4.2, "IN BY 1.4 MM"), (scenes.on_the_line, 2.8, "ON THE LINE BY 0.8 MM")],  # of that no way is known
)
def test_a_close_call_is_drawn_with_the_numbers_of_its_ruling(stage, opened, scene, second, stamp):
    scenes.playing(stage)
    page = opened()
    begun(stage, page, scene)
    call = last_call(stage)
    at(page, second)
    assert gap_drawn(page) == pytest.approx(abs(call["gap"]), abs=1e-6)
    assert page.inner_text("#show .stamp") == stamp
    shown = page.inner_text("#call .gap").split(" mm")[0]
    assert page.text_content("#show .number") == f"{shown} mm"
    outline = page.evaluate(
        "['cx','cy','r'].map((key) => Number(document.querySelector('#show .outline').getAttribute(key)))"
    )
    assert outline == pytest.approx([call["x"], call["y"], call["diameter"] / 2])
    x, y, radius = outline
    assert scenes.to_paint(painted(page), x, y) - radius == pytest.approx(call["gap"], abs=0.01)


def test_the_cap_glides_along_its_tracked_way_to_where_it_was_ruled_to_lie_and_the_view_dives_there(stage, opened):
    scenes.playing(stage)
    page = opened()
    begun(stage, page, scenes.made)
    event = stage.story_json()["entries"][-1]["event"]
    spots = []
    for second in (0.0, 0.8, 1.6):
        at(page, second)
        moved = page.get_attribute("#show .flyer", "transform")
        spots.append([float(value) for value in moved.split("(")[1].split(")")[0].split()])
    first, _, last = spots
    assert first == pytest.approx(event["ways"]["ana"][0][1:])
    assert last == pytest.approx([event["calls"]["ana"]["x"], event["calls"]["ana"]["y"]])
    wide = view_of(page)
    at(page, 2.6)
    assert view_of(page)[2] < wide[2] / 20
    assert page.get_attribute("#show .contact", "opacity") != "0"


def test_of_a_hit_the_end_shows_from_where_to_where_the_cap_was_driven(stage, opened):
    scenes.playing(stage)
    page = opened()
    begun(stage, page, scenes.struck)
    event = stage.story_json()["entries"][-1]["event"]
    at(page, 3)
    assert page.inner_text("#show .stamp").replace("\u00a0", " ") == "HIT! BO MOVES 22 CM"
    stamp, skip = page.locator("#show .stamp").bounding_box(), page.locator("#show .skip").bounding_box()
    whole = page.locator("#show").bounding_box()
    marks = page.locator("#show .lain, #show .flyer:has-text('B') .disc, #show .contact").all()
    assert len(marks) == 3
    for mark in marks:
        box = mark.bounding_box()
        assert whole["x"] <= box["x"]
        assert box["x"] + box["width"] <= whole["x"] + whole["width"]
        assert whole["y"] <= box["y"]
        assert box["y"] + box["height"] <= stamp["y"]
        assert box["y"] >= skip["y"] + skip["height"] or box["x"] + box["width"] <= skip["x"]
    lain = [float(page.get_attribute("#show .lain", key)) for key in ("cx", "cy")]
    assert lain == pytest.approx(event["ways"]["bo"][0][1:])


def test_the_show_lasts_three_to_six_seconds_and_leaves_the_board(stage, opened):
    scenes.playing(stage)
    page = opened()
    begun(stage, page, scenes.made)
    at(page, 3)
    assert page.is_visible("#show")
    at(page, 6)
    page.wait_for_selector("#show", state="hidden")


def test_a_tap_skips_the_show_and_the_call_can_be_watched_again(stage, opened):
    scenes.playing(stage)
    page = opened()
    scenes.made(stage)
    page.tap("#show .skip")
    page.wait_for_selector("#show", state="hidden")
    page.tap("#call .look")
    page.tap("#sheet button:has-text('Watch the call')")
    page.wait_for_selector("#show:not([hidden])")
    page.keyboard.press("Escape")
    page.wait_for_selector("#show", state="hidden")


def test_without_motion_the_show_is_one_still_picture(stage, opened):
    scenes.playing(stage)
    page = opened(reduced_motion="reduce")
    scenes.made(stage)
    page.wait_for_selector("#show:not([hidden]) .stamp:has-text('In by 1.4 mm')")
    assert page.get_attribute("#show .stamp", "style").startswith("opacity: 1")
    before = view_of(page)
    page.wait_for_timeout(200)
    assert view_of(page) == before


def test_who_comes_later_is_shown_nothing_and_a_plain_miss_needs_no_show(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened(**DESK)
    heard(page, stage.last_id())
    assert page.is_hidden("#show")
    missed = scenes.shot("bo", scenes.call("bo", 1650, 1400, "open", 60))
    row = stage.enter(event=missed, rulings=[scenes.ruling("turn_over", "3.2.0", player="bo", reason="miss")])
    heard(page, row)
    until(page, "document.querySelector('#call').dataset.word === 'out'")
    assert page.is_hidden("#show")
