"""A supposed cap in one place of the picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.hypothesis import Hypothesis
from linesies.vision.caps.solid import outline_px

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """Where a supposed cap is held to be: its shift from the patch's middle (2,), and its outline there (N, 2)."""

    hypothesis: Hypothesis
    shift_px: Array
    outline_px: Array


def found_at(hypothesis: Hypothesis, shift_px: Array) -> Found:
    """Put a cap so far (2,) from where it is supposed to stand."""
    patch = hypothesis.patches[0]
    xy_mm = patch.place_mm(shift_px)
    return Found(hypothesis=hypothesis, shift_px=shift_px, outline_px=outline_px(patch.view, patch.solid, xy_mm))
