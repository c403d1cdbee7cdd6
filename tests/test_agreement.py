"""What a player may order alone, and what needs the agreement of those whom it concerns."""

import pytest

from linesies.device.journal.journal import Journal
from linesies.referee.entries import Held, Proposal
from linesies.referee.folding import story_of
from linesies.referee.rights import concerned
from linesies.referee.snapshot import story_json
from linesies.vision import Hit
from tests.refereeing import codes, shot


def say(referee, who, order, **more):
    referee.journal.submit({"order": order, **more}, f"player:{who}")
    return referee.take_orders()


def referee_says(referee, order, **more):
    referee.journal.submit({"order": order, **more}, "referee:ab12cd")
    return referee.take_orders()


def playing_by(referee, settled_by):
    """Begin anew in a house where close calls are settled so."""
    referee.begin({"appeals": {"settled_by": settled_by}}, dict(referee.story.start))


DO_OVER = {"event": "do_over"}


def test_a_do_over_waits_until_everyone_has_agreed(referee):
    referee.see(shot("ana", "open"))
    say(referee, "ana", "event", event=DO_OVER)
    [motion] = referee.story.motions
    assert (motion.asked, motion.agreed) == (("ana", "bo", "cy"), ("ana",))
    say(referee, "bo", "agree", about=motion.row)
    assert referee.story.public["turn"] == "bo"
    say(referee, "cy", "agree", about=referee.story.motions[-1].row)
    assert codes(referee)[-1] == ["do_over"]
    assert referee.story.motions == ()
    assert referee.story.entries[-1].origin == "players:ana, bo, cy"


def test_who_wants_the_same_agrees_by_wanting_it(referee):
    referee.see(shot("ana", "open"))
    for name in ("ana", "bo", "cy"):
        say(referee, name, "event", event=DO_OVER)
    assert codes(referee)[-1] == ["do_over"]


def test_the_referee_agrees_for_all_and_needs_nobody(referee):
    referee.see(shot("ana", "open"))
    say(referee, "ana", "event", event=DO_OVER)
    referee_says(referee, "agree", about=referee.story.motions[0].row)
    assert codes(referee)[-1] == ["do_over"]
    referee_says(referee, "undo")
    assert codes(referee)[-1] == []


@pytest.mark.parametrize("second", ["bo", "cy"])
def test_a_shooters_own_close_call_needs_an_opponent_who_says_the_same(referee, second):
    referee.see(shot("ana", "1", certain=False))
    held = referee.story.pending[0]
    say(referee, "ana", "settle", about=held.question.row)
    [motion] = referee.story.motions
    assert (motion.asked, motion.agreed) == (("ana", "bo", "cy"), ("ana",))
    assert referee.story.pending, "ana doesn't decide alone what is her own gain"
    say(referee, second, "agree", about=motion.row)
    assert not referee.story.pending
    assert codes(referee)[-1][0] == "box_made"
    assert referee.story.entries[-1].readings[0].by == f"players:ana, {second}"


def test_two_who_read_a_close_call_otherwise_wait_for_a_third(referee):
    referee.see(shot("ana", "1", certain=False))
    about = referee.story.pending[0].question.row
    inside, on_line = (answer["event"] for answer in referee.story.pending[0].question.answers[:2])
    say(referee, "ana", "settle", about=about, event=inside)
    say(referee, "bo", "settle", about=about, event=on_line)
    assert [motion.agreed for motion in referee.story.motions] == [("ana",), ("bo",)]
    say(referee, "cy", "settle", about=about, event=on_line)
    assert codes(referee)[-1] == ["turn_over", "next_turn"]


def test_the_referees_phone_settles_a_close_call_alone(referee):
    referee.see(shot("ana", "1", certain=False))
    referee_says(referee, "settle", about=referee.story.pending[0].question.row)
    assert codes(referee)[-1][0] == "box_made"


@pytest.mark.parametrize(("settled_by", "voices"), [("two", 2), ("all", 3)])
def test_the_house_says_how_many_settle_a_close_call(referee, settled_by, voices):
    playing_by(referee, settled_by)
    referee.see(shot("ana", "1", certain=False))
    about = referee.story.pending[0].question.row
    answer = story_json(referee.story)["pending"][0]["answers"][0]["event"]
    for name in ("ana", "bo", "cy")[:voices]:
        assert codes(referee) == []
        say(referee, name, "settle", about=about, event=answer)
    assert codes(referee)[-1][0] == "box_made"


def test_where_the_house_leaves_close_calls_to_the_referee_no_player_settles_one(referee):
    playing_by(referee, "referee")
    referee.see(shot("ana", "1", certain=False))
    about = referee.story.pending[0].question.row
    assert story_json(referee.story)["pending"][0]["asked"] == []
    say(referee, "ana", "settle", about=about)
    assert story_json(referee.story)["refusal"]["said"]["code"] == "referee_settles"
    assert codes(referee) == []
    referee_says(referee, "settle", about=about)
    assert codes(referee)[-1][0] == "box_made"


def test_both_players_of_a_doubtful_hit_are_asked(referee):
    referee.see(shot("ana", "1", hits=[Hit(by="ana", victim="bo", t_s=1.0, is_certain=False)]))
    say(referee, "ana", "settle", event={"event": "do_over"})
    assert referee.story.motions[0].missing == ("bo",)


CARD = {"event": "play", "player": "ana", "card": None}


@pytest.mark.parametrize(
    ("event", "answers", "asked"),
    [
        (CARD, [{"event": "nothing"}], ("ana",)),
        ({**CARD, "card": "TIGRESS"}, [{**CARD, "card": "TIGRESS", "as": "pirate"}], ("ana",)),
        ({**CARD, "player": None}, [{**CARD, "player": name} for name in ("ana", "cy")], ("ana", "cy")),
        ({"event": "flip", "player": None, "owner": "bo"}, [{"event": "nothing"}], ("bo",)),
        ({"event": "roll", "player": None}, [{"event": "nothing"}], ("ana", "bo", "cy")),
    ],
)
def test_doubt_at_a_card_table_is_for_whoever_played_to_settle(referee, event, answers, asked):
    told = tuple({"label": "", "event": answer} for answer in answers)
    held = Held(row=5, at_s=0.0, origin="vision", event=event, proposal=Proposal(row=6, why="", answers=told))
    assert concerned(held, referee.story) == asked


def test_a_correction_by_a_player_is_for_all_to_agree_to_and_carries_who_and_why(referee):
    referee.see(shot("ana", "line"))
    right = {**referee.story.entries[0].event, "rest": {"ana": "1"}}
    say(referee, "ana", "amend", event=right, why="it was in")
    for name in ("bo", "cy"):
        say(referee, name, "agree", about=referee.story.motions[-1].row)
    [entry] = referee.story.entries
    assert entry.event == right
    assert (entry.readings[-1].by, entry.readings[-1].why) == ("players:ana, bo, cy", "it was in")


def test_one_who_declines_ends_it(referee):
    referee.see(shot("ana", "open"))
    say(referee, "ana", "event", event=DO_OVER)
    say(referee, "cy", "decline", about=referee.story.motions[0].row)
    assert referee.story.motions == ()
    assert codes(referee) == [["turn_over", "next_turn"]]


def test_two_who_agree_at_the_same_moment_both_count(referee):
    referee.see(shot("ana", "open"))
    say(referee, "ana", "event", event=DO_OVER)
    [motion] = referee.story.motions
    for name in ("bo", "cy"):
        referee.journal.submit({"order": "agree", "about": motion.row}, f"player:{name}")
    referee.take_orders()
    assert codes(referee)[-1] == ["do_over"]


def test_what_was_wanted_of_the_last_shot_is_forgotten_with_the_next(referee):
    referee.see(shot("ana", "open"))
    say(referee, "ana", "event", event=DO_OVER)
    referee.see(shot("bo", "open"))
    assert referee.story.motions == ()
    say(referee, "bo", "agree", about=3)
    assert "nobody waits" in referee.story.refusal["message"]


def test_a_pause_needs_nobody(referee):
    say(referee, "cy", "event", event={"event": "pause"})
    assert referee.story.public["phase"] == "paused"


def test_a_stranger_to_the_question_cannot_agree(referee):
    referee.see(shot("ana", "1", hits=[Hit(by="ana", victim="bo", t_s=1.0, is_certain=False)]))
    say(referee, "ana", "settle", about=referee.story.pending[0].question.row)
    say(referee, "cy", "agree", about=referee.story.motions[0].row)
    assert "Cy is not asked" in referee.story.refusal["message"]


def test_what_waits_for_agreement_survives_a_restart(referee):
    referee.see(shot("ana", "open"))
    say(referee, "ana", "event", event=DO_OVER)
    assert story_of(Journal(referee.journal.path)).motions == referee.story.motions
