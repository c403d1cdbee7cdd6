"""Appeals: each player has so many, who was right keeps his, a wrong one costs what the house has."""

import msgspec
import pytest

from linesies.referee.folding import story_of
from linesies.referee.orders import House
from linesies.referee.snapshot import story_json
from tests.refereeing import SET_UP, START, codes, player, quick_journal, referee_on, shot
from tests.test_agreement import referee_says, say

IN_ONE = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}


def seated(path, **house):
    """A referee whose players have appeals as the house says; ana has just missed box 1."""
    referee = referee_on(path)
    referee.begin({**SET_UP, "appeals": msgspec.to_builtins(House(**house))}, START)
    referee.see(shot("ana", "line"))
    return referee


@pytest.fixture
def referee():
    with quick_journal() as path:
        yield seated(path, each=1)


def appeal(referee, who="ana", **more):
    row = referee.story.entries[0].row
    say(referee, who, "appeal", **({"about": row, "event": IN_ONE} | more))
    return referee.story.motions[-1].row if referee.story.motions else None


def left(referee):
    return story_json(referee.story)["appeals"]["left"]


def test_the_referee_upholds_it_and_the_call_is_put_right(referee):
    row = appeal(referee, why="the picture shows a gap")
    referee_says(referee, "agree", about=row)
    entry = referee.story.entries[0]
    assert [ruling["code"] for ruling in entry.rulings] == ["box_made", "shoot_again"]
    assert (entry.readings[-1].by, entry.readings[-1].why) == ("referee:ab12cd", "the picture shows a gap")
    assert left(referee)["ana"] == 1
    assert referee.story.motions == ()


def test_a_wrong_one_is_used_up_and_there_is_no_other(referee):
    referee_says(referee, "decline", about=appeal(referee))
    assert codes(referee)[0] == ["turn_over", "next_turn"]
    assert left(referee) == {"ana": 0, "bo": 1, "cy": 1}
    assert appeal(referee) is None
    assert "no appeal left" in referee.story.refusal["message"]


def test_most_of_the_others_decide_and_one_may_change_his_mind(referee):
    row = appeal(referee)
    say(referee, "bo", "decline", about=row)
    say(referee, "bo", "agree", about=row)
    [open_one] = referee.story.motions
    assert (open_one.agreed, open_one.declined) == (("ana", "bo"), ())
    say(referee, "cy", "agree", about=row)
    assert referee.story.motions == ()
    assert player(referee, "ana")["made"] == "1f"
    assert referee.story.entries[0].readings[-1].by == "players:ana, bo, cy"


def test_where_the_others_are_split_the_call_stands_and_nothing_is_lost(referee):
    row = appeal(referee)
    say(referee, "bo", "agree", about=row)
    say(referee, "cy", "decline", about=row)
    assert player(referee, "ana")["made"] is None
    assert left(referee)["ana"] == 1
    [told] = story_json(referee.story)["entries"][0]["appeals"]
    assert (told["by"], told["outcome"], told["is_lost"]) == ("ana", "split", False)


def test_it_is_told_who_decided_it(referee):
    row = appeal(referee)
    for name in ("bo", "cy"):
        say(referee, name, "decline", about=row)
    [told] = story_json(referee.story)["entries"][0]["appeals"]
    assert (told["outcome"], told["decided_by"]) == ("stands", "players:bo, cy")


def test_one_against_a_call_that_is_put_right_meanwhile_is_let_go_and_not_lost(referee):
    row = appeal(referee)
    say(referee, "bo", "undo", about=referee.story.entries[0].row)
    assert len(referee.story.motions) == 2
    referee_says(referee, "amend", about=referee.story.entries[0].row, event=IN_ONE)
    assert referee.story.motions == ()
    referee_says(referee, "decline", about=row)
    assert left(referee)["ana"] == 1
    assert referee.story.entries[0].event == IN_ONE


def test_who_appealed_may_take_it_back_at_no_cost(referee):
    say(referee, "ana", "decline", about=appeal(referee))
    assert referee.story.motions == ()
    assert left(referee)["ana"] == 1


def test_nobody_decides_his_own(referee):
    row = appeal(referee)
    say(referee, "ana", "agree", about=row)
    assert [motion.row for motion in referee.story.motions] == [row]
    assert player(referee, "ana")["made"] is None


def test_it_may_say_that_something_never_happened(referee):
    referee_says(referee, "agree", about=appeal(referee, event=None))
    assert referee.story.entries[0].event is None
    assert player(referee, "ana")["at"] == "start"


def test_a_wrong_one_may_cost_the_next_turn():
    with quick_journal() as path:
        referee = seated(path, each=1, wrong="turn")
        referee_says(referee, "decline", about=appeal(referee))
        assert player(referee, "ana")["skip"] == 1
        assert referee.story.entries[-1].origin == "settings"
        for name in ("bo", "cy"):
            referee.see(shot(name, "open"))
        assert referee.story.public["turn"] == "bo"


def test_a_wrong_one_may_cost_nothing():
    with quick_journal() as path:
        referee = seated(path, each=1, wrong="nothing")
        referee_says(referee, "decline", about=appeal(referee))
        assert left(referee)["ana"] == 1


def test_a_house_without_appeals_hears_none():
    with quick_journal() as path:
        assert appeal(seated(path, each=0)) is None


def test_each_appeal_stands_in_the_journal_with_who_and_why(referee):
    row = appeal(referee, why="look at the picture")
    say(referee, "bo", "decline", about=row)
    say(referee, "cy", "decline", about=row)
    rows = [row for row in referee.journal.rows_after(0) if row.kind == "order"]
    assert [(one.origin, one.body["order"]) for one in rows] == [
        ("player:ana", "appeal"),
        ("player:bo", "appeal"),
        ("player:cy", "deny"),
    ]
    assert rows[-1].body["why"] == "look at the picture"
    assert rows[-1].body["appeal"] == {"by": "ana", "outcome": "stands", "is_lost": True, "costs_turn": False}
    assert story_of(referee.journal).appeals == referee.story.appeals


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({"about": 999}, "no call to appeal against"),
        ({"about": None}, "no call to appeal against"),
        ({"event": "in"}, "got `str` - at `$.event`"),
    ],
)
def test_what_makes_no_sense_is_said(referee, order, why):
    assert appeal(referee, **order) is None
    assert why in referee.story.refusal["message"]


def test_one_call_is_appealed_against_once_at_a_time_and_the_referee_needs_none(referee):
    appeal(referee)
    appeal(referee, who="bo")
    assert "made already" in referee.story.refusal["message"]
    referee_says(referee, "appeal", about=referee.story.entries[0].row)
    assert "only a player appeals" in referee.story.refusal["message"]


def test_a_new_game_begins_with_all_appeals_and_may_change_the_house(referee):
    referee_says(referee, "decline", about=appeal(referee))
    start = {**START, "players": ["ana", "bo"]}
    referee.begin({**referee.story.set_up, "caps": [{"player": "ana"}, {"player": "bo"}]}, start)
    assert left(referee) == {"ana": 1, "bo": 1}
    referee_says(referee, "new_game", start=start, appeals={"each": 3, "wrong": "turn"})
    told = story_json(referee.story)["appeals"]
    assert told == {"each": 3, "wrong": "turn", "settled_by": "two", "people_first": False, "left": {"ana": 3, "bo": 3}}
    referee_says(referee, "new_game", start=start, appeals={"each": -1, "wrong": "turn"})
    assert "appeals" in referee.story.refusal["message"]
