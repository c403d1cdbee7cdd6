"""One picture of a source: its pixels, its number and when it was taken.

Cameras and films give planes of luma and colour (YUV 4:2:0), still pictures give BGR. Following works on
luma alone, so a frame keeps what it was given and converts only what is asked for, once.
"""

from enum import Enum
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class Layout(Enum):
    """How a frame's pixels lie in memory."""

    BGR = "bgr"  # (H, W, 3), full range
    YUV420 = "yuv420"  # planes Y, U, V stacked as (H * 3 / 2, W), full range 0 to 255
    YUV420_LIMITED = "yuv420 limited"  # likewise, luma 16 to 235 as most films have it


class Frame:
    """A picture with its number (from 0) and capture time `t_s` in seconds of the source; never changed.

    `pixels` is as the source gave it, laid out as `layout` says; `bgr` and `luma` are made from it when asked for.
    """

    def __init__(self, pixels: Image, *, layout: Layout, number: int, t_s: float) -> None:
        self.pixels = pixels
        self.layout = layout
        self.number = number
        self.t_s = t_s

    @classmethod
    def from_bgr(cls, bgr: Image, *, number: int, t_s: float) -> "Frame":
        """Make a frame from a colour picture (H, W, 3)."""
        return cls(bgr, layout=Layout.BGR, number=number, t_s=t_s)

    @classmethod
    def from_yuv420(cls, planes: Image, *, number: int, t_s: float, is_full_range: bool) -> "Frame":
        """Make a frame from planes Y, U, V stacked as (H * 3 / 2, W), H and W even."""
        layout = Layout.YUV420 if is_full_range else Layout.YUV420_LIMITED
        return cls(planes, layout=layout, number=number, t_s=t_s)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        rows, width = self.pixels.shape[:2]
        return width, rows if self.layout is Layout.BGR else rows * 2 // 3

    @cached_property
    def luma(self) -> Image:
        """Brightness (H, W), as the source gave it (limited range: 16 to 235)."""
        if self.layout is Layout.BGR:
            return cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY)
        return self.pixels[: self.size_px[1]]

    @cached_property
    def bgr(self) -> Image:
        """The picture in colour (H, W, 3), full range."""
        if self.layout is Layout.BGR:
            return self.pixels
        if self.layout is Layout.YUV420_LIMITED:
            return cv2.cvtColor(self.pixels, cv2.COLOR_YUV2BGR_I420)
        return self._coloured(self.size_px, cv2.INTER_LINEAR)

    def small_bgr(self, shrink: int) -> Image:
        """Make the picture in colour with `shrink` pixels each way averaged into one, planes before they are joined."""
        size = (self.size_px[0] // shrink, self.size_px[1] // shrink)
        if self.layout is Layout.BGR:
            return cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA)
        return self._coloured(size, cv2.INTER_AREA)

    def _coloured(self, size: tuple[int, int], way: int) -> Image:
        """Bring the planes to one size and join them to B, G, R of full range."""
        width, height = self.size_px
        u, v = self.pixels[height:].reshape(2, height // 2, width // 2)
        y, v, u = (cv2.resize(plane, size, interpolation=way) for plane in (self.pixels[:height], v, u))
        if self.layout is Layout.YUV420_LIMITED:
            y, v, u = cv2.LUT(y, _LUMA), cv2.LUT(v, _COLOUR), cv2.LUT(u, _COLOUR)
        return cv2.cvtColor(cv2.merge([y, v, u]), cv2.COLOR_YCrCb2BGR)


def _stretched(zero: int, middle: float, span: float) -> Image:
    """Make the table that stretches limited levels, `span` of them from `zero` or about `middle`, to 0 to 255."""
    return np.clip(np.rint((np.arange(256) - zero - middle) * 255 / span + middle), 0, 255).astype(np.uint8)


_LUMA = _stretched(16, 0.0, 219.0)
_COLOUR = _stretched(0, 128.0, 224.0)


def most_of_colours(image: NDArray[Any]) -> NDArray[Any]:
    """Take the largest of three colours (H, W, 3) at each pixel: many times faster than along the last axis."""
    blue, green, red = cv2.split(image)
    return cv2.max(cv2.max(blue, green), red)
