"""How surely a pixel shows something else than the empty ground did."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Plane = NDArray[np.float32]

SHAKE_PX = 0.2  # how far the camera may have moved unnoticed
NOISE = 0.7  # stored levels that a picture is never better than
SURELY_CHANGED = 25.0  # in variances: where a pixel counts half as changed


def split_planes(bgr: Image) -> list[Plane]:
    """Split a picture (H, W, 3) into stored luma and two colour differences round 0."""
    luma, *colours = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb))
    return [luma.astype(np.float32), *(colour.astype(np.float32) - 128 for colour in colours)]


def shaken(plane: Plane) -> Plane:
    """Give the variance that a small shake of the camera causes at each pixel."""
    across, down = (cv2.Sobel(plane, cv2.CV_32F, *step, scale=0.125) for step in ((1, 0), (0, 1)))
    return SHAKE_PX**2 * (across**2 + down**2)


def changed_share(rests: list[Plane], shaken_planes: list[Plane]) -> Plane:
    """Tell from what is left of each plane after its ground how surely each pixel changed, 0 to 1."""
    variances = np.zeros_like(rests[0])
    for rest, shake in zip(rests, shaken_planes, strict=True):
        noise = 1.4826 * float(np.median(np.abs(rest[::3, ::3]))) + NOISE
        variances += cv2.divide(rest * rest, shake + noise**2)
    return np.asarray(variances / (variances + SURELY_CHANGED), np.float32)
