"""Exposure, colours and focus of a Pi camera: found in a second, then held, found anew when the light changes.

Held, because what is compared from frame to frame must not change by the camera's own doing. Short, because a cap that
flies smears; libcamera's short exposure mode takes more gain before more time.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FINDING = 45  # frames in which all is found, three quarters of a second
STRAYED = 60  # frames in a row of another brightness before all is found anew: a passing shadow is none
BRIGHTNESS = (0.6, 1.6)  # of the brightness when it was held; beyond that the light has changed
SPARSE = 16  # every so many pixels tell the brightness
HELD = ("ExposureTime", "AnalogueGain", "ColourGains")


class Steadying:
    """Remembers how many frames there were since it began to look, and the brightness at which it holds."""

    def __init__(self) -> None:
        self._frames = 0
        self._strayed = 0
        self._held: float | None = None

    def wishes(self, luma: NDArray[np.uint8], metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Tell which controls to set after a frame; none for most."""
        self._frames += 1
        if self._held is None:
            return self._hold(luma, metadata) if self._frames >= FINDING else {}
        low, high = BRIGHTNESS
        is_other = not low <= _brightness(luma) / self._held <= high
        self._strayed = self._strayed + 1 if is_other else 0
        if self._strayed < STRAYED:
            return {}
        self._frames, self._strayed, self._held = 0, 0, None
        return {"AeEnable": True, "AwbEnable": True}

    def _hold(self, luma: NDArray[np.uint8], metadata: Mapping[str, Any]) -> dict[str, Any]:
        self._held = _brightness(luma)
        found = {name: metadata[name] for name in HELD if name in metadata}
        return {"AeEnable": False, "AwbEnable": False, **found}


def _brightness(luma: NDArray[np.uint8]) -> float:
    return float(luma[::SPARSE, ::SPARSE].mean()) + 1.0
