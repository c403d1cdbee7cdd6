"""What it tells of a cap's being there how firmly the fit and the witness hold it.

A true cap has one middle, to which every sector of its rim leads, and of which the witness is sure. A flat spot or a
leaf has none: the sectors scatter, and the witness hesitates. Each tells by a power of how large it is, as in logistic
regression.
"""

from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.odds import times_likelier

FITTED = (
    "by hand, near the likeliest beside the log odds of what was seen before (0.52 to 0.62, 1.0 to 1.9) on 1,900 "
    "places of world=varied 17300 to 17379, 195 of them no caps, half of the streets on photographs; 2026-11-29"
)


@dataclass(frozen=True)
class Firmness(Tuning):
    """From where on a cap is held so loosely that it is likelier none, and how much may follow from that."""

    scatter_mm: float = tuned(
        0.2, title="scatter of a rim's sectors that tells nothing", unit="mm", low=0.01, high=5, source=FITTED
    )
    scatter: float = tuned(0.75, title="power of that scatter", unit="1", low=0, high=5, source=FITTED)
    witness_mm: float = tuned(
        0.8, title="standard error stated by the witness that tells nothing", unit="mm", low=0.1, high=5, source=FITTED
    )
    witness: float = tuned(1.5, title="power of that standard error", unit="1", low=0, high=5, source=FITTED)
    surer: float = tuned(
        4.0,
        title="how many times likelier a cap is, at most, where both hold it firmly",
        unit="1",
        low=1,
        high=100,
        source="by hand, of 1, 2, 4 and 8: more makes no more of these certain",
    )
    doubtful: float = tuned(
        30.0,
        title="how many times less likely a cap is, at most, where neither does",
        unit="1",
        low=1,
        high=100,
        source="by hand: no more than 186 places tell",
    )


FIRMNESS = Firmness()
LEAST_MM = 0.02  # held more firmly than that is not told apart


def cap_share_given(share: float, *, scatter_mm: float, witness_mm: float) -> float:
    """Tell how likely a cap is that was so likely before it was known how firmly fit and witness hold it.

    >>> round(cap_share_given(0.98, scatter_mm=0.1, witness_mm=0.5), 3)
    0.994
    >>> round(cap_share_given(0.98, scatter_mm=0.5, witness_mm=1.5), 3)
    0.906
    """
    by_fit = FIRMNESS.scatter * np.log(FIRMNESS.scatter_mm / max(scatter_mm, LEAST_MM))
    by_witness = FIRMNESS.witness * np.log(FIRMNESS.witness_mm / max(witness_mm, LEAST_MM))
    times = float(np.clip(np.exp(by_fit + by_witness), 1 / FIRMNESS.doubtful, FIRMNESS.surer))
    return float(times_likelier(np.array(share), times))
