"""The median of many samples a frame, many times faster than numpy's, which checks much before."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def upper_median(values: NDArray[Any]) -> float:
    """Take the middle of values (N,), the upper one of an even number.

    >>> upper_median(np.array([3, 1, 4, 1]))
    3.0
    """
    return float(np.partition(values, len(values) // 2)[len(values) // 2])


def median(values: NDArray[Any]) -> float:
    """Take the middle of values (N,), of an even number the mean of the two in the middle.

    >>> median(np.array([3, 1, 4, 2]))
    2.5
    """
    half = len(values) // 2
    if len(values) % 2:
        return upper_median(values)
    ordered = np.partition(values, (half - 1, half))
    return float((ordered[half - 1] + ordered[half]) / 2)
