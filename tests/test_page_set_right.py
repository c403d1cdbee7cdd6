"""Set right on a phone's glass: taps are counted from the page as it lies in the hand to what the referee wrote."""

import time
from contextlib import contextmanager

import pytest

from linesies.device.phones.phones import Phones
from linesies.vision import Call, Hit, Shot
from tests.browsing import PHONE, Finger, in_browser, is_asked_again, still_middle, until
from tests.card_games import CardTable, page_of
from tests.refereeing import quick_journal, referee_on
from tests.scenes import set_up
from tests.thorough import cases

pytestmark = in_browser

MOST_TAPS, MOST_TOGETHER = 5, 7  # of whoever sets it right, and with those of the players who then agree
REFEREE, PLAYERS, AT_THE_TABLE = ("",), ("ana", "bo", "cy"), ("ana", "bo", "cal")


def people(seats):
    return "players who agree" if len(seats) > 1 else "the referee"


by_whom = pytest.mark.parametrize("seats", cases([PLAYERS], more=[REFEREE]), ids=people)
by_whom_at_the_table = pytest.mark.parametrize("seats", cases([REFEREE], more=[AT_THE_TABLE]), ids=people)
SPOTS = {
    "1": (150, 150),
    "3": (1700, 150),
    "7": (1700, 1060),
    "open": (900, 450),
    "line": (305, 150),
    "2": (1700, 1700),
}


def call(player, location):
    x, y = SPOTS[location]
    gap = -3.0 if location == "line" else 40.0
    return Call(
        player=player, xy_mm=(x, y), diameter_mm=26.0, location=location, gap_mm=gap, sigma_mm=0.3, is_certain=True
    )


def shot(player, location, **others):
    hits = tuple(Hit(by=player, victim=victim, t_s=1.0) for victim in others)
    calls = (call(player, location), *(call(victim, at) for victim, at in others.items()))
    return Shot(player=player, hits=hits, calls=calls, t_start_s=1.0, t_end_s=2.0)


class Hand:
    """A finger on one phone, which counts its taps and drags."""

    def __init__(self, page):
        self.page, self.taps = page, 0
        self._finger = Finger(page)

    def tap(self, selector, text=None, nth=0):
        place = self.page.locator(selector, has_text=text) if text else self.page.locator(selector)
        place.nth(nth).wait_for()
        self._finger.tap_at(*still_middle(place.nth(nth)))
        self.taps += 1

    def drag(self, cap, region):
        start = self.page.locator(f"#sheet .ground [data-cap={cap}] .disc")
        end = self.page.locator(f'#sheet .ground [data-box="{region}"] text')
        start.wait_for()
        spots = []
        for place in (start, end):
            box = place.bounding_box()
            spots.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        self._finger.drag(*spots)
        self.taps += 1

    def newest_entry(self):
        self.tap("#open-history")
        self.tap("#history li:first-child button")


@contextmanager
def phones_at(browser, referee, tmp_path, seats):
    """Open a phone for each seat, "" being the referee's, on a page over that referee; gives their hands by seat."""

    class Table:
        pass

    table = Table()
    table.referee = referee
    phones = Phones(tmp_path / "phones.sqlite")
    contexts = []
    with page_of(table, doorkeeper=phones) as port:
        hands = {}
        for seat in seats:
            context = browser.new_context(**PHONE)
            contexts.append(context)
            page = context.new_page()
            page.set_default_timeout(60_000)
            code = phones.codes(referee.story.players)[seat]
            page.goto(f"http://127.0.0.1:{port}/#seat={code}")
            page.wait_for_selector(f"html[data-role*='{seat or 'referee'}']")
            until(page, f"Number(document.body.dataset.row || 0) >= {referee.story.row}")
            hands[seat] = Hand(page)
        yield hands
        for context in contexts:
            context.close()


def taken(referee, patience_s=60.0):
    """Let the referee take what the phones ordered; fails if nothing came."""
    before, until_s = referee.story.row, time.monotonic() + patience_s
    while referee.story.row == before and time.monotonic() < until_s:
        referee.take_orders()
        time.sleep(0.01)
    assert referee.story.row > before


def standing(referee, name, key):
    return next(one[key] for one in referee.story.public["players"] if one["name"] == name)


@pytest.fixture
def street():
    """A referee over the drawn board, where nothing was played."""
    with quick_journal() as path:
        referee = referee_on(path)
        caps = [{"player": name, "colour": "#c0392b", "diameter": 26} for name in ("ana", "bo", "cy")]
        referee.redraw({**set_up(), "caps": caps})
        yield referee


def changes(hand):
    hand.page.wait_for_selector("#sheet .would")
    return hand.page.inner_text("#sheet .would")


def something_else(hand):
    """Open the sheet on which all of the newest call can be said otherwise."""
    hand.newest_entry()
    hand.tap("#sheet .answers button", "Something else")
    hand.page.wait_for_selector("#sheet .result .first")  # under which the sheet moves up


def missed_shot(hand):
    """Say that a shot of whoever's turn it was is missing before the newest call, and that it ended in no box."""
    hand.newest_entry()
    hand.tap("#sheet .answers button", "A shot before it was not seen")
    hand.tap("#sheet .field button", "In no box")


@contextmanager
def set_right(browser, referee, tmp_path, seats):
    """Let the first seat's phone set something right, and all others agree, within the taps that may take."""
    with phones_at(browser, referee, tmp_path, seats) as hands:
        first, *others = seats
        yield hands[first]
        taken(referee)
        for name in others:
            hands[name].tap("#settle .answers button", "I agree")
            taken(referee)
        assert hands[first].taps <= MOST_TAPS
        assert sum(hand.taps for hand in hands.values()) <= MOST_TOGETHER


@by_whom
def test_a_missed_shot_is_put_in(browser, tmp_path, street, seats):
    street.see(shot("bo", "1"))
    assert standing(street, "bo", "skip") == 1
    with set_right(browser, street, tmp_path, seats) as hand:
        missed_shot(hand)
        told = changes(hand)
        assert "Bo goes for 2, not 1" in told
        assert "no longer out of turn" in told
        hand.tap("#sheet .result button", "Call the rest again")
    assert [entry.event["player"] for entry in street.story.entries] == ["ana", "bo"]
    assert standing(street, "bo", "going_for") == "2f"
    assert standing(street, "bo", "skip") == 0


def test_what_came_since_is_kept(browser, tmp_path, street):
    street.see(shot("bo", "1"))
    with phones_at(browser, street, tmp_path, [""]) as hands:
        hand = hands[""]
        missed_shot(hand)
        hand.tap("#sheet .result button", "Keep the rest as it is")
        until(hand.page, "!document.querySelector('#sheet .would').innerText.includes('Bo')")
        assert "Ana: between the boxes, not behind the start line" in changes(hand)
        hand.tap("#sheet .result button", "Do only that")
        taken(street)
    assert standing(street, "ana", "at") == "open"
    assert standing(street, "bo", "skip") == 1


@pytest.fixture
def hit(street):
    """A shot of ana's, the third, that hit bo's cap into box 7."""
    for seen in (shot("ana", "1"), shot("ana", "2"), shot("ana", "open", bo="7")):
        street.see(seen)
    return street


@by_whom
def test_another_was_hit(browser, tmp_path, hit, seats):
    with set_right(browser, hit, tmp_path, seats) as hand:
        hand.newest_entry()
        hand.tap("#sheet .answers button", "Hit Cy, not Bo")
        assert "Cy" in changes(hand)
        hand.tap("#sheet .answers button", "Do it")
    assert hit.story.entries[-1].event["hits"] == [["ana", "cy"]]


@by_whom
def test_it_was_the_other_cap_that_hit(browser, tmp_path, hit, seats):
    with set_right(browser, hit, tmp_path, seats) as hand:
        something_else(hand)
        hand.tap('#sheet [data-field="player"] button', "Bo")
        told = changes(hand)
        assert "Ana" in told
        assert "Bo" in told
        hand.tap("#sheet .result button", "Do it")
    event = hit.story.entries[-1].event
    assert (event["player"], event["hits"], event["rest"]) == ("bo", [["bo", "ana"]], {"bo": "open", "ana": "7"})


@by_whom
def test_a_victim_is_dragged_to_where_it_came_to_rest(browser, tmp_path, hit, seats):
    with set_right(browser, hit, tmp_path, seats) as hand:
        something_else(hand)
        hand.drag("bo", "3")
        assert "Bo" in changes(hand)
        hand.tap("#sheet .result button", "Do it")
    assert hit.story.entries[-1].event["rest"]["bo"] == "3"


@pytest.fixture
def revealed(tmp_path):
    """A table of Skull at which a card has just been turned over."""
    table = CardTable(tmp_path / "skull.sqlite", "skull", players=AT_THE_TABLE, options={"ruleset": "small_shelf"})
    table.play_until(lambda state: state["phase"] == "reveal")
    table.step()
    return table.referee


@by_whom_at_the_table
def test_a_misread_card_is_named(browser, tmp_path, revealed, seats):
    last = revealed.story.entries[-1]
    was = last.event["card"]
    card, label = ("4D", "4 of diamonds") if was != "4D" else ("6D", "6 of diamonds")
    with set_right(browser, revealed, tmp_path, seats) as hand:
        hand.newest_entry()
        hand.tap("#sheet .answers button", "Another card")
        hand.tap(f"#sheet .pick:has(svg[aria-label='{label}'])")
        hand.tap("#sheet .answers button.first")
    assert revealed.story.entry(last.row).event["card"] == card


@by_whom_at_the_table
def test_a_card_that_nobody_played_is_taken_away(browser, tmp_path, revealed, seats):
    last = revealed.story.entries[-1]
    with set_right(browser, revealed, tmp_path, seats) as hand:
        hand.newest_entry()
        hand.tap("#sheet .answers button", "Cross it out")
        if is_asked_again(hand.page, revealed.journal.inbox):
            hand.tap("#sheet .result .first")
    assert revealed.story.entry(last.row).event is None


def test_a_foul_is_told_and_shown_before_it_counts(browser, tmp_path, street):
    street.see(shot("ana", "1"))
    with set_right(browser, street, tmp_path, REFEREE) as hand:
        hand.tap("#more")
        hand.tap("#sheet button", "Say what happened")
        hand.tap("#sheet button", "A foul")
        hand.tap("#sheet .field button", "Kicked the cap")
        assert "It is Bo’s turn, not Ana’s" in changes(hand)
        hand.tap("#sheet .result button", "Do it")
    assert street.story.public["turn"] == "bo"
