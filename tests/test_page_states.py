"""Every state of the page: what is wrong is said, nothing spills over, contrast, themes and stillness are kept."""

import itertools
import math

import pytest

from tests import scenes
from tests.browsing import DESK, PHONE, SMALL, SMALL_TARGETS, UPRIGHT, WIDE, in_browser, still_middle, until, wait_for
from tests.page_server import served

pytestmark = in_browser


def test_the_page_says_that_the_connection_is_lost_and_comes_back_by_itself(stage, browser):
    scenes.playing(stage)
    page = browser.new_page(**PHONE)
    with served(stage) as port:
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#call[data-word=out]")
        stage.is_broken = True
        page.wait_for_selector("body[data-connection=lost]")
    wait_for(page, "#strip", "Connection lost")
    stage.is_broken = False
    scenes.made(stage)
    with served(stage, port):
        page.wait_for_selector("body[data-connection=live]", timeout=60_000)
        page.wait_for_selector("#call[data-word=in]")
    page.close()


def test_the_page_says_when_the_referee_behind_it_has_fallen_silent(stage, opened):
    scenes.playing(stage)
    page = opened()
    page.clock.install()
    page.clock.fast_forward(30_000)
    wait_for(page, "#strip", "The referee is silent")
    stage.moment = {**stage.moment, "t": 2.0, "caps": {"ana": [5, 5]}}
    wait_for(page, "#strip .told", "goes for")


def test_each_state_is_said_in_the_strip(stage, opened):
    page = opened()
    for act, words in (
        (None, "No game yet"),
        (scenes.begun, "Ana"),
        (scenes.camera_moved, "The camera has moved"),
        (scenes.camera_lost, "The camera is gone"),
        (scenes.playing, "goes for"),
        (scenes.paused, "Paused"),
        (scenes.won, "Dee wins!"),
    ):
        if act:
            act(stage)
        wait_for(page, "#strip .told", words)


def test_a_match_that_a_league_calls_here_is_said_by_names_between_games_and_not_in_one(stage, opened):
    page = opened()
    wait_for(page, "#strip .told", "No game yet")
    stage.tell(match={"tournament": 1, "title": "Block party", "match": "K1.1", "players": ["zoe", "yan"]})
    wait_for(page, "#strip .told", "To this board, please! Block party, K1.1")
    assert "Zoe" in page.inner_text("#strip .told")
    scenes.begun(stage)
    wait_for(page, "#strip .told", "Ana")
    scenes.won(stage)
    wait_for(page, "#strip .told", "To this board, please!")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_nothing_needs_sideways_scrolling_in_either_theme(stage, opened, scheme):
    scenes.playing(stage)
    page = opened(color_scheme=scheme, reduced_motion="reduce")
    assert page.get_attribute("html", "data-theme") == {"dark": "dark", "light": "sun"}[scheme]
    for act, word in (
        (scenes.made, "in"),
        (scenes.on_the_line, "line"),
        (scenes.corrected, "in"),
        (scenes.too_close, "close"),
    ):
        act(stage)
        page.wait_for_selector(f"#call[data-word={word}]")
        for viewport in (SMALL, UPRIGHT, WIDE):
            page.set_viewport_size(viewport)
            width, *spilled = page.evaluate(
                "[document.documentElement.scrollWidth,"
                " ...[...document.querySelectorAll('#call .word, #strip, dialog')]"
                ".map((part) => part.scrollWidth - part.clientWidth)]"
            )
            assert width <= viewport["width"]
            assert max(spilled) <= 0, "words are cut off"


def test_a_tap_turns_to_the_sun_theme_and_it_is_remembered(stage, opened):
    scenes.playing(stage)
    page = opened(color_scheme="dark")
    page.tap("#theme")
    page.wait_for_selector("html[data-theme=sun]")
    page.reload()
    assert page.get_attribute("html", "data-theme") == "sun"


def test_the_call_has_seven_to_one_contrast_in_both_themes(stage, opened):
    scenes.playing(stage)
    page = opened(reduced_motion="reduce")
    for act, word in ((scenes.made, "in"), (scenes.on_the_line, "line"), (scenes.too_close, "close")):
        act(stage)
        page.wait_for_selector(f"#call[data-word={word}]")
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            inks = page.evaluate(
                "['.word', '.verdict'].map((part, i) => getComputedStyle(document.querySelector(`#call ${part}`))"
                "[i ? 'backgroundColor' : 'color'].match(/\\d+/g).slice(0, 3).map(Number))"
            )
            assert contrast(*inks) >= 7, (scheme, word, inks)


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(rgb):
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (channel / 255 for channel in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_nothing_moves_for_those_who_ask_for_it(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened(reduced_motion="reduce")
    moving = page.evaluate("document.getAnimations().length")
    assert moving == 0
    assert page.evaluate("getComputedStyle(document.querySelector('.cap')).transitionDuration") == "0s"


PARTS = (
    "#strip .words, #strip .goal, #strip .lamps, #theme, #players li, "
    "#call .word span, #call .numbers > *, #call .look, .tale li"
)
APART = """(parts) => {
  const boxes = [...document.querySelectorAll(parts)].map((one) => [one.className, one.getBoundingClientRect()]);
  const meet = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 1;
  const over = (a, b) => meet(a, b, "left", "right") && meet(a, b, "top", "bottom");
  const others = ([one, a], i) => boxes.slice(i + 1).filter(([, b]) => over(a, b)).map(([other]) => [one, other]);
  return boxes.flatMap(others);
}"""


@pytest.mark.parametrize("size", [(640, 400), (422, 195), (320, 568)])  # enlarged: a laptop, two phones
def test_at_twice_the_size_nothing_overlaps_and_nothing_needs_sideways_scrolling(stage, opened, size):
    scenes.playing(stage)
    page = opened(viewport=dict(zip(("width", "height"), size, strict=True)), reduced_motion="reduce")
    for act, word in ((scenes.made, "in"), (scenes.on_the_line, "line")):
        act(stage)
        page.wait_for_selector(f"#call[data-word={word}]")
        assert page.evaluate(APART, PARTS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


CUT = """(parts) => [...document.querySelectorAll(parts)].filter((one) => {
  const [box, room] = [one.getBoundingClientRect(), one.closest("#call, #strip").getBoundingClientRect()];
  const isBeside = box.left < room.left - 1 || box.right > room.right + 1;
  return box.width > 0 && (isBeside || box.top < room.top - 1 || box.bottom > Math.min(room.bottom, innerHeight) + 1);
}).map((one) => one.className)"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (3840, 2160)])
def test_a_television_cuts_no_line_and_no_cap_of_a_call(stage, opened, size):
    scenes.playing(stage)
    page = opened(**DESK | {"viewport": dict(zip(("width", "height"), size, strict=True))}, locale="es-PR")
    page.goto(page.url + "screen")
    page.wait_for_selector("#call[data-word=out]")  # what comes after the first story is drawn first
    scenes.on_the_line(stage)
    page.wait_for_selector("#call[data-word=line]")
    until(page, "document.querySelector('#show').hidden")
    assert page.evaluate(CUT, "#strip .words, #call .word span, #call .numbers > *, #call .look") == []
    assert page.evaluate(APART, PARTS) == []


@pytest.mark.parametrize("more", [(), ("eve", "fin")])
def test_no_cap_hides_beneath_another_though_all_wait_at_the_start(stage, opened, more):
    scenes.begun(stage)
    names = [*scenes.START["players"], *more]
    stage.tell(game={**scenes.START, "players": names}, state=scenes.state("ana", *map(scenes.player, names)))
    places = scenes.START_PLACES
    stage.moment = scenes.moment({name: list(places.get(name, places["ana"])) for name in names})
    page = opened()
    page.wait_for_selector(".cap .disc")
    until(page, f"document.querySelectorAll('.cap .disc').length === {len(names)}")
    page.wait_for_timeout(700)  # they have glided there
    boxes = [disc.bounding_box() for disc in page.locator(".cap .disc").all()]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    assert min(math.dist(one, other) for one, other in itertools.combinations(middles, 2)) > 0.75 * boxes[0]["width"]


def test_the_way_out_of_a_sheet_stays_in_sight_however_far_it_is_read(stage, opened):
    scenes.playing(stage)
    page = opened(reduced_motion="reduce")
    scenes.made(stage)
    page.tap("#show .skip")
    page.tap(".tale button")
    still_middle(page.locator("#sheet .close"))
    head, first = page.locator("#sheet .head").bounding_box(), page.locator("#sheet .head + *").bounding_box()
    assert head["y"] + head["height"] <= first["y"]
    page.tap("#sheet button:has-text('The whole rule book')")
    page.wait_for_selector("#sheet details[open]")
    still_middle(page.locator("#sheet .close"))
    sheet, close = page.locator("#sheet").bounding_box(), page.locator("#sheet .close").bounding_box()
    assert page.evaluate("document.querySelector('#sheet').scrollTop") > 200
    assert sheet["y"] <= close["y"] <= sheet["y"] + 40
    opened_at, head = page.locator("#sheet details[open]").bounding_box(), page.locator("#sheet .head").bounding_box()
    assert opened_at["y"] >= head["y"] + head["height"]
    page.tap("#sheet .close")
    page.wait_for_selector("#sheet:not([open])", state="attached")


@pytest.mark.parametrize(
    ("size", "least_px"), [((844, 390), 23.5), ((360, 640), 23.5), ((1920, 1080), 38)], ids=["sideways", "small", "far"]
)
def test_caps_are_drawn_as_large_after_a_phone_was_turned_and_larger_where_they_are_seen_from_afar(
    stage, opened, size, least_px
):
    scenes.playing(stage)
    page = opened(viewport=WIDE)
    page.wait_for_selector(".cap .disc")
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    discs = "[...document.querySelectorAll('.cap .disc')].map((one) => one.getBoundingClientRect().width)"
    until(page, f"{discs}.every((width) => width >= {least_px})")


def test_spanish_names_boxes_with_their_article_and_writes_numbers_with_a_point(stage, opened):
    scenes.playing(stage)
    page = opened(locale="es-PR", reduced_motion="reduce")
    scenes.made(stage)
    wait_for(page, "#call .gap", "+1.4 mm")
    wait_for(page, ".tale", "Ana gana la 9")
    wait_for(page, ".tale", "Ana está en la 12, busca la 13")
    page.tap("#show .skip")
    page.tap(".box[data-box='3'] text")
    assert page.inner_text("#sheet-title") == "Casilla 3"
    page.tap("#sheet .close")
    page.tap("#players li:nth-child(1) button")
    assert "busca\nla 13" in page.inner_text("#sheet").lower()


def test_held_sideways_the_call_is_in_sight_beside_the_board(stage, opened):
    scenes.playing(stage)
    page = opened(viewport={"width": 844, "height": 390}, reduced_motion="reduce")
    scenes.on_the_line(stage)
    page.wait_for_selector("#call[data-word=line]")
    word, board, bar = (page.locator(part).bounding_box() for part in ("#call .numbers", "#board", "#bar"))
    assert word["y"] + word["height"] <= bar["y"]
    assert board["x"] + board["width"] <= word["x"] + 1


def test_whatever_a_finger_may_touch_is_44_px_wide_and_high(stage, opened):
    scenes.playing(stage)
    page = opened(reduced_motion="reduce")
    scenes.made(stage)
    page.wait_for_selector("#call[data-word=in]")
    assert page.evaluate(SMALL_TARGETS) == []
    for way in ("#more", "#players li:nth-child(4) button", "#call .look", ".tale button"):
        page.tap(way)
        page.wait_for_selector("#sheet[open]")
        assert page.evaluate(SMALL_TARGETS) == [], way
        page.tap("#sheet .close")
        page.wait_for_selector("#sheet:not([open])", state="attached")
    page.tap("#open-history")
    page.wait_for_selector("#history li")
    assert page.evaluate(SMALL_TARGETS) == []
    scenes.too_close(stage)
    page.wait_for_selector("#settle[open] .answers button")
    assert page.evaluate(SMALL_TARGETS) == []
