"""Pictures shrunk and enlarged by whole numbers, pixel by pixel alike on every machine."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.layout import Image

Levels = NDArray[np.uint16]


def shrink_by(picture: Image, *, times: int) -> Image:
    """Average squares of so many pixels of a picture (H, W) or (H, W, 3); what is left over at the end is dropped.

    By fractions of a pixel OpenCV rounds otherwise on ARM than on x86, now and then.
    """
    if times == 1:
        return picture
    width, height = picture.shape[1] // times, picture.shape[0] // times
    whole = picture[: height * times, : width * times]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def enlarge_by(levels: Levels, *, times: int, shape: tuple[int, int]) -> Levels:
    """Enlarge what was shrunk so (h, w) or (h, w, 3) to a picture's rows and columns; what was dropped is as beside."""
    (height, width), (rows, columns) = levels.shape[:2], shape
    size = (width * times, height * times)
    whole = cv2.resize(levels, size, interpolation=cv2.INTER_LINEAR_EXACT)
    left = (0, rows - size[1], 0, columns - size[0])
    return np.asarray(cv2.copyMakeBorder(whole, *left, cv2.BORDER_REPLICATE), np.uint16)
