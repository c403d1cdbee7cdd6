"""The exhibit of a call: the pixels that it was measured from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.shadow_light import ShadowLight


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crop:
    """A part of a picture and the same part of the empty one, (h, w, 3) each; `corner_px` (x, y) is its first pixel."""

    corner_px: tuple[int, int]
    now_bgr: NDArray[np.uint8]
    empty_bgr: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exhibit:
    """What a call was measured from, beside the calibration: where the cap was looked for, what lay beside it, pixels.

    `off_mm` is how far off that usually is, inf where nobody knows; `beside` are other players and about where their
    caps lay (mm); `light` is how shadows fell, None where its pixels tell. Whoever measures it again gets the same
    call.
    """

    near_mm: tuple[float, float]
    off_mm: float
    beside: tuple[tuple[str, tuple[float, float]], ...]
    crops: tuple[Crop, ...]
    light: ShadowLight | None = None
