"""How far each kind of evidence speaks for a supposed card: the weights of a logistic curve."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, numbers_of, tuned

Array = NDArray[np.float64]

LEAST_SHARE = 0.001  # and as much from 1: more than that no net knows

FITTED = "training/finder_exam.py, on drawn scenes that the nets never saw"
RETOLD = "training/card_odds.py, on 10 scenes of each of 13 worlds, seed 89700, and on 89800, 2026-11-30"


@dataclass(frozen=True, kw_only=True)
class OutlineTrust(Tuning):
    """A constant, a weight for each number that `weigh` tells, and one for what a stronger candidate covers too."""

    constant: float = tuned(
        -5.16, title="log odds of a card without evidence", unit="nat", low=-30, high=30, source=FITTED
    )
    votes: float = tuned(5.92, title="how sure its votes are", unit="nat", low=-30, high=30, source=FITTED)
    own: float = tuned(1.62, title="share of it seen as its own", unit="nat", low=-30, high=30, source=FITTED)
    outside: float = tuned(-4.44, title="share of its own outside it", unit="nat", low=-30, high=30, source=FITTED)
    edges_in_sight: float = tuned(
        5.67, title="edges shown of those in sight", unit="nat", low=-30, high=30, source=FITTED
    )
    edges: float = tuned(-1.39, title="edges shown of all", unit="nat", low=-30, high=30, source=FITTED)
    scatter: float = tuned(-1.98, title="how its votes scatter", unit="nat", low=-30, high=30, source=FITTED)
    alike: float = tuned(0.08, title="how like a stronger candidate it is", unit="nat", low=-30, high=30, source=FITTED)

    @property
    def weights(self) -> Array:
        """Give the constant and the seven weights (8,), in the order of the evidence."""
        return np.array([number.value for number in numbers_of(self)])

    def with_weights(self, weights: Array) -> "OutlineTrust":
        """Take a constant and seven weights (8,) in place of these."""
        names = [number.name.partition(".")[2] for number in numbers_of(self)]
        return replace(self, **dict(zip(names, weights.tolist(), strict=True)))


@dataclass(frozen=True, kw_only=True)
class JointTrust(Tuning):
    """How far several tellings of a picture are believed: a constant, and what their mean weighs."""

    constant: float = tuned(
        0.73, title="log odds of a card that half of them tell", unit="nat", low=-30, high=30, source=RETOLD
    )
    mean: float = tuned(
        1.29, title="share of the log odds of how sure they are in the mean", unit="1", low=0, high=5, source=RETOLD
    )


TRUST = OutlineTrust()
JOINT = JointTrust()


def log_odds(share: float) -> float:
    """Take the log odds of a chance, within what any net knows."""
    known = min(max(share, LEAST_SHARE), 1 - LEAST_SHARE)
    return math.log(known / (1 - known))
