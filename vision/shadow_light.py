"""How shadows fall."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShadowLight:
    """How far shadows fall per mm of height (2,); None where light is diffuse."""

    slope: NDArray[np.float64] | None
