"""Linear light: stored values undone of their tone curve, so that a mixture of two surfaces is their mean."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import to_linear
from linesies.vision.picture.layout import Image

FAINTEST = 0.003  # linear light; added, so that shares of what is nearly black stay finite


def luma_blue_red(bgr: Image) -> NDArray[np.float64]:
    """Give the linear luma, blue and red of a picture (H, W, 3).

    Pictures and films store colour at half resolution and luma at full, so only the first plane is sharp.
    """
    luma = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    light = to_linear(bgr)
    return np.stack([to_linear(luma), light[..., 0], light[..., 2]], axis=-1).astype(float)
