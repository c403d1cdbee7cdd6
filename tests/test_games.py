"""A journal is held against the truth of its game: every shot once, with the cause where they differ."""

from dataclasses import replace

from linesies.simulator.whole_games.street import compare
from tests.refereeing import call, shot


def true_shot(player, location, t_s, hits=(), **others):
    places = {player: location, **others}
    rest = {name: {"location": place, "gap": 9.0, "moved": 50.0} for name, place in places.items()}
    hits = [[player, victim] for victim in hits]
    return {"event": "shot", "player": player, "hits": hits, "rest": rest, "t_start": t_s, "t_end": t_s + 1}


def report(referee, *truth):
    return compare(referee.journal.rows_after(0), list(truth))


def causes(told):
    return [difference.cause for difference in told.differences]


def test_shots_ruled_on_as_true_are_equal(referee):
    referee.see(shot("ana", "1", t_s=1.0))
    referee.see(shot("ana", "open", t_s=5.0))
    told = report(referee, true_shot("ana", "1", 1.0), true_shot("ana", "open", 5.1))
    assert (told.shots, told.equal, told.asked, told.corrections) == (2, 2, 0, 0)
    assert causes(told) == []


def test_a_rest_that_changes_no_ruling_makes_no_difference(referee):
    referee.see(shot("ana", "9", t_s=1.0))
    assert report(referee, true_shot("ana", "open", 1.0)).equal == 1


def test_what_people_settled_counts_as_asked(referee):
    referee.see(shot("ana", "1", t_s=1.0, certain=False))
    referee.journal.submit({"order": "settle"}, "street")
    referee.take_orders()
    told = report(referee, true_shot("ana", "1", 1.0))
    assert (told.equal, told.asked) == (1, 1)


def test_a_wrong_ruling_is_told_with_its_cause_and_counted_once(referee):
    rows = referee.see(shot("ana", "line", t_s=1.0))
    right = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}
    referee.journal.submit({"order": "amend", "about": rows[1].id, "event": right}, "street")
    referee.take_orders()
    referee.see(shot("ana", "2", t_s=5.0))
    told = report(referee, true_shot("ana", "1", 1.0), true_shot("ana", "2", 5.0))
    assert (told.shots, told.equal, told.corrections) == (2, 1, 1)
    assert causes(told) == ["ana at line, truly 1 (measured +20.00±0.30 mm, truly +9.00, moved 50 mm)"]


def test_missed_invented_and_misread_shots_are_told_apart(referee):
    referee.see(shot("ana", "1", t_s=1.0))
    referee.see(shot("ana", "2", t_s=9.0))
    hit = replace(shot("ana", "open", hits=["bo"], others=[call("bo", "open")]), t_start_s=20.0, t_end_s=21.0)
    referee.see(hit)
    told = report(
        referee, true_shot("ana", "1", 1.0), true_shot("ana", "open", 15.0), true_shot("ana", "open", 20.0, cy="open")
    )
    assert told.shots == 3
    assert told.equal == 1
    assert causes(told)[:2] == ["nobody did that (ruled on)", "not seen"]
    assert causes(told)[2].startswith("hit bo, truly nobody; bo at open, truly None")


def test_a_refused_shot_is_a_difference_unless_the_truth_is_refused_too(referee):
    for place in ("1", "2"):
        referee.see(shot("ana", place, t_s=1.0))
    referee.see(shot("ana", "open", hits=["bo"], others=[call("bo", "open")], t_s=5.0))
    assert referee.story.public["phase"] == "place"
    referee.see(shot("ana", "4", t_s=9.0))
    told = report(
        referee,
        true_shot("ana", "1", 1.0),
        true_shot("ana", "2", 1.0),
        true_shot("ana", "open", 5.0, hits=["bo"], bo="open"),
        true_shot("ana", "4", 9.0),
    )
    assert told.equal == 4
