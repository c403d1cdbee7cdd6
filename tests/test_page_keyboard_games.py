"""A whole street game and a whole game of Skull by keyboard and screen reader alone."""

import re

import pytest

from tests.browsing import heard, in_browser, is_asked_again
from tests.hosted import take
from tests.refereeing import shot
from tests.screen_reader import Reader
from tests.test_page_cards import sit, taken  # noqa: F401 - the fixture
from tests.test_page_whole_game import Street, table  # noqa: F401 - the fixture

pytestmark = in_browser


def listening(page):
    page.wait_for_selector("#players button, .table")
    return Reader(page)


def new_game(referee, reader):
    reader.do("button", "^More$")
    reader.do("button", "^Host a game$")
    reader.do("button", "^New game$")
    reader.go("button", "^Begin$")
    assert reader.page.evaluate("document.querySelector('#sheet').open")
    reader.press("Enter")
    take(referee, 3)
    reader.stands_on("button", "^More$")


def question(referee, reader):
    """Too close to call: the keyboard is led to it, the answer is a button."""
    turn = referee.story.public["turn"]
    referee.see(shot(turn, "1", certain=False))
    reader.stands_on("heading", "(?i)too close")
    reader.do("button", "^On the line$")
    take(referee, 2)
    reader.hear(f"{turn.capitalize()}: On the line")


def do_over(referee, reader):
    reader.do("button", "^Do-over$")
    reader.do("button", "^Yes, do‑over$")
    take(referee, 2)
    assert [ruling["code"] for ruling in referee.story.entries[-1].rulings] == ["do_over"]
    reader.hear("Do-over")


def undo_and_redo(referee, reader):
    for answer, is_there in (("Cross it out", False), ("Put it back in", True)):
        heard(reader.page, referee.story.row)
        reader.do("button", "^History$")
        reader.press("Tab", "Enter")
        reader.do("button", f"^{answer}$")
        if is_asked_again(reader.page, referee.journal.inbox):
            reader.do("button", "^Do it$")
        take(referee, 2)
        reader.page.wait_for_selector("#sheet:not([open])", state="attached")
        reader.press("Escape")
        reader.go("button", "^History$")
        assert (referee.story.entries[-1].event is not None) == is_there


def a_car(referee, reader):
    reader.do("button", "^More$")
    reader.do("button", "^A car! Pause the game$")
    take(referee, 2)
    reader.hear("Paused")
    reader.do("button", "^The car has passed: go on$")
    take(referee, 2)
    reader.hear("All is well again")


@pytest.mark.takes_turns(seconds=17)
def test_a_whole_street_game_is_hosted_refereed_and_followed_by_keyboard(table):  # noqa: F811 - pytest's way
    referee, phone = table
    reader = listening(phone(""))
    new_game(referee, reader)
    street = Street(referee)
    street.play_until_shot()
    do_over(referee, reader)
    question(referee, reader)
    street.play_until_shot()
    undo_and_redo(referee, reader)
    a_car(referee, reader)
    reader.go("button", "^Sound on$")
    before, heard = len(referee.story.entries), len(reader.heard)
    while not referee.is_over:
        street.play(1)
    reader.hear(f"{referee.story.public['winner'].capitalize()} wins the game")
    assert reader.focus == ("button", "Sound on"), "the game took the keyboard away"
    ruled = [one for one in referee.story.entries[before:] if one.rulings and one.event["event"] in ("shot", "foul")]
    told = [one for one in reader.heard[heard:] if ": " in one.split(". ")[0]]
    assert [one.split(": ")[0].lower() for one in told] == [entry.event["player"] for entry in ruled]


NAMES = {
    "placed": lambda _event: "^My card is down$",
    "bid": lambda event: f"^Your bid: {event['number']}$",
    "pass": lambda _event: "^Pass$",
    "card_lost": lambda _event: "^It is put away$",
    "flip": lambda event: f"^{event['owner'].capitalize()}’s card$",
}
DEED = r"\w+ (puts a card down|bids|passes|turns over)"
SUITS = {"H": "hearts", "D": "diamonds", "C": "clubs", "S": "spades"}
COURT = {"J": "Jack", "Q": "Queen", "K": "King"}


def card_name(code):
    return f"{COURT.get(code[:-1], code[:-1])} of {SUITS[code[-1]]}"


def deeds(table):  # noqa: F811 - what the fixture gives
    """What was done at the table, as it is to be read out."""
    for event in (entry.event for entry in table.referee.story.entries if not entry.refused):
        player, owner = event["player"].capitalize(), event.get("owner", "").capitalize()
        yield {
            "placed": f"{player} puts a card down",
            "bid": f"{player} bids {event.get('number')}",
            "pass": f"{player} passes",
            "flip": f"{player} turns over {owner}’s card: {card_name(event.get('card') or '?S')}",
        }.get(event["event"], "")


def play(event, table, reader):  # noqa: F811 - what the fixture gives
    """Do what Ana does next, at the control that says so; her phone says when it is her turn."""
    before = table.referee.story.row
    heard(reader.page, before)
    reader.do("button", NAMES[event["event"]](event))
    if event["event"] == "flip":
        assert reader.focus[0] == "heading"
        reader.do("button", f"^{card_name(event['card'])}$")
    taken(table, before)
    assert table.referee.story.entries[-1].refused is None


@pytest.mark.takes_turns(seconds=29)
def test_a_whole_game_of_skull_is_played_by_keyboard(sit, monkeypatch):  # noqa: F811 - pytest's way
    monkeypatch.setattr("linesies.web.orders.PATIENCE", 1000)  # bots play faster than people
    table, phone = sit("skull", seed=2)  # noqa: F811
    reader = listening(phone("ana"))
    own = []
    for _ in range(600):
        if table.state["phase"] == "over":
            break
        event = table.bot.event(table.state)
        if event.get("by", event.get("player")) == "ana" and event["event"] in NAMES:
            play(event, table, reader)
            own.append(event["event"])
        else:
            table.say(event, event.get("by") or event["player"])
    assert {"placed", "bid", "flip"} <= set(own)
    winner = table.state["winners"][0] if table.state.get("winners") else table.state["winner"]
    reader.hear(f"{winner.capitalize()} has two points and wins the game!")
    assert [one.split(".")[0] for one in reader.heard if re.match(DEED, one)] == [deed for deed in deeds(table) if deed]
    assert reader.page.evaluate("document.activeElement !== document.body")
