from linesies.referee.rows import Row
from linesies.simulator.whole_games.table import compare_table

START = {"event": "start", "game": "skull", "players": ["ana", "bo"], "options": {"ruleset": "small_shelf"}}
TIMES = {"t": 2.0, "t_start": 1.0, "t_clear": 2.3, "zone": "seat:ana"}


def rows(*told):
    """A journal of a game and of what was seen, each ruled on without a word."""
    written = [Row(id=1, at_s=0.0, origin="referee", kind="start", about=None, body=START)]
    for event in told:
        number = len(written) + 1
        seen = {**event, "certain": True}
        written.append(Row(id=number, at_s=0.0, origin="vision", kind="seen", about=None, body=seen))
        ruled = {"event": event, "rulings": []}
        written.append(Row(id=number + 1, at_s=0.0, origin="referee", kind="ruled", about=number, body=ruled))
    return written


def seen(player, t_end=2.2):
    return {"event": "placed", "player": player, "zone": f"seat:{player}", "t_start": 1.2, "t_end": t_end}


def test_an_event_told_as_it_was_is_equal():
    report = compare_table(rows(seen("ana")), [{**TIMES, "event": "placed", "player": "ana", "pile": 1}])
    assert (report.shots, report.equal, report.differences) == (1, 1, ())


def test_a_misread_player_a_missed_and_an_invented_event_are_told():
    truth = [
        {**TIMES, "event": "placed", "player": "bo", "pile": 1},
        {**TIMES, "t": 9.0, "t_clear": 9.4, "event": "placed", "player": "ana", "pile": 1},
    ]
    report = compare_table(rows(seen("ana"), seen("bo", t_end=5.0)), truth)
    assert report.equal == 0
    causes = [difference.cause for difference in report.differences]
    assert causes == ["player ana, truly bo", "nobody did that (ruled on)", "not seen"]


def test_a_card_from_ones_own_pile_is_told_as_it_was_though_its_owner_is_not_named():
    true = {**TIMES, "event": "flip", "player": "ana", "owner": "ana"}
    told = {"event": "flip", "player": "ana", "zone": "seat:ana", "t_start": 1.2, "t_end": 2.2}
    (difference,) = compare_table(rows({**told, "owner": "bo"}), [true]).differences
    assert difference.cause == "owner bo, truly ana"
    assert "owner" not in "".join(d.cause for d in compare_table(rows(told), [true]).differences)
