"""A second witness of where a cap stands: a small net that looks at a cut round it, and knows which cap it is.

It fails in other ways than the fit does, so where both agree both are right, and where they don't one of them is
misled: by litter at the rim, a shadow, a highlight. Trained by `training/caps`; no weight is set by hand.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cap import Cap
from linesies.vision.caps.cuts import AWAY_MM, Cuts, Planes
from linesies.vision.caps.firmness import cap_share_given
from linesies.vision.caps.net import ask_both_ways
from linesies.vision.caps.owners import USUAL_HEIGHT_MM, USUAL_MM
from linesies.vision.caps.placing import Placing, largest_sigma
from linesies.vision.caps.reading import CapReading, Readings

Array = NDArray[np.float64]

RIM_MM = 2.0  # over which a drawn cap's rim fades


def testify(readings: Readings, cuts: Cuts) -> Readings:
    """Ask the witness of each cap that was read, of what is cut out where it was fitted; drop what is unlikely then."""
    read = readings.readings
    if not read:
        return readings
    testimonies = witnessed(cuts, tuple(one.cap for one in read))
    told = map(heard, read, testimonies)
    return Readings(readings=tuple(one for one in told if one.is_likely))


def heard(reading: CapReading, said: Placing) -> CapReading:
    """Take down what the second witness says, and how likely a cap lies there, as firmly as fit and witness hold it."""
    scatter_mm, witness_mm = (largest_sigma(of) for of in (reading.fit.scatter_mm2, said.covariance_mm2))
    share = cap_share_given(reading.candidate.cap_share, scatter_mm=scatter_mm, witness_mm=witness_mm)
    return replace(reading, testimony=said, held_share=share)


def drawn(diameters_mm: Array) -> Planes:
    """Draw caps of these diameters (N,) in the middle of cuts: their share of each pixel (N, 1, SIDE, SIDE)."""
    inside_mm = np.asarray(diameters_mm, float)[:, None, None] / 2 - AWAY_MM
    return np.asarray(np.clip(inside_mm / RIM_MM + 0.5, 0, 1)[:, None], np.float32)


def measures(diameters_mm: Array, heights_mm: Array, leans: Array) -> Planes:
    """Write what is listed of caps (N,), and how slantwise each is seen, as the net reads it (N, 3)."""
    taller = np.asarray(heights_mm, float) / USUAL_HEIGHT_MM - 1
    return np.column_stack([leans, taller * leans, np.asarray(diameters_mm, float) / USUAL_MM - 1]).astype(np.float32)


def witnessed(cuts: Cuts, caps: tuple[Cap, ...]) -> tuple[Placing, ...]:
    """Say of each cut, as it is and mirrored, where that cap stands in it."""
    diameters_mm, heights_mm = (np.array([getattr(cap, name) for cap in caps]) for name in ("diameter_mm", "height_mm"))
    planes = np.concatenate([cuts.planes, drawn(diameters_mm)], axis=1)
    listed = measures(diameters_mm, heights_mm, cuts.leans)
    plain, mirrored = ask_both_ways("witness", planes, measures=listed)
    told = (plain + mirrored * (-1, 1, 1, 1)) / 2
    return tuple(map(_on_the_board, told, cuts.xy_mm, cuts.turns))


def _on_the_board(told: Array, xy_mm: Array, turn: Array) -> Placing:
    """Turn what is told (4,), offsets along the cut and the logarithms of their deviations, into the board's frame."""
    across_mm2 = np.diag(np.exp(2 * told[2:]))
    return Placing(xy_mm=xy_mm + turn @ told[:2], covariance_mm2=turn @ across_mm2 @ turn.T)
