"""Looking again for caps that were lost from sight: not too often, and believed when seen twice in one place."""

from itertools import pairwise

from linesies.vision.shots.search import CONFIRM_S, FIRST_S, Search
from linesies.vision.values import Call


def call(player, x):
    return Call(
        player=player, xy_mm=(x, 0.0), diameter_mm=26, location="open", gap_mm=9.0, sigma_mm=0.2, is_certain=True
    )


def looks(search, players, until_s, step_s=0.1):
    """Say at which times one would have looked, when nothing is ever found."""
    times = []
    for i in range(round(until_s / step_s)):
        t_s = i * step_s
        if search.is_due(players, t_s):
            times.append(round(t_s, 1))
            search.see({}, t_s)
    return times


def test_what_is_not_found_is_looked_for_less_and_less_often():
    times = looks(Search(), ["ana"], 60.0)
    assert times[0] == FIRST_S
    pauses = [round(after - before, 1) for before, after in pairwise(times)]
    assert pauses == sorted(pauses)
    assert len(times) < 15


def test_nothing_is_looked_for_while_nothing_is_lost():
    assert looks(Search(), [], 10.0) == []


def test_a_cap_is_there_when_it_is_seen_twice_in_one_place():
    search = Search()
    assert not search.is_due(["ana"], 0.0)
    assert search.is_due(["ana"], 1.0)
    assert search.see({"ana": call("ana", 100.0)}, 1.0) == []
    assert search.is_on_to("ana", 1.1)
    assert not search.is_due(["ana"], 1.1)
    later_s = 1.0 + CONFIRM_S
    assert search.is_due(["ana"], later_s)
    (found,) = search.see({"ana": call("ana", 101.0)}, later_s)
    assert found.xy_mm == (101.0, 0.0)


def test_a_cap_that_is_seen_elsewhere_the_second_time_is_still_in_a_hand():
    search = Search()
    search.is_due(["ana"], 0.0)
    search.see({"ana": call("ana", 100.0)}, 1.0)
    assert search.see({"ana": call("ana", 300.0)}, 1.3) == []
    (found,) = search.see({"ana": call("ana", 301.0)}, 1.6)
    assert found.player == "ana"


def test_what_has_never_been_looked_for_is_looked_for_at_once_when_a_shot_is_to_be_told():
    search = Search()
    assert not search.is_due(["ana"], 0.0)
    assert search.hurry(0.1)
    assert search.is_due(["ana"], 0.1)
    search.see({}, 0.1)
    assert not search.hurry(0.2)
    assert not search.is_due(["ana"], 0.2)
    assert search.is_due(["ana"], 0.4)  # it may have been moving still
