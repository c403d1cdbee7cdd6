"""What luma and the paint's mix of colours tell of the same lines, put together.

How wide paint reads in each is reckoned (`overreach.py`), but never quite as this camera stored it, and the two err
apart: yellow on concrete came out a millimetre too wide in luma and half of one too narrow in the mix. So both count,
each by how surely it knows its edges, and how far apart they lie is doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.edges import Edges
from linesies.calibration.surveying import Surveyed
from linesies.calibration.tuning import Tuning, tuned

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WeighingTuning(Tuning):
    """What is made of two planes that tell different edges."""

    apart: float = tuned(
        0.5,
        title="of how far apart two planes lie, what an edge may be off",
        unit="1",
        low=0,
        high=2,
        source="simulated streets 14003, 14103, 16013: 95 of 100 edges are within 1.3 to 1.7 of what is then stated",
    )
    wide: float = tuned(
        2.0,
        title="how many times as far as paint reads too wide that may be off, beside what else is not known",
        unit="1",
        low=0,
        high=10,
        source="by hand, of 1 and 2: simulated streets 14003, 14103, 14300, 16013 and a drawn board of yellow paint",
    )


WEIGHING = WeighingTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaneReading:
    """All lines as one plane tells them, in which paint reads so far beyond its edges, in pixels."""

    surveyed: Surveyed
    wide_px: float

    @property
    def as_painted(self) -> Surveyed:
        """Give the lines without what they read too wide."""
        edges = [replace(found, width_px=found.width_px - 2 * self.wide_px) for found in self.surveyed.edges]
        return replace(self.surveyed, edges=edges)

    @property
    def weight(self) -> float:
        """How much it counts: the less, the less surely its edges are known and the more had to be taken off."""
        return 1 / (self.surveyed.misfit_px**2 + (WEIGHING.wide * self.wide_px) ** 2)


def weighed(readings: Sequence[PlaneReading]) -> Surveyed:
    """Put together what one or more planes tell."""
    if len(readings) == 1:
        return readings[0].as_painted
    weights = np.array([one.weight for one in readings])
    weights /= weights.sum()
    painted = [one.as_painted for one in readings]
    surest = painted[int(weights.argmax())]
    edges = [_together(told, weights) for told in zip(*(one.edges for one in painted), strict=True)]
    return replace(surest, edges=edges, nodes_px=_mean([one.nodes_px for one in painted], weights))


def _together(told: Sequence[Edges], weights: Array) -> Edges:
    """Put one line's edges together."""
    middle, width = (_mean([getattr(one, name) for one in told], weights) for name in ("middle_px", "width_px"))
    sides = [[one.middle_px - middle + side * (one.width_px - width) for side in (-0.5, 0.5)] for one in told]
    apart = WEIGHING.apart * _rms([np.maximum(*np.abs(both)) for both in sides], weights)
    surest = told[int(weights.argmax())]
    return replace(
        surest,
        middle_px=middle,
        width_px=width,
        sigma_px=np.hypot(_rms([one.sigma_px for one in told], weights), apart),
        middle_sigma_px=_rms([one.middle_sigma_px for one in told], weights),
    )


def _mean(values: Sequence[Array], weights: Array) -> Array:
    return np.asarray(np.tensordot(weights, np.stack(values), axes=1), float)


def _rms(values: Sequence[Array], weights: Array) -> Array:
    return np.sqrt(_mean([each**2 for each in values], weights))
