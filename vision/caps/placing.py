"""Where a cap stands, and how far off that may be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Placing:
    """Where a cap's axis meets the ground (2,) in mm, and the covariance of that (2, 2)."""

    xy_mm: Array
    covariance_mm2: Array

    def sigma_mm(self, way: Array) -> float:
        """Give the standard error along a way (2,) of any length."""
        along = direction(way)
        return float(np.sqrt(along @ self.covariance_mm2 @ along))


def largest_sigma(covariance: Array) -> float:
    """Give the standard error along the way on which it is largest, of a covariance (2, 2)."""
    return float(np.sqrt(np.linalg.eigvalsh(covariance)[-1]))


def direction(way: Array) -> Array:
    """Give the way (2,) of length 1 that leads as `way` does; one of no length leads nowhere."""
    return way / max(float(np.hypot(*way)), 1e-9)
