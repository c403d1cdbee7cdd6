"""Simulated people hear the ruling, settle what is asked by what truly happened, and object to what is wrong."""

from linesies.simulator.street.phones import ByPhone
from linesies.vision import Hit
from tests.refereeing import call, codes, shot
from tests.test_games import true_shot


def tell(referee, truth, *seen, thinking_frames=0):
    """Let people wait for the ruling on what happened while the referee sees what he sees; what they ordered."""
    phone = ByPhone(referee.journal.path, thinking_frames=thinking_frames)
    before = referee.story.row
    for one in seen:
        referee.see(one)
    for _frame in phone.tell(truth):
        referee.take_orders()
    rows = referee.journal.rows_after(before)
    return [row.body["order"] for row in rows if row.kind == "order" and row.origin == "street"]


def test_a_right_ruling_needs_no_word(referee):
    assert tell(referee, true_shot("ana", "1", 1.0), shot("ana", "1")) == []
    assert codes(referee) == [["box_made", "shoot_again"]]


def test_a_rest_that_matters_to_nobody_is_not_quarrelled_about(referee):
    assert tell(referee, true_shot("ana", "9", 1.0), shot("ana", "open")) == []


def test_a_wrong_ruling_is_amended(referee):
    assert tell(referee, true_shot("ana", "1", 1.0), shot("ana", "line")) == ["amend"]
    assert codes(referee) == [["box_made", "shoot_again"]]


def test_what_was_missed_is_reported_after_a_while(referee):
    assert tell(referee, true_shot("ana", "1", 1.0)) == ["event"]
    assert codes(referee) == [["box_made", "shoot_again"]]


def test_what_was_invented_is_undone(referee):
    seen = (shot("ana", "1", t_s=1.0), shot("ana", "2", t_s=9.0))
    assert tell(referee, true_shot("ana", "1", 1.0), *seen) == ["undo"]
    assert codes(referee) == [["box_made", "shoot_again"], []]


def test_a_question_is_settled_by_the_truth(referee):
    assert tell(referee, true_shot("ana", "1", 1.0), shot("ana", "line", certain=False)) == ["settle"]
    assert codes(referee) == [["box_made", "shoot_again"]]


def test_a_question_about_the_wrong_shooter_is_settled_by_the_truth(referee):
    seen = shot("bo", "line", hits=["ana"], others=[call("ana", "1")], is_shooter_certain=False)
    truth = true_shot("ana", "1", 1.0, hits=["bo"], bo="line")
    assert tell(referee, truth, seen) == ["settle"]
    assert referee.story.entries[0].event["player"] == "ana"


def test_a_nudge_beside_the_shot_is_said_to_be_nothing(referee):
    nudge = shot("bo", "open", t_s=1.2, is_shooter_certain=False)
    assert tell(referee, true_shot("ana", "1", 1.0), shot("ana", "1"), nudge) == ["settle"]
    assert codes(referee) == [["box_made", "shoot_again"]]


def test_people_think_before_they_answer(referee):
    referee.see(shot("ana", "1", t_s=1.0))
    referee.see(shot("ana", "2", t_s=3.0))
    phone = ByPhone(referee.journal.path, thinking_frames=30)
    unsure = Hit(by="ana", victim="bo", t_s=9.0, is_certain=False)
    referee.see(shot("ana", "open", hits=[unsure], others=[call("bo", "open")], t_s=9.0))
    frames = 0
    for _frame in phone.tell(true_shot("ana", "open", 9.0, hits=["bo"], bo="open")):
        frames += 1
        referee.take_orders()
    assert frames > 30
    assert codes(referee)[-1] == ["hit_bonus", "box_awarded", "shoot_again"]


def test_what_people_say_is_taken_by_the_referee(referee):
    phone = ByPhone(referee.journal.path)
    for _frame in phone.say({"event": "pause"}):
        referee.take_orders()
    assert phone.state()["phase"] == "paused"


def test_a_question_that_stands_before_what_people_say_is_answered_first(referee):
    referee.see(shot("bo", "open", is_shooter_certain=False))
    assert referee.story.pending
    phone = ByPhone(referee.journal.path, thinking_frames=3)
    for _frame in phone.say({"event": "pause"}):
        referee.take_orders()
    assert phone.state()["phase"] == "paused"
    assert codes(referee) == [["paused"]]


def test_people_know_where_caps_lay_in_a_game_that_was_broken_off(referee):
    referee.see(shot("ana", "1"))
    assert ByPhone(referee.journal.path).lies_mm() == {"ana": (1.0, 2.0)}
