"""From a whole pixel to a fraction of one: a supposed cap fitted where it was sought."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.fit import FIT, CapFit, Edge
from linesies.vision.caps.found import Found
from linesies.vision.caps.relight import LightThroughGlass, SeenLight, light_on

Array = NDArray[np.float64]
Lights = tuple[SeenLight | LightThroughGlass, ...]


@dataclass(frozen=True)
class FittingTuning(Tuning):
    """What of two fits is doubt, and when caps trouble one another."""

    neighbour_room_px: float = tuned(
        8.0,
        title="farther than this apart, caps do not trouble one another",
        unit="px",
        low=2,
        high=40,
        source=by_hand_in("847ef17"),
    )
    strayed_doubt: float = tuned(
        0.1,
        title="of how far apart both fits come out, what counts as doubt; scatter counts several times as much",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )


FITTING = FittingTuning()


def is_near(one_px: Array, other_px: Array) -> bool:
    """Tell whether two outlines (N, 2) lie so near that either troubles the other's fit."""
    gap = np.maximum(one_px.min(axis=0) - other_px.max(axis=0), other_px.min(axis=0) - one_px.max(axis=0))
    return bool(gap.max() < FITTING.neighbour_room_px)


def fit_cap(found: Found, slope: Array | None, taken: tuple[Array, ...] = ()) -> CapFit:
    """Fit a cap's sub-pixel place under a light, beside the outlines of neighbours.

    What was sought may be its shadow, or paint, and a fit that starts a pixel amiss may stay amiss: it is tried from
    where the cap was supposed too, and how far apart both come out is doubt.
    """
    lights = tuple(light_on(patch) for patch in found.hypothesis.patches)
    fit = _fit_from(lights, found.shift_px, slope, taken)
    if not found.shift_px.any():
        return fit
    there = _fit_from(lights, np.zeros(2), slope, taken)
    near, far = sorted((fit, there), key=_unlikely)
    apart_mm = far.xy_mm - near.xy_mm
    return replace(near, scatter_mm2=near.scatter_mm2 + FITTING.strayed_doubt**2 * np.outer(apart_mm, apart_mm))


def _unlikely(fit: CapFit) -> float:
    """Weigh a fit by what it leaves unexplained, and by how far it strayed from where the cap is supposed to stand."""
    return fit.misfit + float(fit.patch.stray_cost(fit.xy_mm)) / FIT.pixels


def _fit_from(lights: Lights, shift_px: Array, slope: Array | None, taken: tuple[Array, ...]) -> CapFit:
    lit = (light.relit(shift_px, taken) for light in lights)
    fits = (Edge(patch, shift_px, slope, taken).fit(np.zeros(2)) for patch in lit)
    return min(fits, key=_unlikely)
