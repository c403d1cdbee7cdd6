"""A tap means what lay under the finger as it came down, whatever is drawn meanwhile; focus stays."""

import pytest

from tests import scenes
from tests.browsing import PHONE, Finger, heard, in_browser, ordered, still_middle, until
from tests.page_server import Stage, served

pytestmark = in_browser


@pytest.fixture
def page(browser):
    stage = Stage()
    scenes.playing(stage)
    with served(stage) as port:
        page = browser.new_page(**PHONE)
        page.set_default_timeout(60_000)
        page.clock.install()
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#players button")
        yield stage, page
        page.close()


def press(page, selector):
    """Put a finger on an element and leave it there; gives the finger."""
    finger = Finger(page)
    finger.down(*still_middle(page.locator(selector)))
    return finger


def stop_timers(page):
    """Let no timer of the page run out, however long this machine takes for what follows."""
    page.clock.pause_at(page.evaluate("Date.now()") + 3000)


def test_a_tap_that_falls_into_the_redrawing_is_not_lost(page):
    stage, page = page
    stop_timers(page)
    finger = press(page, "#players li:nth-child(2) button")
    page.evaluate("document.querySelector('#players li').isOld = true")
    scenes.on_the_line(stage)
    page.wait_for_timeout(400)
    assert page.evaluate("document.querySelector('#players li').isOld")
    page.clock.resume()
    finger.up()
    page.wait_for_selector("#sheet[open] h2:has-text('Bo')")
    heard(page, stage.last_id())
    assert not page.evaluate("document.querySelector('#players li').isOld")


def test_what_is_told_of_the_moment_draws_nothing_anew_under_a_finger(page):
    stage, page = page
    stop_timers(page)
    finger = press(page, "#players li:nth-child(2) button")
    page.evaluate("document.querySelector('#strip .lamps').firstChild.isOld = true")
    stage.moment = scenes.moment(signals={"buzzer": "on"})
    page.wait_for_timeout(400)
    assert page.evaluate("document.querySelector('#strip .lamps').firstChild.isOld")
    page.clock.resume()
    finger.up()
    until(page, "!document.querySelector('#strip .lamps').firstChild.isOld")


def test_a_finger_that_rests_on_the_glass_holds_nothing_up_for_long(page):
    stage, page = page
    finger = press(page, "#board")
    scenes.on_the_line(stage)
    heard(page, stage.last_id())
    finger.up()


def test_a_sheet_that_slides_under_the_thumb_takes_no_tap_at_first(page):
    stage, page = page
    page.evaluate("document.styleSheets[0].insertRule('#settle .answers { animation-duration: 60s !important }')")
    scenes.too_close(stage)
    page.wait_for_selector("#settle[open]")
    answers = "document.querySelector('#settle .answers')"
    box = page.locator("#settle .answers button").first.bounding_box()
    Finger(page).tap_at(box["x"] + 20, box["y"] + 20)
    page.evaluate(f"{answers}.getAnimations().forEach((one) => one.finish())")
    assert page.inner_text("#settle .note") == ""
    page.tap("#settle .answers button >> nth=0")
    page.wait_for_selector("#settle .note:has-text('Sent')")
    assert len(ordered(stage)) == 1


TAKES = "getComputedStyle(document.querySelector('#settle .answers')).pointerEvents"


def test_answers_stay_awake_when_their_question_is_told_anew(page):
    stage, page = page
    scenes.too_close(stage)
    page.tap("#settle[open] .answers button >> nth=0", trial=True)  # which waits until it takes taps
    page.evaluate("document.styleSheets[0].insertRule('#settle .answers { animation-duration: 0.7s !important }')")
    page.evaluate("document.querySelector('#settle .answers').isOld = true")
    scenes.agreed_to_too_close(stage)
    page.wait_for_selector("#settle .tally")
    assert not page.evaluate("document.querySelector('#settle .answers').isOld")
    assert page.evaluate(TAKES) == "auto"


def test_another_question_in_the_same_sheet_takes_no_tap_at_first(page):
    stage, page = page
    scenes.too_close(stage)
    page.tap("#settle[open] .answers button >> nth=0", trial=True)
    page.evaluate("document.styleSheets[0].insertRule('#settle .answers { animation-duration: 60s !important }')")
    scenes.too_close(stage)
    heard(page, stage.last_id())
    until(page, f"{TAKES} === 'none'", patience_s=30)  # not at once where the machine draws no picture just then
    slid_ms = -page.evaluate("parseFloat(document.querySelector('#settle .answers').style.animationDelay)")
    assert slid_ms < 700  # counted from this question's coming, not from the one before


def test_focus_stays_on_what_is_drawn_anew(page):
    stage, page = page
    page.focus("#players li:nth-child(3) button")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    scenes.on_the_line(stage)
    heard(page, stage.last_id())
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == label


def test_a_question_put_off_is_opened_again_by_its_button(page):
    stage, page = page
    scenes.too_close(stage)
    page.wait_for_selector("#settle[open]")
    assert page.is_hidden("#decide")
    page.tap("#settle .close")
    page.tap("#decide")
    page.wait_for_selector("#settle[open] .answers button")
    page.tap("#settle .close")
    stage.tell(pending=[])
    page.wait_for_selector("#decide", state="hidden")
