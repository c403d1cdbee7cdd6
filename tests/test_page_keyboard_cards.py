"""What a player says at a card table, by keyboard and screen reader alone: Skull King's and Skip-Bo's own controls."""

import pytest

from tests.browsing import heard, in_browser
from tests.screen_reader import Reader
from tests.test_page_cards import begun_turn, sit, taken  # noqa: F401 - the fixture

pytestmark = in_browser


@pytest.fixture
def seated(sit):  # noqa: F811 - pytest's way
    """Open a card table, play on until `is_there`, and give it with the reader of a player's phone."""

    def open_table(game, is_there, player=None, **more):
        table, phone = sit(game, **more)
        table.play_until(is_there)
        page = phone(player or table.state["turn"])
        page.wait_for_selector("#own button, #own .hint")
        return table, Reader(page)

    return open_table


def say(table, reader, *controls):
    """Press these one after the other, until an order is taken."""
    before = table.referee.story.row
    heard(reader.page, before)
    for role, name in controls:
        reader.do(role, name)
    taken(table, before)
    heard(reader.page, table.referee.story.row)


def of(table, name):
    return next(one for one in table.state["players"] if one["name"] == name)


def test_a_secret_bid_is_given_and_changed(seated):
    table, reader = seated("skull_king", lambda state: state["phase"] == "bid", "ana")
    say(table, reader, ("button", "^Your bid: 2$"))
    reader.page.wait_for_selector("#own .hint:has-text('Ana: 2.')")
    reader.hear("Ana bids 2")
    reader.stands_on("region", "^Controls$")
    say(table, reader, ("button", "^Your bid: 1$"))
    reader.hear("Ana now bids 1")
    for name in ("bo", "cal", "dee"):
        table.say({"event": "bid", "player": name, "bid": 0}, name)
    assert of(table, "ana")["bid"] == 1


def test_a_load_is_chosen_before_the_first_card(seated):
    options = {"scoring": "rascal", "cannonball": True, "rounds": [2]}
    table, reader = seated("skull_king", lambda state: state["phase"] == "load", "ana", options=options)
    say(table, reader, ("button", "^Cannonball$"))
    assert of(table, "ana")["ready"]
    reader.page.wait_for_selector("#own .hint:has-text('Ana: Cannonball.')")


def test_what_the_tigress_is_is_asked_once_more_and_the_question_is_read_out(seated):
    table, reader = seated("skull_king", lambda state: state["phase"] == "play")
    reader.do("button", "^I play the Tigress$")
    reader.stands_on("group", "If it is the Tigress, say what she is")
    say(table, reader, ("button", "^Tigress: escape$"))
    reader.hear("plays Tigress, escape")
    assert reader.page.evaluate("document.activeElement !== document.body")


def test_a_card_that_the_camera_missed_is_named(seated):
    table, reader = seated("skull_king", lambda state: state["phase"] == "play")
    reader.do("button", "^The camera missed my card$")
    reader.stands_on("heading", "^Which card was it")
    say(table, reader, ("button", "^green 7$"))
    reader.hear("green 7")
    assert not reader.page.evaluate("document.getElementById('sheet').open")


def test_a_turn_of_skipbo_is_drawn_rolled_and_played_from_the_hand_and_the_stock(seated):
    table, reader = seated(
        "skipbo", lambda state: state["phase"] == "play" and state["owed"] and not state["out_of_turn"]
    )
    turn = table.state["turn"]
    say(table, reader, ("button", f"^Cards drawn: {table.state['owed']}$"))
    say(table, reader, ("button", "^Discard 2$"))
    assert table.state["die"]["face"] == "DISCARD2"
    say(table, reader, ("button", "^Play from hand$"), ("button", "^1$"), ("button", "^On pile [1-4]$"))
    assert [pile["top"] for pile in table.state["building"]].count(1) >= 1
    reader.do("button", "^Discard$")
    reader.do("button", "^7$")
    reader.stands_on("heading", "^Which pile|^On which pile")
    assert table.state["turn"] == turn
    reader.go("button", "^Discard pile 4$")  # of the die's two
    say(table, reader, ("button", "^Discard pile 1$"))  # and the turn's last
    assert table.state["turn"] != turn
    assert not reader.page.evaluate("document.getElementById('sheet').open")
