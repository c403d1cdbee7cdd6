"""A shot that nobody saw is put where it belongs: what came after it is ruled on anew, or kept as it was."""

import pytest

from linesies.referee.folding import story_of
from linesies.referee.preview import preview
from tests.refereeing import shot

MISSED = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}


def order_of(referee, order, origin="referee:ab12cd"):
    referee.journal.submit(order, origin)
    referee.take_orders()


def standing(story, name, key):
    return next(player[key] for player in story.public["players"] if player["name"] == name)


def codes(entry):
    return [ruling["code"] for ruling in entry.rulings]


@pytest.fixture
def out_of_turn(referee):
    """Ana's first shot is missed, and so Bo's two shots are ruled to be out of turn; gives the referee."""
    referee.see(shot("bo", "1"))
    referee.see(shot("bo", "open"))
    assert standing(referee.story, "bo", "skip") == 2
    return referee


def test_a_missed_shot_takes_back_the_turns_that_the_others_lost(out_of_turn):
    first = out_of_turn.story.entries[0]
    missed = {**MISSED, "rest": {"ana": "open"}}
    order = {"order": "insert", "about": first.row, "event": missed}
    would = preview(out_of_turn.story, order)
    assert (would["entries"], would["in_turn"], would["out_of_turn"], would["refused"]) == (2, 2, 0, None)
    told = {one["name"]: one for one in would["players"]}
    assert told["bo"]["before"]["skip"] == 2
    assert told["bo"]["after"] == {"made": "1f", "going_for": "2f", "skip": 0}
    order_of(out_of_turn, order)
    story = out_of_turn.story
    assert [one.event["player"] for one in story.entries] == ["ana", "bo", "bo"]
    assert "box_made" in codes(story.entries[1])
    assert standing(story, "bo", "skip") == 0
    assert story.entries[0].before == first.row


def test_a_story_with_a_missed_shot_is_the_same_when_it_is_told_anew(out_of_turn):
    first = out_of_turn.story.entries[0]
    order_of(out_of_turn, {"order": "insert", "about": first.row, "event": {**MISSED, "rest": {"ana": "open"}}})
    inserted = out_of_turn.story.entries[0]
    order_of(out_of_turn, {"order": "amend", "about": inserted.row, "event": MISSED})
    again = story_of(out_of_turn.journal)
    assert again.public == out_of_turn.story.public
    assert [(one.row, one.rulings, one.refused) for one in again.entries] == [
        (one.row, one.rulings, one.refused) for one in out_of_turn.story.entries
    ]
    assert again.differs == frozenset()


def test_what_came_since_may_be_kept(out_of_turn):
    first = out_of_turn.story.entries[0]
    would = preview(out_of_turn.story, {"order": "insert", "about": first.row, "event": MISSED})
    keep = would["keep"]
    assert keep["event"] == {"event": "correct", "players": {"ana": {"at": "1", "going_for": "2f"}}}
    assert [one["name"] for one in keep["players"]] == ["ana"]
    order_of(out_of_turn, {"order": "event", "event": keep["event"]})
    assert standing(out_of_turn.story, "ana", "going_for") == "2f"
    assert standing(out_of_turn.story, "bo", "skip") == 2, "what came since stands"


def test_a_missed_shot_that_the_rules_refuse_changes_nothing(out_of_turn):
    first = out_of_turn.story.entries[0]
    wrong = {**MISSED, "hits": [["cy", "bo"]]}
    order = {"order": "insert", "about": first.row, "event": wrong}
    assert preview(out_of_turn.story, order)["refused"]
    order_of(out_of_turn, order)
    assert len(out_of_turn.story.entries) == 2
    assert out_of_turn.story.refusal["code"] == "bad_hits"


def test_players_put_a_missed_shot_in_by_agreement(out_of_turn):
    first = out_of_turn.story.entries[0]
    order = {"order": "insert", "about": first.row, "event": MISSED}
    order_of(out_of_turn, order, "player:ana")
    assert len(out_of_turn.story.entries) == 2
    for name in ("bo", "cy"):
        [motion] = out_of_turn.story.motions
        order_of(out_of_turn, {"order": "agree", "about": motion.row}, f"player:{name}")
    assert out_of_turn.story.entries[0].origin == "players:ana, bo, cy"


def test_the_preview_of_an_event_of_now_tells_what_it_changes(referee):
    referee.see(shot("ana", "1"))
    foul = {"event": "foul", "player": "ana", "kind": "kick"}
    would = preview(referee.story, {"order": "event", "event": foul})
    assert would["turn"] == ["ana", "bo"]
    assert preview(referee.story, {"order": "event", "event": {"event": "resume"}})["refused"]
