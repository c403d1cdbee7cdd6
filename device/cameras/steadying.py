"""Exposure, colours and focus of a camera: found in a second, then held, found anew when the light changes.

Held, because what is compared from frame to frame must not change by the camera's own doing.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

FINDING = 45  # frames in which exposure and colours are found, three quarters of a second
PATIENT = 240  # frames; a lens that has not found its focus by then finds none here, and stays where it is
STRAYED = 60  # frames in a row of another brightness before all is found anew: a passing shadow is none
BRIGHTNESS = (0.6, 1.6)  # of the brightness when it was held; beyond that the light has changed
SPARSE = 16  # every so many pixels tell the brightness


class CameraWish(Enum):
    """What a camera is to do after a frame."""

    NOTHING = "nothing"
    HOLD = "hold"  # keep exposure, colours and focus as they are now
    FIND = "find"  # let the camera find them anew


class Steadying:
    """Remembers how many frames there were since it began to look, and the brightness at which it holds."""

    def __init__(self) -> None:
        self._frames = 0
        self._strayed = 0
        self._held: float | None = None

    @property
    def has_settled(self) -> bool:
        """Tell whether the picture is held, and so stays as it is."""
        return self._held is not None

    def wish(self, luma: NDArray[np.uint8], *, is_found: bool = True) -> CameraWish:
        """Tell what to do after a frame; `is_found` False while the camera says that it still looks for its focus."""
        self._frames += 1
        if self._held is None:
            if self._frames < (FINDING if is_found else PATIENT):
                return CameraWish.NOTHING
            self._held = _brightness(luma)
            return CameraWish.HOLD
        low, high = BRIGHTNESS
        is_other = not low <= _brightness(luma) / self._held <= high
        self._strayed = self._strayed + 1 if is_other else 0
        if self._strayed < STRAYED:
            return CameraWish.NOTHING
        self._frames, self._strayed, self._held = 0, 0, None
        return CameraWish.FIND


def _brightness(luma: NDArray[np.uint8]) -> float:
    return float(luma[::SPARSE, ::SPARSE].mean()) + 1.0
