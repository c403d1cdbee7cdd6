"""How likely something is, once it has been seen what is so many times likelier where it is so (the rule of Bayes)."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def times_likelier(shares: Array, times: Array | float) -> Array:
    """Multiply the odds that shares (N,) stand for.

    >>> times_likelier(np.array([0.5, 1.0, 0.0]), 3.0).tolist()
    [0.75, 1.0, 0.0]
    """
    likely = shares * times
    return np.asarray(likely / (likely + (1 - shares)), float)
