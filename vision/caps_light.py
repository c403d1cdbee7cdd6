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


def luma_blue_red(bgr: Image) -> NDArray[np.float64]:
    """Give the linear luma, blue and red of a picture (H, W, 3).

    Pictures and films store colour at half resolution and luma at full, so only the first plane is sharp.
    """
    luma = LINEAR[cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)]
    return np.stack([luma, LINEAR[bgr[..., 0]], LINEAR[bgr[..., 2]]], axis=-1).astype(float)
