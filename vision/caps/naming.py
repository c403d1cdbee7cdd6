"""Whose cap is which: all candidates at once, each listed cap at most once, so that the whole reading is likeliest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.assignment import pair_up

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose cap a candidate is (its index), and by what log odds the likeliest reading without that is worse."""

    cap: int
    margin: float


def assign(costs: Array) -> list[Owner | None]:
    """Give each candidate (row) its cap (column); None where it is rather nobody's. Costs (S, C) are log odds."""
    owners: list[Owner | None] = [None] * len(costs)
    least, pairs = _cheapest(costs)
    for row, column in pairs:
        otherwise = costs.copy()
        otherwise[row, column] = 0.0
        owners[row] = Owner(cap=column, margin=_cheapest(otherwise)[0] - least)
    return owners


def _cheapest(costs: Array) -> tuple[float, list[tuple[int, int]]]:
    if not costs.size:
        return 0.0, []
    rows, columns = pair_up(np.minimum(costs, 0.0))
    pairs = [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if costs[r, c] < 0]
    return float(sum(costs[pair] for pair in pairs)), pairs
