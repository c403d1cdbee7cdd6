"""What lies over the whole picture for a while: the camera's gain, somebody's shadow, a camera that was knocked."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.street.light import Light
from linesies.simulator.street.planes import Planes

Array = NDArray[np.float64]
SOFT_PX = 9  # a walking shadow's edge


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mood:
    """One moment's mood: gain on coded values, outlines (mm) in shadow, shift of the picture (px, radians)."""

    gain: float = 1.0
    shadow_mm: tuple[Array, ...] = ()
    shift_px: tuple[float, float] = (0.0, 0.0)
    turn_rad: float = 0.0

    @property
    def is_knocked(self) -> bool:
        """Whether the camera hangs otherwise than it did."""
        return self.turn_rad != 0 or self.shift_px != (0.0, 0.0)


CALM = Mood()


def lay_shadow(planes: Planes, mood: Mood, view: View, light: Light) -> None:
    """Take the sun out of what lies in the mood's shadow."""
    seen = [view.mm_to_px(outline) for outline in mood.shadow_mm]
    seen = [px for px in seen if np.abs(px).max() < 2e4]
    if not seen:
        return
    whole = np.vstack(seen)
    x0, y0 = np.maximum(np.floor(whole.min(axis=0)).astype(int) - 2 * SOFT_PX, 0) & ~1
    x1, y1 = np.minimum((np.ceil(whole.max(axis=0)).astype(int) + 2 * SOFT_PX) & ~1, [planes.width, planes.height])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    half = np.zeros(((y1 - y0) // 2, (x1 - x0) // 2), np.uint8)
    for px in seen:
        cv2.fillPoly(half, [np.rint((px - [x0, y0]) * 8).astype(np.int32)], 255, cv2.LINE_AA, 4)
    dark = cv2.resize(cv2.blur(half, (SOFT_PX, SOFT_PX)), (int(x1 - x0), int(y1 - y0)))
    left = (light.sky_rgb / (light.sky_rgb + light.sun_rgb)) ** 0.45  # linear light to coded
    under = planes.rgb[y0:y1, x0:x1]
    shaded = np.empty_like(under)
    for i in range(3):
        shaded[..., i] = cv2.multiply(under[..., i], _keep(dark, float(left[i])), scale=1 / 255)
    planes.paint((int(x0), int(y0), int(x1), int(y1)), shaded)


def _keep(dark: NDArray[np.uint8], left: float) -> NDArray[np.uint8]:
    """Tell how much of the light (of 255) is kept where it is so dark."""
    return cv2.LUT(dark, np.rint(255 - (1 - left) * np.arange(256)).astype(np.uint8))
