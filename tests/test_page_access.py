"""Nobody is shut out: axe finds nothing serious in any state, in both languages and themes."""

from pathlib import Path

import cv2
import pytest

from tests import scenes
from tests.browsing import PHONE, SMALL, in_browser
from tests.card_games import CardTable, page_of
from tests.page_server import Stage, served

pytestmark = in_browser

axe = pytest.importorskip("axe_playwright_python")
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text()
SERIOUS = ("serious", "critical")


def complaints(page):
    """What axe finds that is serious: (rule, elements)."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [one for one in found["violations"] if one["impact"] in SERIOUS]
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in bad]


def open_page(browser, port, path="", viewport=PHONE, **more):
    context = browser.new_context(viewport=viewport, bypass_csp=True, reduced_motion="reduce", **more)
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.goto(f"http://127.0.0.1:{port}/{path}")
    return page


def states(stage, page):
    """Lead the page through its states; gives the name of each."""
    yield "nothing"
    scenes.begun(stage)
    page.wait_for_selector(".cap")
    yield "begun"
    scenes.playing(stage)
    scenes.made(stage)
    page.wait_for_selector("#call[data-word=in]")
    yield "in"
    page.click("#call .look")
    page.wait_for_selector("#sheet[open]")
    yield "evidence"
    page.keyboard.press("Escape")
    scenes.on_the_line(stage)
    page.wait_for_selector("#call[data-word=line]")
    scenes.corrected(stage)
    page.click("#open-history")
    page.wait_for_selector("#history .old")
    yield "history"
    page.click("#open-history")
    page.click("#more")
    page.wait_for_selector("#sheet[open]")
    yield "more"
    page.keyboard.press("Escape")
    scenes.too_close(stage)
    page.wait_for_selector("#settle[open]")
    yield "too close"
    stage.tell(pending=[])
    scenes.won(stage)
    page.wait_for_selector("#call[data-word=winner]")
    yield "won"
    scenes.camera_lost(stage)
    page.wait_for_selector("#strip.trouble")
    yield "trouble"


@pytest.mark.parametrize("locale", ["en-US", "es-MX"])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_in_a_street_game(browser, locale, scheme):
    stage = Stage()
    with served(stage) as port:
        page = open_page(browser, port, locale=locale, color_scheme=scheme)
        page.wait_for_selector("body[data-connection=live]")
        found = {name: bad for name in states(stage, page) if (bad := complaints(page))}
        page.context.close()
    assert found == {}


@pytest.mark.parametrize("game", ["skull", "skull_king", "skipbo"])
def test_axe_finds_nothing_serious_at_a_card_table(browser, tmp_path, game):
    table = CardTable(tmp_path / "j.sqlite", game, seed=4)
    table.play_until(lambda state: bool(state["turn"]) and state["phase"] in ("bid", "reveal", "play"))
    found = {}
    with page_of(table) as port:
        for scheme, locale in (("dark", "es-MX"), ("light", "en-US")):
            page = open_page(browser, port, locale=locale, color_scheme=scheme)
            page.wait_for_selector(".table")
            found |= {scheme: bad} if (bad := complaints(page)) else {}
            page.context.close()
    assert found == {}


@pytest.mark.parametrize("path", ["screen", "overlay", "join"])
def test_axe_finds_nothing_serious_on_the_other_pages(browser, path):
    stage = Stage()
    scenes.playing(stage)
    scenes.made(stage)
    with served(stage, addresses=lambda: ("http://192.168.1.7:8642/",)) as port:
        page = open_page(browser, port, path, viewport={"width": 1280, "height": 720})
        page.wait_for_selector("#call[data-word=in]" if path != "join" else "figure")
        found = complaints(page)
        page.context.close()
    assert found == []


def test_a_stream_shines_through_the_overlay(browser, tmp_path):
    stage = Stage()
    scenes.playing(stage)
    with served(stage) as port:
        page = open_page(browser, port, "overlay", viewport={"width": 1280, "height": 720}, color_scheme="dark")
        page.wait_for_selector("#call[data-word=out]")
        page.screenshot(path=tmp_path / "overlay.png", omit_background=True)
        page.context.close()
    picture = cv2.imread(str(tmp_path / "overlay.png"), cv2.IMREAD_UNCHANGED)
    assert picture[640, 100, 3] > 0
    assert not picture[:480, :, 3].any()  # all but the lower third
    assert not picture[700:, :, 3].any()


@pytest.mark.parametrize("path", ["", "join"])
def test_the_smallest_phone_needs_no_sideways_scrolling_in_spanish(browser, path):
    stage = Stage()
    scenes.playing(stage)
    with served(stage, addresses=lambda: ("http://192.168.100.107:8642/",)) as port:
        page = open_page(browser, port, path, viewport=SMALL, locale="es-MX")
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
