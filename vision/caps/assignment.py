"""Who goes with whom, for the least cost of all together.

By shortest augmenting paths (Jonker and Volgenant 1987, as scipy's `linear_sum_assignment` does it), in a few lines
of our own: scipy's would cost a box a tenth of its memory, for a dozen caps.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]


def pair_up(costs: NDArray[Any]) -> tuple[Places, Places]:
    """Choose one column a row, or one row a column where these are fewer: the rows, ascending, and their columns.

    Of `costs` (N, M) one that is not finite says nothing, and is dearer than all others together.
    """
    costs = np.asarray(costs, float)
    is_known = np.isfinite(costs)
    if not is_known.all():
        costs = np.where(is_known, costs, 1.0 + 2.0 * np.abs(costs[is_known]).sum())
    if costs.shape[0] > costs.shape[1]:
        columns, rows = pair_up(costs.T)
        order = np.argsort(rows)
        return rows[order], columns[order]
    if not costs.size:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    row_price, column_price = costs.min(axis=1), np.zeros(costs.shape[1])
    row_of = np.full(costs.shape[1], -1)
    column_of = np.full(costs.shape[0], -1)
    for row, column in enumerate(costs.argmin(axis=1)):
        if row_of[column] < 0:  # most rows have a favourite of their own
            row_of[column], column_of[row] = row, column
    for late in np.flatnonzero(column_of < 0):
        _add(int(late), costs, (row_price, column_price), (row_of, column_of))
    return np.arange(costs.shape[0]), column_of


def _add(
    first: int, costs: NDArray[Any], prices: tuple[NDArray[Any], NDArray[Any]], pairs: tuple[Places, Places]
) -> None:
    """Give one more row a column, moving others along the cheapest path to a free one."""
    (row_price, column_price), (row_of, column_of) = prices, pairs
    cheapest = np.full(costs.shape[1], np.inf)
    came_from = np.full(costs.shape[1], -1)
    is_done = np.zeros(costs.shape[1], bool)
    row, cost, column = first, 0.0, -1
    while row >= 0:
        reached = cost + costs[row] - row_price[row] - column_price
        is_better = ~is_done & (reached < cheapest)
        cheapest[is_better], came_from[is_better] = reached[is_better], row
        column = int(np.argmin(np.where(is_done, np.inf, cheapest)))
        cost, is_done[column], row = float(cheapest[column]), True, int(row_of[column])
    row_price[first] += cost
    moved = np.flatnonzero(is_done & (row_of >= 0))
    row_price[row_of[moved]] += cost - cheapest[moved]
    column_price[is_done] -= cost - cheapest[is_done]
    while row != first:
        row = int(came_from[column])
        row_of[column], column_of[row], column = row, column, int(column_of[row])
