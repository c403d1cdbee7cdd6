"""Linear light: stored values undone of their tone curve, so that a mixture of two surfaces is their mean."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

_STORED = np.arange(256) / 255
LINEAR = np.where(_STORED <= 0.04045, _STORED / 12.92, ((_STORED + 0.055) / 1.055) ** 2.4).astype(np.float32)


def linear_light(bgr: Image) -> NDArray[np.float32]:
    """Undo the sRGB curve of a picture or of single colours: 0 to 1."""
    return np.asarray(LINEAR[bgr], np.float32)


def luma_and_colour(bgr: Image) -> NDArray[np.float64]:
    """Split a picture (H, W, 3) into linear luma, red less green and blue less green (H, W, 3).

    Pictures and films store colour at half resolution and luma at full, so only the first plane is sharp.
    """
    luma = LINEAR[cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)]
    linear = LINEAR[bgr]
    return np.stack([luma, linear[..., 2] - linear[..., 1], linear[..., 0] - linear[..., 1]], axis=-1).astype(float)
