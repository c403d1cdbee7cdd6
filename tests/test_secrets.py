"""What a phone may not know is in no byte that it is sent: hidden bids and loads, permuted and compared."""

import itertools
import json
import re

import pytest

from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.device.phones.phones import Phones
from linesies.device.serving.webapp import JournalFace
from linesies.referee.folding import story_of
from linesies.referee.referee import Referee
from linesies.referee.snapshot import story_json
from linesies.web import create_app
from tests.refereeing import quick_journal
from tests.test_pairing import joined

NAMES = ["ana", "bo", "cy"]
START = {
    "event": "start",
    "game": "skull_king",
    "players": NAMES,
    "options": {"scoring": "rascal", "cannonball": True},
}
DEAL = {"event": "deal", "player": "cy", "cards": 1}


def bids(values):
    return [{"event": "bid", "player": name, "bid": bid} for name, bid in values]


def loads(values):
    return [{"event": "load", "player": name, "load": load} for name, load in values]


@pytest.fixture
def played():
    """Play events by orders from the players' phones; gives the journal."""
    with quick_journal() as path:
        journals = []

        def play(events, after=()):
            number = len(journals)
            referee = card_referee(path.with_name(f"{number}.sqlite"))
            for event in events:
                referee.journal.submit({"order": "event", "event": event}, f"player:{event['player']}")
                referee.take_orders()
            for order, origin in after:
                referee.journal.submit(order, origin)
                referee.take_orders()
            journals.append(referee.journal)
            return referee.journal

        yield play


def card_referee(path):
    referee = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
    referee.begin({"board": {"size": [1, 1], "regions": []}, "lines": [], "caps": []}, START)
    return referee


def told(journal, seats=()):
    return without_times(json.dumps(story_json(story_of(journal), seats)))


HIDDEN = list(itertools.product([0, 1], repeat=2))


@pytest.mark.parametrize("seats", [(), ("cy",), ("bo",), ("ana", "cy")])
def test_whatever_others_bid_in_secret_a_phone_is_sent_the_same_bytes(played, seats):
    given = set()
    for ana, bo in HIDDEN:
        known = {name: bid for name, bid in (("ana", ana), ("bo", bo)) if name in seats}
        given.add((tuple(known.items()), told(played([DEAL, *bids([("ana", ana), ("bo", bo)])]), seats)))
    assert len({text for _, text in given}) == len({key for key, _ in given}), "only his own bid tells stories apart"


def test_loads_are_as_secret_as_bids_and_both_are_known_once_all_are_in(played):
    all_bids = [DEAL, *bids([("ana", 0), ("bo", 1), ("cy", 1)])]
    shot, ball = (loads([("ana", load)]) for load in ("grapeshot", "cannonball"))
    assert told(played([*all_bids, *shot])) == told(played([*all_bids, *ball]))
    assert '"bid": 1' in told(played(all_bids))
    assert told(played([*all_bids, *shot]), ("ana",)) != told(played([*all_bids, *ball]), ("ana",))


def test_an_undone_or_refused_bid_stays_secret(played):
    undo = ({"order": "undo"}, "referee:x")
    again = [bids([("ana", bid)])[0] for bid in (0, 1)]
    assert told(played([DEAL, again[0]], [undo])) == told(played([DEAL, again[1]], [undo]))
    assert told(played([DEAL, again[0], again[0]])) == told(played([DEAL, again[0], again[1]]))


def test_the_bids_of_a_round_that_somebody_left_stay_secret_till_the_game_is_over(played):
    def left(bid, *leavers):
        events = [DEAL, *bids([("ana", bid)]), *({"event": "leave", "player": name} for name in leavers)]
        return told(played(events))

    assert left(0, "bo") == left(1, "bo")
    assert left(0, "bo", "cy") != left(1, "bo", "cy")


def test_who_joins_while_bids_are_secret_is_sent_none_of_them(played):
    def seen(bid, *seats):
        join = ({"order": "event", "event": {"event": "join", "player": "di"}}, "referee:x")
        return told(played([DEAL, *bids([("ana", bid)])], [join]), seats)

    assert seen(0, "di") == seen(1, "di")
    assert seen(0, "ana") != seen(1, "ana")


def test_who_has_joined_is_told_his_own_bid_and_nobody_else_is(played):
    def seen(bid, seat):
        join = ({"order": "event", "event": {"event": "join", "player": "di"}}, "referee:x")
        then = [({"order": "event", "event": event}, "referee:x") for event in (DEAL, *bids([("di", bid)]))]
        return told(played([], [join, *then]), (seat,))

    assert seen(0, "di") != seen(1, "di")
    assert seen(0, "ana") == seen(1, "ana")


def test_a_correction_of_a_secret_bid_that_waits_for_agreement_tells_nothing(played):
    def wanted(bid):
        amend = {"order": "amend", "event": {"event": "bid", "player": "ana", "bid": bid}}
        return played([DEAL, *bids([("ana", 0)])], [(amend, "player:ana")])

    assert told(wanted(0)) == told(wanted(1))
    assert told(wanted(0), ("ana",)) != told(wanted(1), ("ana",))


def test_every_page_and_the_feed_keep_the_secret(played, tmp_path):
    answers = []
    for bid in (0, 1):
        journal = played([DEAL, *bids([("ana", bid)])])
        phones = Phones(tmp_path / f"{bid}.sqlite")
        app = create_app(JournalFace(journal), journal.submit, dict, doorkeeper=phones)
        client = app.test_client()
        joined(client, phones, "bo")
        feed = client.get("/feed")
        chunks = iter(feed.response)
        texts = [client.get("/story").text, *(next(chunks).decode() for _ in range(2))]
        feed.close()
        answers.append([without_times(text) for text in texts])
    assert answers[0] == answers[1]


def without_times(text):
    return re.sub(r'"at": ?[\d.]+', "", text)


LAST_BID = {"event": "bid", "player": "cy", "bid": 0}


def orders_on(journal):
    """Orders of all kinds that a phone may ask about before it gives them, some of which would end the secrecy."""
    rows = [entry.row for entry in story_of(journal).entries]
    events = [
        LAST_BID,
        {"event": "change_bid", "player": "bo", "bid": 1},
        {"event": "deal", "player": "cy", "cards": 1},
        {"event": "leave", "player": "bo"},
        {"event": "join", "player": "di"},
    ]
    for event in events:
        yield {"order": "event", "event": event}
        for row in rows:
            yield {"order": "insert", "about": row, "event": event}
            yield {"order": "amend", "about": row, "event": event}
    yield from ({"order": kind, "about": row} for kind in ("undo", "redo") for row in rows)


def test_no_preview_tells_what_others_bid_in_secret(played):
    answers = set()
    for ana, bo in HIDDEN:
        face = JournalFace(played([DEAL, *bids([("ana", ana), ("bo", bo)])]))
        answers.add(json.dumps([face.preview(order) for order in orders_on(face.journal)]))
    assert len(answers) == 1


def test_how_things_stood_before_an_entry_tells_no_secret(played):
    answers = set()
    for ana, bo in HIDDEN:
        face = JournalFace(played([DEAL, *bids([("ana", ana), ("bo", bo)])]))
        rows = [entry.row for entry in face.story().entries]
        assert len(rows) == 3
        answers.add(json.dumps([face.standing_before(row) for row in rows]))
    assert len(answers) == 1


def test_a_missed_event_that_waits_for_agreement_tells_no_secret(played):
    def wanted(bid):
        journal = played([DEAL])
        deal = story_of(journal).entries[0]
        event = {"event": "bid", "player": "ana", "bid": bid}
        return played([DEAL], [({"order": "insert", "about": deal.row, "event": event}, "player:ana")])

    assert told(wanted(0)) == told(wanted(1))


def test_a_preview_tells_standings_again_once_the_bids_are_known(played):
    face = JournalFace(played([DEAL, *bids([("ana", 0), ("bo", 1), ("cy", 1)])]))
    last = face.story().entries[-1]
    would = face.preview({"order": "amend", "about": last.row, "event": {**LAST_BID, "bid": 0}})
    assert [one["name"] for one in would["players"]] == ["cy"]
