"""Where a cap stands, all told: what the fit found and what the witness says, each by how far off it may be.

Both are weighed by their covariances. Where they are further apart than these allow, the covariance grows by as much
(the ratio of Birge, "The Calculation of Errors by the Method of Least Squares", 1932): one of the two is misled, and
nobody knows which. And what misleads one may mislead both, as a shadow as dark as the cap does: the more the witness
doubts, the harder a cap is to see, so that a share of its doubt stays however well the fit agrees.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.cap import Cap, Kind
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.placing import Placing

Array = NDArray[np.float64]

SET_BY = (
    "by training/caps/sigma.py, a tenth wider than came out, on two public worlds, the third, and "
    "seven scenes of world=varied (1720 to 1752), 2026-11"
)


BY_KIND = (
    "by hand, so that 95 to 97 in a hundred truths lie in the band: of 1,852 calls on 135 streets of world=varied "
    "(17500 to 17744) and of the third world; 96 to 97 then on 50 that set nothing (17600 to 17624, 17760 to 17784), "
    "the public scenes and 445 caps in play (certain_calls, varied 15190 to 15194); by likelihood "
    "(training/caps/sigma.py) 0.65 to 0.73 for crowns and lids, 0.99 for rings, 0.86 for glides, 2026-11-29"
)


@dataclass(frozen=True)
class WitnessDoubt(Tuning):
    """How far the witness may be relied on, by itself and beside the fit."""

    times: float = tuned(
        1.8, title="how many times as far off the witness is as it says", unit="1", low=1, high=5, source=SET_BY
    )
    together: float = tuned(
        1.1, title="how many times as far off as two that err apart", unit="1", low=1, high=3, source=SET_BY
    )
    common: float = tuned(
        0.45,
        title="of how far off the witness says it is, what misleads the fit alike",
        unit="1",
        low=0,
        high=3,
        source="by hand, of 0 to 0.7, for the band on two public worlds and 29 scenes of world=varied, 2026-11-25",
    )


def _kind(times: float, kind: str) -> float:
    title = f"how many times as far off as both say, {kind}"
    return tuned(times, title=title, unit="1", low=0.2, high=5, source=BY_KIND)


@dataclass(frozen=True)
class KindDoubt(Tuning):
    """How far off each kind's place is beside what fit and witness say of it: most caps less, a ring of glass more."""

    crown: float = _kind(0.8, "a crown")
    crown_upturned: float = _kind(0.85, "an upturned crown")
    lid: float = _kind(0.95, "a lid")
    lid_open: float = _kind(0.8, "an open lid")
    ring: float = _kind(1.15, "a ring of glass")
    glide: float = _kind(0.95, "a steel glide")
    untold: float = tuned(1.0, title="likewise an untold kind", unit="1", low=0.2, high=5, source=BY_HAND)

    def of(self, kind: Kind | None) -> float:
        """Give that of a kind."""
        times: float = getattr(self, kind or "untold")
        return times


WITNESS_DOUBT, KIND_DOUBT = WitnessDoubt(), KindDoubt()


def corroborated(found: Placing, said: Placing | None, kind: Kind | None) -> Placing:
    """Weigh what the fit found and what the witness says, where one was asked, of a cap of some kind."""
    if said is None:
        return found
    both = weighed(found, said, WITNESS_DOUBT)
    return replace(both, covariance_mm2=KIND_DOUBT.of(kind) ** 2 * both.covariance_mm2)


def is_vague(found: Placing, said: Placing, towards_mm: Array, diameter_mm: float) -> bool:
    """Tell whether fit or witness hardly says where a cap stands along a way (2,), so that it bears none other out."""
    is_hardly_fitted = found.sigma_mm(towards_mm) > CERTAINTY.vague * diameter_mm
    return is_hardly_fitted or said.sigma_mm(towards_mm) > CERTAINTY.witness_mm


def leaves_side_open(found: Placing, said: Placing, gap_mm: float, towards_mm: Array, cap: Cap) -> bool:
    """Tell whether a cap whose place fit or witness hardly says lies so near to paint that it may be on either side."""
    return abs(gap_mm) <= CERTAINTY.far_mm and is_vague(found, said, towards_mm, cap.diameter_mm)


def weighed(found: Placing, said: Placing, doubt: WitnessDoubt) -> Placing:
    """Put what was found and what the witness said together."""
    apart_mm = said.xy_mm - found.xy_mm
    precision = np.linalg.inv(found.covariance_mm2 + doubt.times**2 * said.covariance_mm2)
    gain = found.covariance_mm2 @ precision
    dispute = max(float(apart_mm @ precision @ apart_mm) / len(apart_mm), 1.0)
    both_mm2 = found.covariance_mm2 - gain @ found.covariance_mm2
    apart_mm2 = doubt.together**2 * dispute * (both_mm2 + both_mm2.T) / 2
    return Placing(
        xy_mm=found.xy_mm + gain @ apart_mm,
        covariance_mm2=apart_mm2 + doubt.common**2 * said.covariance_mm2,
    )
