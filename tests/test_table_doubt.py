import pytest

from linesies import rules
from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.referee.entries import NOTHING
from linesies.referee.referee import Referee
from linesies.referee.table_doubt import table_question
from linesies.vision import TableEvent
from tests.refereeing import SET_UP, quick_journal

SKULL = {"event": "start", "game": "skull", "players": ["ana", "bo"], "options": {"ruleset": "small_shelf"}}
KING = {"event": "start", "game": "skull_king", "players": ["ana", "bo", "cy"], "options": {}}


def public(start, *events):
    game, state, _ = rules.start(start)
    for event in events:
        state = game.apply(state, event)[0]
    return game.public(state)


def seen(kind, **keys):
    return TableEvent(kind=kind, zone="seat:ana", keys=keys, t_start_s=1.0, t_end_s=2.0)


def test_what_is_clear_is_not_asked():
    assert table_question(seen("placed", player="ana"), public(SKULL)) is None
    assert table_question(seen("flip", player="bo", owner="ana", card="7H"), public(SKULL)) is None


def test_of_a_face_that_could_not_be_read_only_rose_or_skull_is_asked():
    asked = table_question(seen("flip", player="ana", owner="ana", card=None), public(SKULL))
    assert [answer["label"] for answer in asked.answers] == ["A flower", "A skull", "Nothing"]
    assert asked.answers[0]["event"]["card"][:-1].isdigit()
    assert asked.answers[1]["event"]["card"][0] == "K"


def test_a_rose_is_taken_for_one_of_its_owners_number():
    events = [{"event": "placed", "player": name} for name in ("ana", "bo", "ana")]
    events += [{"event": "bid", "player": "bo", "number": 3}]
    events += [{"event": "flip", "player": "bo", "owner": "bo", "card": "6S"}]
    events += [{"event": "flip", "player": "bo", "owner": "ana", "card": "4D"}]
    asked = table_question(seen("flip", player="bo", owner="ana", card=None), public(SKULL, *events))
    assert asked.answers[0]["event"]["card"] == "4H"


def test_a_card_of_another_game_is_named_by_people():
    asked = table_question(seen("play", player="ana", card=None), public(KING))
    assert [answer["event"] for answer in asked.answers] == [NOTHING]


def test_the_tigress_is_asked_what_she_is():
    asked = table_question(seen("play", player="ana", card="TIGRESS"), public(KING))
    assert [answer["event"]["as"] for answer in asked.answers] == ["pirate", "escape"]


def test_a_hand_that_could_be_anyones_is_asked_about_the_one_in_turn_first():
    events = [{"event": "deal", "player": "cy", "cards": 1}]
    events += [{"event": "bid", "player": name, "bid": 0} for name in ("ana", "bo", "cy")]
    events += [{"event": "play", "player": "ana", "card": "P7"}]
    asked = table_question(seen("play", player=None, card="C2"), public(KING, *events))
    assert [answer["event"]["player"] for answer in asked.answers] == ["bo", "ana", "cy"]


def test_where_a_card_may_only_have_been_touched_people_may_say_that_it_was_nothing():
    event = TableEvent(
        kind="placed", zone="seat:ana", keys={"player": "ana"}, t_start_s=1.0, t_end_s=2.0, doubt="hard to see"
    )
    asked = table_question(event, public(SKULL))
    assert asked.why == "hard to see"
    assert [answer["event"] for answer in asked.answers] == [event.as_json(), NOTHING]


def skipbo(face):
    events = [{"event": "draw", "player": "ana", "cards": 5}, {"event": "roll", "player": "ana", "face": face}]
    start = {"event": "start", "game": "skipbo", "players": ["ana", "bo"], "options": {"stock": 3}}
    return public(start, *events)


def test_of_a_die_that_could_not_be_read_each_side_is_asked_unless_no_roll_is_due():
    with quick_journal() as path:
        referee = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
        referee.begin(SET_UP, {"event": "start", "game": "skipbo", "players": ["ana", "bo"], "options": {"stock": 3}})
        roll = TableEvent(
            kind="roll", zone="die", keys={"player": "ana", "face": None}, t_start_s=1.0, t_end_s=2.0, doubt="unread"
        )
        answers = referee.see(roll)[-1].body["answers"]
        sides = ["1-4", "5-8", "9-12", "Skip-Bo", "Discard 2", "Others draw 1"]
        assert [one["label"] for one in answers] == [*sides, "Nothing"]
        referee.journal.submit({"order": "settle", "event": answers[3]["event"]}, "street")
        referee.take_orders()
        assert referee.story.public["die"]["face"] == "SB"
        assert [row.kind for row in referee.see(roll)] == ["noted"]
        referee.journal.close()


def test_with_two_more_discards_by_the_die_each_is_asked_about():
    discard = seen("discard", player="ana", card="9", pile=2)
    asked = table_question(discard, skipbo("DISCARD2"))
    assert [answer["event"].get("die", False) for answer in asked.answers] == [True, False]
    assert table_question(discard, skipbo("5-8")) is None


def test_a_wild_card_that_may_lie_on_the_die_is_asked_about():
    play = seen("play", player="ana", card="SB", pile=1, **{"from": "hand"})
    asked = table_question(play, skipbo("1-4"))
    assert [answer["event"].get("die") for answer in asked.answers] == [None, 1]
    assert table_question(play, skipbo("5-8")) is None


@pytest.fixture
def referee():
    with quick_journal() as path:
        referee = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
        referee.begin(SET_UP, SKULL)
        yield referee
        referee.journal.close()


def test_cards_taken_are_noted_and_change_nothing(referee):
    before = referee.story.public
    rows = referee.see(seen("taken", count=2))
    assert [row.kind for row in rows] == ["noted"]
    assert referee.story.public == before


def test_an_unread_flip_waits_for_people_and_goes_on_with_their_word(referee):
    for kind, name in (("placed", "ana"), ("placed", "bo")):
        referee.see(seen(kind, player=name))
    referee.journal.submit({"order": "event", "event": {"event": "bid", "player": "ana", "number": 2}}, "street")
    referee.take_orders()
    referee.see(seen("flip", player="ana", owner="ana", card=None))
    assert len(referee.story.pending) == 1
    referee.journal.submit({"order": "settle"}, "street")
    referee.take_orders()
    assert referee.story.public["flipped"] == 1


def test_a_doubtful_card_that_the_rules_would_refuse_anyway_is_noted_without_a_question(referee):
    referee.see(seen("placed", player="ana"))
    again = TableEvent(
        kind="placed", zone="seat:ana", keys={"player": "ana"}, t_start_s=3.0, t_end_s=4.0, doubt="hard to see"
    )
    assert [row.kind for row in referee.see(again)] == ["noted"]


def test_of_a_doubtful_card_that_the_rules_take_once_people_have_said_more_people_are_asked():
    with quick_journal() as path:
        referee = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
        referee.begin(SET_UP, KING)
        bids = [{"event": "bid", "player": name, "bid": 0} for name in KING["players"]]
        for said in ({"event": "deal", "player": "cy", "cards": 1}, *bids):
            referee.journal.submit({"order": "event", "event": said}, "street")
        referee.take_orders()
        tigress = TableEvent(
            kind="play",
            zone="trick",
            keys={"player": "ana", "card": "TIGRESS"},
            t_start_s=1.0,
            t_end_s=2.0,
            doubt="hard to see",
        )
        answers = referee.see(tigress)[-1].body["answers"]
        assert [one["event"].get("as") for one in answers] == ["pirate", "escape", None]
        referee.journal.submit({"order": "settle", "event": answers[0]["event"]}, "street")
        referee.take_orders()
        assert [one["card"] for one in referee.story.public["table"]] == ["TIGRESS"]
        referee.journal.close()
