"""Which spot is whose cap: pairs of spot and cap are fitted until all that the picture is read by has been tried."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.fit import Fit
from linesies.vision.caps.hypothesis import Stand, common_slope, is_near
from linesies.vision.caps.litter import CLEAR, litter_cost
from linesies.vision.caps.owners import NOBODY, UNLIKELY, Pair, pairs, rivals

Array = NDArray[np.float64]

MOST_TRIED = 18  # fits in a picture: six caps, their rivals, and some litter
MOST_LEFT = 4  # unlikely pairs tried at a time
NAMING_COST, USUAL_MISFIT, NAMING_REACH = 1.2, 0.85, (-0.3, 0.7)  # a unit of misfit tells caps of one place apart
PLAIN, HOPELESS = 1.5, 1.0  # a pair no dearer than that is fitted anyway; so much dearer than nobody, none is
SAME_PLACE = 0.5  # of a radius: outlines nearer than that are no neighbours but readings of one thing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """A cap fitted at a spot: its outline (N, 2) to the pixel, how many neighbours trouble it, and what speaks against.

    `cost` adds to that of naming.
    """

    cap: int
    fit: Fit
    outline_px: Array
    crowd: int
    cost: float


class Trials:
    """Remembers one picture's stands, the slope of its shadows, and what came of each pair that was tried."""

    def __init__(self, stand_of: Callable[[Pair], Stand | None], costs: Array) -> None:
        """Learn the slope of shadows, and what lies beside what, from the cheapest reading of costs (S, C)."""
        self._stand_of, self._costs = stand_of, costs
        likely = pairs(np.minimum(costs, NOBODY))
        self._stands: dict[Pair, Stand | None] = {pair: stand_of(pair) for pair in likely}
        stands = {pair: stand for pair, stand in self._stands.items() if stand is not None}
        self.slope = common_slope(list(stands.values()))
        self._shifts = {pair: stand.seek(self.slope) for pair, stand in stands.items()}
        self._beside = {pair: stand.outline_px(self._shifts[pair]) for pair, stand in stands.items()}
        self.tried: dict[Pair, Trial] = {}

    def settle(self) -> Array:
        """Try what the cheapest reading and its rivals rest on, until nothing new comes up: the costs (S, C) then."""
        settled, done = np.minimum(self._costs, NOBODY), set[Pair]()
        while len(done) < MOST_TRIED:
            owned = pairs(settled)
            wanted = [pair for pair in dict.fromkeys((*owned, *rivals(settled))) if pair not in done]
            wanted = wanted or self._left(owned, done)[:MOST_LEFT]
            if not wanted:
                break
            for pair in wanted:
                done.add(pair)
                trial = self.fit(pair)
                more = np.inf if trial is None else trial.cost
                settled[pair] = min(self._costs[pair] + more, NOBODY)
        return settled

    def _left(self, owned: list[Pair], done: set[Pair]) -> list[Pair]:
        """List unlikely pairs that would give a cap to a spot where both are left over, the likeliest first.

        Straight, or by a swap: the cap left over has another's spot, and that one the spot left over.
        """
        rows, columns = ({pair[i] for pair in owned} for i in (0, 1))
        likely = self._costs < UNLIKELY
        free_rows = [row for row in range(len(self._costs)) if row not in rows]
        left: set[Pair] = set()
        for column in (column for column in range(self._costs.shape[1]) if column not in columns):
            left |= {(row, column) for row in free_rows if likely[row, column]}
            for row, owner in owned:
                ways_out = [(free, owner) for free in free_rows if likely[free, owner]]
                if likely[row, column] and ways_out:
                    left |= {(row, column), *ways_out}
        return sorted(left - done, key=lambda pair: float(self._costs[pair]))

    def fit(self, pair: Pair) -> Trial | None:
        """Fit a cap at a spot beside its neighbours; None outside the picture, and where it is plainly litter."""
        if pair not in self._stands:
            self._stands[pair] = self._stand_of(pair)
        stand = self._stands[pair]
        if stand is None:
            return None
        shift = self._shifts[pair] if pair in self._shifts else stand.seek(self.slope)
        own = stand.outline_px(shift)
        others = (other for (spot, _), other in self._beside.items() if spot != pair[0])
        taken = tuple(other for other in others if is_near(own, other) and not _is_same(own, other))
        is_clear = stand.cap.kind in CLEAR
        cost = float(self._costs[pair])
        if cost > PLAIN and cost + stand.shape_cost(shift, is_clear=is_clear, taken=taken) > NOBODY + HOPELESS:
            return None
        fit = stand.fit(shift, self.slope, taken)
        litter = litter_cost(fit, is_clear=is_clear, taken=taken)
        naming = NAMING_COST * float(np.clip(fit.misfit - USUAL_MISFIT, *NAMING_REACH))
        trial = Trial(cap=pair[1], fit=fit, outline_px=own, crowd=len(taken), cost=litter + naming)
        self.tried[pair] = trial
        return trial


def _is_same(one_px: Array, other_px: Array) -> bool:
    radius_px = 0.25 * float(np.ptp(one_px, axis=0).mean() + np.ptp(other_px, axis=0).mean())
    return float(np.hypot(*(one_px.mean(axis=0) - other_px.mean(axis=0)))) < SAME_PLACE * radius_px
