"""Before a correction counts it is told whose standing it changes; and then it changes just that."""

from linesies.referee.preview import preview
from tests.refereeing import shot


def order_of(referee, order):
    referee.journal.submit(order, "referee:ab12cd")
    referee.take_orders()


def going_for(story):
    return {player["name"]: player["going_for"] for player in story.public["players"]}


def test_a_preview_names_each_player_whose_standing_changes_and_then_it_does(referee):
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "open"))
    referee.see(shot("bo", "1"))
    [made, *_] = referee.story.entries
    order = {"order": "undo", "about": made.row}
    would, before = preview(referee.story, order), going_for(referee.story)
    assert referee.story.entries[0].event is not None, "a preview changes nothing"
    order_of(referee, order)
    after = going_for(referee.story)
    told = {player["name"]: (player["before"], player["after"]) for player in would["players"]}
    moved = {name for name in after if after[name] != before[name]}
    assert moved == {name for name, (_, now) in told.items() if "going_for" in now} == {"ana"}
    assert told["ana"][0]["going_for"] == before["ana"]
    assert told["ana"][1]["going_for"] == after["ana"]


def test_a_preview_counts_later_calls_that_become_out_of_turn(referee):
    referee.see(shot("ana", "open"))
    referee.see(shot("bo", "open"))
    referee.see(shot("cy", "open"))
    first = referee.story.entries[0]
    would = preview(referee.story, {"order": "undo", "about": first.row})
    assert would["entries"] >= 1
    assert would["out_of_turn"] >= 1


def test_of_an_order_that_corrects_nothing_there_is_no_preview(referee):
    for order in ({"order": "undo", "about": 999}, {"order": "nonsense"}, {"order": "test"}):
        assert preview(referee.story, order) is None
