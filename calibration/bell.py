"""The bell curve's share below a point, by which a blurred edge rises.

From a table, for scipy's would cost a box a quarter of what it remembers, and no call hangs on a millionth.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

REACH = 8.0  # deviations, beyond which the share is 0 or 1
POINTS = np.linspace(-REACH, REACH, 4097)
SHARES = np.array([0.5 * math.erfc(-point / math.sqrt(2)) for point in POINTS])


def share_below(deviations: NDArray[Any]) -> Array:
    """Tell which share of a normal distribution lies below each point, to 5e-7."""
    return np.asarray(np.interp(deviations, POINTS, SHARES), float)
