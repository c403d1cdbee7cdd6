"""How the small picture shows the board: from its points to millimetres and back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.small_picture import small_to_px
from linesies.vision.shots.place import PLACE, Place, cap_to_small, place_at
from linesies.vision.values import Call, Resemblance

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallView:
    """A calibrated view of the listed caps, of which the small picture makes one pixel of `shrink`."""

    calibration: Calibration
    caps: tuple[Cap, ...]
    shrink: int

    def to_mm(self, cap: Cap, xy_small: Array) -> Array:
        """Find the board points (N, 2) over which a cap's middle is seen at small points (N, 2)."""
        if not len(xy_small):
            return np.zeros((0, 2))
        return self.calibration.view.px_to_mm(small_to_px(xy_small, self.shrink), PLACE.seen_height * cap.height_mm)

    def to_small(self, cap: Cap, xy_mm: Array) -> Array:
        """Find the small points (N, 2) at which the middle of a cap at board points (N, 2) is seen."""
        return cap_to_small(self.calibration, cap, xy_mm, self.shrink)

    def place_of(self, call: Call | Resemblance) -> Place | None:
        """Find the place of a cap that lies where a call says; None where the picture does not show it."""
        cap = next(cap for cap in self.caps if cap.player == call.player)
        return place_at(self.calibration, cap, call.xy_mm, shrink=self.shrink)
