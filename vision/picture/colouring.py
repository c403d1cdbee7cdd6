"""Makes grey and colour of a frame's pixels, however they lie in memory."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.layout import Image, Layout, size_of


def grey_of(bgr: Image) -> Image:
    """Make the brightness (H, W) of a picture in colour."""
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)


def bgr_of(planes: Image, layout: Layout) -> Image:
    """Make the picture (H, W, 3) of planes, full range."""
    if layout is Layout.YUV420_LIMITED:
        return cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)
    return _coloured(planes, layout, size_of(planes, layout), cv2.INTER_LINEAR)


def small_bgr_of(pixels: Image, layout: Layout, shrink: int) -> Image:
    """Make the picture with `shrink` pixels each way averaged into one, planes before they are joined."""
    width, height = size_of(pixels, layout)
    size = (width // shrink, height // shrink)
    if layout is Layout.BGR:
        return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return _coloured(pixels, layout, size, cv2.INTER_AREA)


def _coloured(planes: Image, layout: Layout, size: tuple[int, int], way: int) -> Image:
    """Bring the planes to one size and join them to B, G, R of full range."""
    width, height = size_of(planes, layout)
    u, v = planes[height:].reshape(2, height // 2, width // 2)
    y, v, u = (cv2.resize(plane, size, interpolation=way) for plane in (planes[:height], v, u))
    if layout is Layout.YUV420_LIMITED:
        y, v, u = cv2.LUT(y, _LUMA), cv2.LUT(v, _COLOUR), cv2.LUT(u, _COLOUR)
    return cv2.cvtColor(cv2.merge([y, v, u]), cv2.COLOR_YCrCb2BGR)


def _stretched(zero: int, middle: float, span: float) -> Image:
    """Make the table that stretches limited levels, `span` of them from `zero` or about `middle`, to 0 to 255."""
    return np.clip(np.rint((np.arange(256) - zero - middle) * 255 / span + middle), 0, 255).astype(np.uint8)


_LUMA = _stretched(16, 0.0, 219.0)  # limited range, as BT.601 has it
_COLOUR = _stretched(0, 128.0, 224.0)  # likewise


def most_of_colours(image: NDArray[Any]) -> NDArray[Any]:
    """Take the largest of three colours (H, W, 3) at each pixel: many times faster than along the last axis."""
    blue, green, red = cv2.split(image)
    return cv2.max(cv2.max(blue, green), red)
