"""One picture of a source: its pixels, its number and when it was taken.

Cameras and films give planes of luma and colour (YUV 4:2:0), still pictures give BGR. Following works on
luma alone, so a frame keeps what it was given and converts only what is asked for, once.
"""

from enum import Enum
from functools import cached_property

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
        return _full_range_bgr(self.pixels, self.size_px)


def _full_range_bgr(planes: Image, size_px: tuple[int, int]) -> Image:
    width, height = size_px
    u, v = planes[height:].reshape(2, height // 2, width // 2)
    ycrcb = cv2.merge([planes[:height], cv2.resize(v, size_px), cv2.resize(u, size_px)])
    return cv2.cvtColor(ycrcb, cv2.COLOR_YCrCb2BGR)
