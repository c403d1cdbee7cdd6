"""Looking again for caps that were lost from sight: not too often, and believed when seen twice in one place."""

from itertools import pairwise

from linesies.vision.shots.search import SEARCH, Search
from linesies.vision.values import Call


def call(player, x):
    return Call(
        player=player, xy_mm=(x, 0.0), diameter_mm=26, location="open", gap_mm=9.0, sigma_mm=0.2, is_certain=True
    )


def looks(until_s, step_s=0.1):
    """Say at which times one would have looked, when nothing is ever found."""
    search, times = Search.begun(0.0), []
    for i in range(round(until_s / step_s)):
        t_s = i * step_s
        if search.is_due(t_s):
            times.append(round(t_s, 1))
        search, _ = search.after(None, t_s)
    return times


def test_what_is_not_found_is_looked_for_less_and_less_often():
    times = looks(60.0)
    assert times[0] == SEARCH.first_s
    pauses = [round(after - before, 1) for before, after in pairwise(times)]
    assert pauses == sorted(pauses)
    assert len(times) < 15


def test_a_cap_is_there_when_it_is_seen_twice_in_one_place():
    search = Search.begun(0.0)
    assert not search.is_due(0.0)
    assert search.is_due(1.0)
    search, found = search.after(call("ana", 100.0), 1.0)
    assert found is None
    assert search.has_glimpsed(1.1)
    assert not search.is_due(1.1)
    later_s = 1.0 + SEARCH.confirm_s
    assert search.is_due(later_s)
    search, found = search.after(call("ana", 101.0), later_s)
    assert found.xy_mm == (101.0, 0.0)
    assert not search.has_glimpsed(later_s)


def test_a_cap_that_is_seen_elsewhere_the_second_time_is_still_in_a_hand():
    search = Search.begun(0.0)
    search, found = search.after(call("ana", 100.0), 1.0)
    assert found is None
    search, found = search.after(call("ana", 300.0), 1.3)
    assert found is None
    _, found = search.after(call("ana", 301.0), 1.6)
    assert found.player == "ana"


def test_what_the_judge_says_before_a_look_is_due_is_not_weighed():
    search = Search.begun(0.0)
    assert search.after(call("ana", 100.0), 0.1) == (search, None)


def test_what_has_never_been_looked_for_is_looked_for_at_once_when_a_shot_is_to_be_told():
    search = Search.begun(0.0).hurried(0.1)
    assert search.is_due(0.1)
    search, _ = search.after(None, 0.1)
    assert search.hurried(0.2) == search
    assert not search.is_due(0.2)
    assert search.is_due(0.4)  # it may have been moving still
