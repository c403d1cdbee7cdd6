"""The median of many samples a frame, many times faster than numpy's, which checks and averages."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def upper_median(values: NDArray[Any]) -> float:
    """Take the middle of values (N,), the upper one of an even number.

    >>> upper_median(np.array([3, 1, 4, 1]))
    3.0
    """
    return float(np.partition(values, len(values) // 2)[len(values) // 2])
