"""Whether a cap is as wide and as tall as listed, by where it was seen while it truly touched a known stroke.

A diameter that is off moves every gap alike. A height moves a gap only as far as the camera looks aslant along it, so
that gaps towards and away from the camera disagree; what a millimetre of it would move was measured on the same pixels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.vision.proof.errors import GapError, summed
from linesies.vision.proof.proof_tuning import PROOF

Array = NDArray[np.float64]

LEAST_TRIALS = 6  # of a cap, two a ring
NOT_ASLANT = 0.02  # mm of gap to one of height: so little tells nothing of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """How far off a cap's size is: to how much the radius is listed too small, and the height too small (mm).

    Each is 0 where it is not off beyond doubt. `tall_told_mm` is how wrong a height must be to be told; None where no
    height could be.
    """

    radius_mm: float
    height_mm: float
    tall_told_mm: float | None


def size_of(errors: Sequence[GapError], usual_mm: float) -> Sizing:
    """Weigh all gaps of one cap; `usual_mm` is the spread of every cap's, for five gaps may agree by chance."""
    height = _height(errors)
    summary = summed(_at_height(errors, height.told_mm))
    spread_mm = max(summary.spread_mm, usual_mm)
    error_mm = float(np.hypot(spread_mm, PROOF.seat_mm)) / np.sqrt(max(summary.count, 1))
    is_wide = summary.count >= LEAST_TRIALS and abs(summary.bias_mm) > max(PROOF.bias_mm, PROOF.sure * error_mm)
    return Sizing(
        radius_mm=summary.bias_mm if is_wide else 0.0,
        height_mm=height.told_mm,
        tall_told_mm=height.least_told_mm,
    )


def usual_spread_mm(of_players: Mapping[str, Sequence[GapError]]) -> float:
    """Give the spread of caps' gaps, each cap's round its own middle."""
    spreads = [
        summed(_at_height(errors, _height(errors).told_mm)).spread_mm
        for errors in of_players.values()
        if len(errors) >= LEAST_TRIALS
    ]
    return float(np.sqrt(np.mean(np.square(spreads)))) if spreads else 0.0


def left_mm(error: GapError, sizing: Sizing) -> float:
    """Tell what is left of an error once the cap is listed by its true size."""
    return error.off_mm + sizing.height_mm * error.trial.reach_per_height - sizing.radius_mm


@dataclass(frozen=True, slots=True, kw_only=True)
class _Height:
    """By how much too small one cap's height is listed, and the standard error of that (None: unknown)."""

    off_mm: float
    doubt_mm: float | None

    @property
    def least_told_mm(self) -> float | None:
        """How wrong it must be to be told; None where no height could be."""
        return None if self.doubt_mm is None else PROOF.tall * self.doubt_mm

    @property
    def told_mm(self) -> float:
        """By how much it is too small beyond doubt, or 0."""
        least_mm = self.least_told_mm
        return self.off_mm if least_mm is not None and abs(self.off_mm) > least_mm else 0.0


def _height(errors: Sequence[GapError]) -> _Height:
    """Find by how much too small a height is listed, beside an error that all gaps share."""
    per_height = np.array([one.trial.reach_per_height for one in errors])
    if len(errors) < LEAST_TRIALS or float(per_height.std()) < NOT_ASLANT:
        return _Height(off_mm=0.0, doubt_mm=None)
    weights = 1 / np.array([one.doubt_mm for one in errors])
    terms = np.column_stack([np.ones(len(errors)), -per_height]) * weights[:, None]
    offs = np.array([one.off_mm for one in errors]) * weights
    (_, height_mm), *_ = np.linalg.lstsq(terms, offs, rcond=None)
    return _Height(off_mm=float(height_mm), doubt_mm=float(np.sqrt(np.linalg.inv(terms.T @ terms)[1, 1])))


def _at_height(errors: Sequence[GapError], height_mm: float) -> list[GapError]:
    """Take off what a height that is listed too small by so much adds to the gaps of one cap."""
    return [replace(one, off_mm=one.off_mm + height_mm * one.trial.reach_per_height) for one in errors]
