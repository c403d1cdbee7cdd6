"""Whether a cap is as wide and as tall as listed, by where it was seen while it truly touched a known stroke.

A listed height that is off moves a gap only as far as the camera looks aslant along it, so that gaps towards and away
from the camera disagree; what a millimetre of it would move was measured on the same pixels. A diameter that is off
moves every gap of a cap alike, and is weighed in `radii.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linesies.vision.proof.errors import GapError
from linesies.vision.proof.proof_tuning import PROOF
from linesies.vision.proof.radii import radii_of

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


def sizes_of(of_players: Mapping[str, Sequence[GapError]]) -> dict[str, Sizing]:
    """Weigh all gaps of all caps, by player."""
    heights = {player: _height(errors) for player, errors in of_players.items()}
    radii = radii_of(
        {
            player: _at_height(errors, heights[player].told_mm)
            for player, errors in of_players.items()
            if len(errors) >= LEAST_TRIALS
        }
    )
    return {
        player: Sizing(radius_mm=radii.get(player, 0.0), height_mm=height.told_mm, tall_told_mm=height.least_told_mm)
        for player, height in heights.items()
    }


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
