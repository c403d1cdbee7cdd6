"""How far the camera has leaned since it was calibrated: where the picture lies on the whole, sway aside."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.displacement import Displacement


@dataclass(frozen=True)
class LeanTuning(Tuning):
    """For how long a camera's mean place is taken."""

    over_s: float = tuned(
        10.0,
        title="a pole in the wind is back many times within this",
        unit="s",
        low=1,
        high=120,
        source="physics: a pole of a few metres sways once in 0.3 to 3 s",
    )


LEAN = LeanTuning()


class Lean:
    """Remembers where the picture has lain lately."""

    def __init__(self) -> None:
        self._mean: NDArray[np.float64] = np.zeros((5, 2))  # small pixels, in the corners and in the middle
        self._t_s: float | None = None

    def see(self, displacement: Displacement | None, t_s: float) -> None:
        """Note how the picture lies now; None where the ground was not recognised."""
        if displacement is None:
            return
        passed_s = 0.0 if self._t_s is None else max(t_s - self._t_s, 0.0)
        self._mean += min(passed_s / LEAN.over_s, 1.0) * (displacement.at_corners - self._mean)
        self._t_s = t_s

    @property
    def small(self) -> float:
        """How far, in small pixels, where it is farthest."""
        return float(np.hypot(*self._mean.T).max())
