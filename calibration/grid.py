"""A grid on which what later decisions hang on is put, far finer than anything can be told.

The last bits of a number differ from machine to machine. A fit, which reads off tables and weighs pixel by pixel, makes
thousands of times as much of that; from places on a grid it goes on from the very same numbers everywhere.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LINES = 2.0**10  # a pixel, or a millimetre: places are told to a hundredth, and off by some tenths


def on_grid(values: Array, lines: float = LINES) -> Array:
    """Put pixels or millimetres (...,) on the grid, or on a coarser one.

    >>> on_grid(np.array([0.5, 0.1 + 1e-9])).tolist() == on_grid(np.array([0.5, 0.1])).tolist()
    True
    """
    return np.asarray(np.round(values * lines) / lines, float)
