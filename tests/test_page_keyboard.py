"""Whole games by keyboard and screen reader alone: every control by its name, every call heard once, no focus lost."""

import re

import pytest

from tests import scenes
from tests.browsing import PHONE, in_browser
from tests.page_server import Stage, served
from tests.screen_reader import Reader, reader_at
from tests.sights import street
from tests.test_page_set_right import taken

pytestmark = in_browser

SHEET = "document.querySelectorAll('#sheet, #sheet *')"


@pytest.fixture
def blind(browser):
    """A stage in the middle of a game, and a reader of its page."""
    stage = Stage()
    scenes.playing(stage)
    with served(stage) as port, reader_at(browser, port) as reader:
        yield stage, reader


def test_two_links_lead_past_the_board(blind):
    _, reader = blind
    reader.press("Tab")
    assert reader.focus == ("link", "To the call")
    reader.press("Enter")
    assert reader.focus[1] == "The call"
    reader.press("Shift+Tab")
    reader.go("link", "To the controls", "Shift+Tab")
    reader.press("Enter", "Tab")
    assert reader.focus == ("button", "Sound on")


def test_the_board_is_one_stop_and_arrows_lead_over_its_caps_and_boxes(blind):
    _, reader = blind
    reader.go("button", "^Ana, between the boxes$")
    reader.press("Tab")
    assert reader.focus[1].startswith("Ana, for box 9"), "not the board any more"
    reader.press("Shift+Tab", "ArrowRight")
    assert reader.focus == ("button", "Bo, in 7")
    reader.do("button", "^Box 13$", "ArrowRight")
    assert reader.focus == ("heading", "Box 13")
    reader.press("Escape")
    assert reader.focus == ("button", "Box 13")
    reader.press("Home")
    assert reader.focus[1].startswith("Ana")


def test_every_call_is_read_out_once_in_its_order_and_what_people_change_about_it(blind):
    stage, reader = blind
    assert reader.heard == []
    scenes.made(stage)
    scenes.on_the_line(stage)
    reader.hear("On the line")
    scenes.corrected(stage)
    reader.hear("Corrected. Ana: In")
    *others, last = stage.story_json()["entries"]
    stage.tell(entries=[*others, {**last, "event": None, "rulings": []}])
    reader.hear("Ana: crossed out")
    told = [one for one in reader.heard if one.startswith(("Ana", "Corrected"))]
    assert [re.split(r"[.:] ", one)[:2] for one in told] == [
        ["Ana", "In"],
        ["Ana", "On the line"],
        ["Corrected", "Ana"],
        ["Ana", "crossed out."],
    ]
    assert "Pipsies +2" in told[0]


def test_trouble_is_read_out_and_that_it_is_over(blind):
    stage, reader = blind
    scenes.camera_lost(stage)
    reader.hear("The camera is gone. Check its cable")
    scenes.playing(stage)
    reader.hear("All is well again")
    assert sum("camera is gone" in one for one in reader.heard) == 1


def test_a_sheet_holds_the_keyboard_and_gives_it_back_though_all_was_drawn_anew(blind):
    stage, reader = blind
    reader.do("button", "^Cal, stuck")
    assert reader.focus == ("heading", "Cal")
    for _ in range(5):
        reader.press("Tab")
        assert reader.page.evaluate(f"[document.body, ...{SHEET}].includes(document.activeElement)")
    scenes.on_the_line(stage)
    reader.hear("On the line")
    reader.press("Escape")
    reader.stands_on("button", "^Cal, stuck")


def test_a_question_leads_whoever_may_answer_to_it_and_back(blind):
    stage, reader = blind
    reader.go("button", "^History$")
    scenes.too_close(stage)
    reader.stands_on("heading", "TOO CLOSE|Too close")
    reader.do("button", "^On the line$")
    assert reader.focus[0] == "heading"
    reader.page.wait_for_selector("#settle .note:has-text('Sent')")
    scenes.on_the_line(stage)
    stage.tell(pending=[])
    reader.stands_on("button", "^History$")
    scenes.too_close(stage)
    reader.stands_on("heading", "TOO CLOSE|Too close")
    reader.press("Escape")
    reader.stands_on("button", "^History$")
    reader.do("button", "^Decide$", "Shift+Tab")
    assert reader.focus[0] == "heading"


def test_a_question_takes_nobody_elses_keyboard(browser):
    stage = Stage()
    scenes.playing(stage)
    with served(stage, may_order=False) as port:
        page = browser.new_page(**PHONE)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#players button")
        reader = Reader(page)
        reader.go("button", "^Sound on$")
        scenes.too_close(stage)
        page.wait_for_selector("#settle[open]")
        assert reader.focus == ("button", "Sound on")
        page.close()


def test_the_history_is_opened_read_and_left_by_keyboard(blind):
    stage, reader = blind
    scenes.made(stage)
    reader.hear("Ana: In")
    reader.do("button", "^History$")
    assert reader.focus[1] == "History"
    reader.press("Tab")
    assert reader.focus[0] == "button"
    assert "Ana makes 9" in reader.focus[1] or "Ana In" in reader.focus[1]
    reader.press("Enter")
    assert reader.focus == ("heading", "Ana: In")
    reader.do("button", "^From 2 to 13 and back 3.2.2")
    assert reader.focus == ("heading", "The rule book")
    reader.press("Escape")
    assert "Ana" in reader.focus[1]
    reader.press("Escape")
    assert reader.focus == ("button", "History")


@pytest.fixture
def box(browser, tmp_path):
    """A refereed street game with others before it, and a reader of its page on which everything may be done."""
    with street(tmp_path) as (referee, port), reader_at(browser, port) as reader:
        yield referee, reader


def test_a_foul_is_told_without_seeing_or_pointing(box):
    referee, reader = box
    reader.do("button", "^More$")
    reader.do("button", "^Say what happened$")
    reader.stands_on("heading", "^Say what happened$")
    reader.do("button", "^A foul$")
    reader.stands_on("heading", "^A foul$")
    reader.do("button", "^Kicked the cap$")
    reader.stands_on("button", "^Kicked the cap$")
    reader.do("button", "^Do it$")
    taken(referee)
    assert referee.story.entries[-1].event["kind"] == "kick"
    reader.hear("Foul")


def test_records_the_podium_and_ones_own_games_are_read_out_and_forgotten(box):
    _, reader = box
    reader.do("button", "^More$")
    reader.do("button", "^Past games$")
    reader.stands_on("heading", "^Past games$")
    reader.do("button", "^Ana wins!")
    reader.stands_on("heading", "^Ana wins!$")
    reader.press("Escape")
    reader.do("button", "^Ana,")
    reader.do("button", "^In all games$")
    reader.stands_on("heading", "^Ana · In all games$")
    reader.do("button", "^Forget them$")
    reader.page.wait_for_selector("#sheet button:has-text('Keep my games')")
    reader.stands_on("dialog", "^Ana · In all games$")


def test_the_rule_book_is_searched_and_opened_by_keyboard(box):
    _, reader = box
    reader.do("button", "^More$")
    reader.do("button", "^The rule book$")
    reader.go("searchbox", "^Search the book$")
    reader.page.keyboard.type("pipsies")
    reader.go("DisclosureTriangle", "^Pipsies")
    reader.press("Escape")
    reader.stands_on("button", "^More$")
