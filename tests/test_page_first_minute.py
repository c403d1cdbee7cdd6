"""The first minute: what is made ready is said, whoever is new is shown round once, letters are explained by names."""

import time

import pytest

from tests import scenes
from tests.browsing import DESK, UPRIGHT, Finger, in_browser, text, until, wait_for

pytestmark = in_browser


@pytest.fixture
def newcomer(opened):
    """A phone that has never been here."""

    def first_seen(**settings):
        page = opened(**settings)
        page.evaluate("() => { localStorage.clear(); localStorage.setItem('isNew', '1'); }")
        page.reload()
        page.wait_for_selector("body[data-connection=live]")
        return page

    return first_seen


def test_while_a_street_is_made_ready_the_page_says_what_and_how_long_and_what_calls_mean(stage, opened):
    stage.moment = scenes.moment(doing={"what": "street", "begun": time.time(), "about_s": 600.0})
    page = opened()
    wait_for(page, "#strip", "A street is being chalked")
    said = text(page, "#strip .words")
    assert "No game yet" not in said
    left = "Number(document.querySelector('#strip .words').textContent.match(/about (\\d+) s/)[1])"
    first = page.evaluate(left)
    assert 400 < first <= 600
    until(page, f"{left} < {first}")
    assert page.locator("#call .legend dt").all_inner_texts() == ["IN", "ON THE LINE", "TOO CLOSE"]
    assert page.locator("#board .nothing.of-street").count() == 1
    scenes.begun(stage)
    wait_for(page, "#strip", "Ana’s turn")
    assert page.locator("#call .legend").count() == 0


def test_what_takes_longer_than_expected_is_not_counted_below_nothing(stage, opened):
    stage.moment = scenes.moment(doing={"what": "table", "begun": time.time() - 60, "about_s": 15.0})
    page = opened(locale="es-MX")
    wait_for(page, "#strip", "enseguida")


def test_while_a_table_is_laid_the_page_tells_of_cards_and_not_of_paint(stage, opened):
    stage.moment = scenes.moment(doing={"what": "table", "begun": time.time(), "about_s": 15.0})
    page = opened()
    wait_for(page, "#strip", "A table is being laid")
    assert page.locator("#call .legend dt").all_inner_texts() == ["IT COUNTS", "OUT OF TURN", "WHICH CARD?"]
    assert "paint" not in page.locator("#call").inner_text()
    assert page.locator("#board .nothing.of-table .card.back").count() == 1
    stage.moment = scenes.moment(doing={"what": "street", "begun": time.time(), "about_s": 15.0})
    page.wait_for_selector("#board .nothing.of-street")
    assert page.locator("#board .nothing").count() == 1
    page.wait_for_selector("#call .legend:has-text('On the line')")


def test_three_balloons_lead_a_newcomer_by_touch_and_never_come_again(stage, newcomer):
    scenes.playing(stage)
    page = newcomer()
    finger = Finger(page)
    for part, word in (("strip", "Whose turn"), ("board", "glows"), ("call", "green is in")):
        page.wait_for_selector(f"#guide[data-at={part}]:has-text('{word}')")
        box, balloon = page.locator(f"#{part}").bounding_box(), page.locator("#guide").bounding_box()
        assert balloon["y"] >= box["y"] + box["height"] or balloon["y"] + balloon["height"] <= box["y"]
        assert balloon["y"] >= 0
        assert balloon["y"] + balloon["height"] <= UPRIGHT["height"]
        finger.tap("#guide .first")
    page.wait_for_selector("#guide", state="detached")
    page.reload()
    page.wait_for_selector(".cap")
    page.wait_for_timeout(300)
    assert page.locator("#guide").count() == 0


def test_the_guide_stands_back_while_people_are_asked_and_is_ended_by_escape(stage, newcomer):
    scenes.playing(stage)
    page = newcomer()
    page.wait_for_selector("#guide")
    scenes.too_close(stage)
    page.wait_for_selector("#guide", state="hidden")
    stage.tell(pending=[])
    page.wait_for_selector("#guide:not([hidden])")
    page.focus("#guide .first")
    page.keyboard.press("Enter")
    page.wait_for_selector("#guide[data-at=board]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#guide", state="detached")


@pytest.mark.parametrize("path", ["screen", "overlay"])
def test_a_television_and_a_stream_are_shown_no_guide(stage, newcomer, path):
    scenes.playing(stage)
    page = newcomer(**DESK)
    page.goto(page.url + path)
    page.wait_for_selector("#call[data-word=out]")
    page.wait_for_timeout(200)
    assert page.locator("#guide").count() == 0


LOCKS = """() => {
  window.locks = [];
  const request = async (kind) => {
    const lock = { kind, released: false, release: async () => { lock.released = true; } };
    window.locks.push(lock);
    return lock;
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
}"""


def test_a_secure_page_keeps_the_phone_awake_during_a_game_and_no_longer(stage, opened):
    page = opened()
    page.evaluate(LOCKS)
    scenes.playing(stage)
    until(page, "window.locks.length === 1 && !window.locks[0].released")
    scenes.won(stage)
    until(page, "window.locks[0].released")


def test_a_page_that_is_not_secure_plays_a_film_of_nothing_from_the_first_tap_on(stage, opened):
    scenes.playing(stage)
    page = opened()
    page.evaluate("Object.defineProperty(navigator, 'wakeLock', { value: undefined })")
    stage.tell(state=None)
    scenes.playing(stage)
    page.wait_for_selector(".cap")
    page.tap("#open-history")
    until(page, "document.body.dataset.awake === 'film'")
    scenes.won(stage)
    page.wait_for_selector("body > video", state="detached")
