"""Nobody is shut out: axe finds nothing in any sight of the page, in both languages and looks, and every thumb hits."""

from pathlib import Path

import cv2
import pytest

from tests import scenes
from tests.browsing import DESK, PHONE, SMALL, SMALL_TARGETS, in_browser
from tests.page_server import Stage, served
from tests.sights import ADDRESSES, is_far, walk, walks
from tests.thorough import cases

pytestmark = in_browser

axe = pytest.importorskip("axe_playwright_python")
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text()
TELEVISION = DESK | {"viewport": {"width": 1280, "height": 720}}


def complaints(page, **only):
    """What axe finds: (rule, elements). A call that has faded is meant not to be read."""
    page.evaluate(AXE)
    what = {"resultTypes": ["violations"]} | only
    found = page.evaluate("(what) => axe.run({exclude: ['#call.fading > *']}, what)", what)
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found["violations"]]


def open_page(browser, port, path="", **settings):
    context = browser.new_context(**settings, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"http://127.0.0.1:{port}/{path}")
    return page


LOOKS = ("en-US", "dark", "light"), ("es-MX", "light", "dark")  # a language, a look, and the other look


IN_BOTH = [(names, *look) for look in LOOKS for names in walks()]
LONG, ALONE = ([names for names in walks() if (len(names) > 1) == is_long] for is_long in (True, False))
# every walk over several sights, and of the others a question, an overlay and an answer, in one of them by turns
SOME = [(names, *LOOKS[i % 2]) for i, names in enumerate([*LONG, *ALONE[7::9]])]


@pytest.mark.parametrize(("names", "locale", "scheme", "other"), cases(SOME, more=IN_BOTH))
def test_axe_finds_nothing_in_any_sight_and_a_finger_nothing_too_small(browser, tmp_path, names, locale, scheme, other):
    opened_on = TELEVISION if is_far(names[0]) else PHONE
    found = {}
    for name, page in walk(names, browser, tmp_path, **opened_on, locale=locale, color_scheme=scheme):
        small = [] if is_far(name) else page.evaluate(SMALL_TARGETS)
        told = complaints(page)
        page.emulate_media(color_scheme=other)
        found[name] = [*told, *complaints(page, runOnly=["color-contrast"]), *small]  # no more is another in that look
        page.emulate_media(color_scheme=scheme)
    assert {name: told for name, told in found.items() if told} == {}


def test_axe_finds_nothing_on_the_page_that_invites(browser):
    stage = Stage()
    scenes.playing(stage)
    with served(stage, **ADDRESSES) as port:
        page = open_page(browser, port, "join", **TELEVISION)
        page.wait_for_selector("figure")
        assert complaints(page) == []
        page.context.close()


@pytest.mark.parametrize("width", [1280, 1920, 3840])
def test_a_stream_shines_through_the_overlay(browser, tmp_path, width):
    stage = Stage()
    scenes.playing(stage)
    size = {"viewport": {"width": width, "height": width * 9 // 16}}
    with served(stage) as port:
        page = open_page(browser, port, "overlay", **DESK | size, color_scheme="dark")
        page.wait_for_selector("#call[data-word=out]")
        page.screenshot(path=tmp_path / "overlay.png", omit_background=True)
        page.context.close()
    shown = cv2.imread(str(tmp_path / "overlay.png"), cv2.IMREAD_UNCHANGED)[:, :, 3] > 0
    height = len(shown)
    assert shown[height * 8 // 9, width * 5 // 64]
    assert not shown[: height * 2 // 3].any()
    assert not shown[height * 35 // 36 :].any()


@pytest.mark.parametrize("locale", ["en-US", "es-MX"])
def test_an_overlay_cuts_nothing_off_a_call_that_people_decide(browser, locale):
    stage = Stage()
    scenes.playing(stage)
    with served(stage) as port:
        page = open_page(browser, port, "overlay", **DESK, locale=locale)
        scenes.too_close(stage)
        page.wait_for_selector("#call[data-word=close] .look")
        verdict = page.locator("#call .verdict").bounding_box()
        parts = page.locator("#call .look, #call .numbers > *").all()
        boxes = [part.bounding_box() for part in parts]
        page.context.close()
    assert len(boxes) == 4  # the picture, whose call, how close, and that people decide
    for box in boxes:
        assert box["x"] + box["width"] <= verdict["x"] + verdict["width"]
        assert box["y"] + box["height"] <= verdict["y"] + verdict["height"]
    assert verdict["x"] + verdict["width"] <= page.viewport_size["width"]


@pytest.mark.parametrize("path", ["", "join"])
def test_the_smallest_phone_needs_no_sideways_scrolling_in_spanish(browser, path):
    stage = Stage()
    scenes.playing(stage)
    with served(stage, addresses=lambda: ("http://192.168.100.107:8642/",)) as port:
        page = open_page(browser, port, path, **PHONE | {"viewport": SMALL}, locale="es-MX")
        for act, word in ((scenes.made, "in"), (scenes.on_the_line, "line"), (scenes.too_close, "close")):
            act(stage)
            if not path:
                page.wait_for_selector(f"#call[data-word={word}]")
            width, *cut = page.evaluate(
                "[document.documentElement.scrollWidth, ...[...document.querySelectorAll('#call .word, #strip, #bar')]"
                ".map((part) => part.scrollWidth - part.clientWidth)]"
            )
            assert width <= SMALL["width"]
            assert max(cut, default=0) <= 0
        page.context.close()
