"""From a whole pixel to a fraction of one: a supposed cap fitted where it was sought."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.fit import CapFit, fit_from, unlikely
from linesies.vision.caps.found import Found
from linesies.vision.caps.relight import relit_about
from linesies.vision.caps.seek import Sought
from linesies.vision.pieces import Pieces
from linesies.vision.shadow_light import ShadowLight

Array = NDArray[np.float64]


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fitted:
    """The supposed caps of a picture, fitted, each with how many neighbours trouble it, and as its rival."""

    fits: tuple[CapFit, ...]
    crowds: tuple[int, ...]
    rivals: tuple[CapFit | None, ...]


def is_near(one_px: Array, other_px: Array) -> bool:
    """Tell whether two outlines (N, 2) lie so near that either troubles the other's fit."""
    gap = np.maximum(one_px.min(axis=0) - other_px.max(axis=0), other_px.min(axis=0) - one_px.max(axis=0))
    return bool(gap.max() < FITTING.neighbour_room_px)


def fit(sought: Sought, light: ShadowLight) -> Pieces[Fitted]:
    """Fit all caps of a picture beside one another under one light, and their rivals, each by itself."""
    outlines = [one.outline_px for one in sought.found]
    fits, crowds, rivals = [], [], []
    for i, (found, rival) in enumerate(zip(sought.found, sought.rivals, strict=True)):
        near = tuple(other for j, other in enumerate(outlines) if j != i and is_near(outlines[i], other))
        fits.append(fit_cap(found, light.slope, near))
        crowds.append(len(near))
        yield
        rivals.append(None if rival is None else fit_cap(rival, light.slope))
    return Fitted(fits=tuple(fits), crowds=tuple(crowds), rivals=tuple(rivals))


def fit_cap(found: Found, slope: Array | None, taken: tuple[Array, ...] = ()) -> CapFit:
    """Fit a cap's sub-pixel place under a light, beside the outlines of neighbours.

    What was sought may be its shadow, or paint, and a fit that starts a pixel amiss may stay amiss: it is tried from
    where the cap was supposed too, and how far apart both come out is doubt.
    """
    starts_px = [found.shift_px, np.zeros(2)] if found.shift_px.any() else [found.shift_px]
    relit = [relit_about(patch, starts_px, taken) for patch in found.hypothesis.patches]
    fits = [
        min((fit_from(patch, start_px, slope, taken) for patch in patches), key=unlikely)
        for start_px, patches in zip(starts_px, zip(*relit, strict=True), strict=True)
    ]
    near, *others = sorted(fits, key=unlikely)
    if not others:
        return near
    apart_mm = others[0].xy_mm - near.xy_mm
    return replace(near, scatter_mm2=near.scatter_mm2 + FITTING.strayed_doubt**2 * np.outer(apart_mm, apart_mm))
