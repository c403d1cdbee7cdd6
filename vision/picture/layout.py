"""How a picture's pixels lie in memory, and windows of it."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Window = tuple[slice, slice]  # rows, columns
EVERYWHERE: Window = (slice(None), slice(None))
SATURATED = 5  # levels below white, from which a colour says no more than that


class Layout(Enum):
    """How a frame's pixels lie in memory."""

    BGR = "bgr"  # (H, W, 3), full range
    YUV420 = "yuv420"  # planes Y, U, V stacked as (H * 3 / 2, W), full range 0 to 255
    YUV420_LIMITED = "yuv420 limited"  # likewise, luma 16 to 235 as most films have it


def size_of(pixels: Image, layout: Layout = Layout.BGR) -> tuple[int, int]:
    """Tell a picture's width and height."""
    rows, width = pixels.shape[:2]
    return width, rows if layout is Layout.BGR else rows * 2 // 3


def white_of(layout: Layout) -> int:
    """Tell the luma at which a picture laid out so is saturated."""
    return 235 if layout is Layout.YUV420_LIMITED else 255


def black_of(layout: Layout) -> NDArray[np.float64]:
    """Tell the luma, U and V of what is black in a picture laid out so (3,)."""
    return np.array([16.0 if layout is Layout.YUV420_LIMITED else 0.0, 128.0, 128.0])
