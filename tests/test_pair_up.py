"""Who goes with whom: as cheap as can be, as scipy finds it too."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from linesies.vision.caps.assignment import pair_up


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (1, 1), (3, 3), (8, 14), (9, 5)])
@pytest.mark.parametrize("is_rough", [False, True])
def test_all_together_cost_as_little_as_can_be(shape, is_rough):
    for seed in range(40):
        costs = np.random.default_rng(seed).normal(size=shape) * 10
        costs = np.round(costs / 6) if is_rough else costs  # many a tie
        rows, columns = pair_up(costs)
        assert costs[rows, columns].sum() == pytest.approx(costs[linear_sum_assignment(costs)].sum())


@pytest.mark.parametrize("shape", [(6, 9), (9, 6)])
def test_each_is_paired_once_and_rows_come_in_order(shape):
    rows, columns = pair_up(np.random.default_rng(5).normal(size=shape))
    assert len(rows) == len(set(columns)) == 6
    assert list(rows) == sorted(set(rows))


def test_one_that_wants_what_another_has_moves_him_on():
    rows, columns = pair_up(np.array([[1.0, 2.0, 9.0], [1.0, 9.0, 9.0], [1.5, 2.2, 3.0]]))
    assert (list(rows), list(columns)) == ([0, 1, 2], [1, 0, 2])


@pytest.mark.parametrize("unknown", [np.nan, np.inf, -np.inf])
def test_a_cost_that_is_no_number_is_the_dearest_and_never_waited_for(unknown):
    costs = np.array([[unknown, 2.0, 3.0], [1.0, unknown, 2.0], [unknown, unknown, unknown]])
    rows, columns = pair_up(costs)
    assert (list(rows), list(columns)) == ([0, 1, 2], [1, 0, 2])
