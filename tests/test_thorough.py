"""Slow tests take turns that cost alike, and each has its turn."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.thorough import TURNS, dealt_out

FILES = st.dictionaries(st.text(min_size=1), st.floats(0.1, 300.0))


@given(FILES)
def test_each_file_has_one_turn_and_always_the_same(seconds):
    turns = dealt_out(seconds)
    assert sum(turns, Counter()) == seconds
    assert sum(len(turn) for turn in turns) == len(seconds)
    assert dealt_out(dict(reversed(seconds.items()))) == turns


@given(FILES)
def test_no_turn_is_longer_than_another_by_more_than_one_file(seconds):
    sums_s = [turn.total() for turn in dealt_out(seconds)]
    assert max(sums_s) - min(sums_s) <= max(seconds.values(), default=0.0) + 1e-6


def test_the_turns_of_these_tests_cost_alike(turns_s):
    assert len(turns_s) == TURNS
    assert min(turns_s) > 0.95 * max(turns_s), turns_s
