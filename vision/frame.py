"""One picture of a source: its pixels, its number and when it was taken.

Cameras and films give planes of luma and colour (YUV 4:2:0), still pictures give BGR. Following works on
luma alone, so a frame keeps what it was given and converts only what is asked for, once.
"""

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class Frame:
    """A picture with its number (from 0) and capture time `t_s` in seconds of the source; never changed.

    Made by `from_bgr` or `from_yuv420`; `bgr` (H, W, 3) and `luma` (H, W) are uint8 of full range.
    """

    def __init__(
        self, *, number: int, t_s: float, bgr: Image | None, yuv420: Image | None, is_full_range: bool
    ) -> None:
        self.number = number
        self.t_s = t_s
        self._bgr = bgr
        self._yuv420 = yuv420
        self._is_full_range = is_full_range

    @classmethod
    def from_bgr(cls, bgr: Image, *, number: int, t_s: float) -> "Frame":
        """Make a frame from a colour picture (H, W, 3)."""
        return cls(number=number, t_s=t_s, bgr=bgr, yuv420=None, is_full_range=True)

    @classmethod
    def from_yuv420(cls, planes: Image, *, number: int, t_s: float, is_full_range: bool) -> "Frame":
        """Make a frame from planes Y, U, V stacked as (H * 3 / 2, W), H and W even."""
        return cls(number=number, t_s=t_s, bgr=None, yuv420=planes, is_full_range=is_full_range)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        if self._yuv420 is not None:
            return self._yuv420.shape[1], self._yuv420.shape[0] * 2 // 3
        return self._bgr.shape[1], self._bgr.shape[0]

    @cached_property
    def luma(self) -> Image:
        """Brightness (H, W), as the source gave it (a film of limited range: 16 to 235)."""
        if self._yuv420 is not None:
            return self._yuv420[: self.size_px[1]]
        return cv2.cvtColor(self._bgr, cv2.COLOR_BGR2GRAY)

    @cached_property
    def bgr(self) -> Image:
        """The picture in colour (H, W, 3), full range."""
        if self._bgr is not None:
            return self._bgr
        return (
            _full_range_bgr(self._yuv420) if self._is_full_range else cv2.cvtColor(self._yuv420, cv2.COLOR_YUV2BGR_I420)
        )


def _full_range_bgr(planes: Image) -> Image:
    height = planes.shape[0] * 2 // 3
    width = planes.shape[1]
    quarter = height * width // 4
    flat = planes.reshape(-1)
    u = flat[height * width : height * width + quarter].reshape(height // 2, width // 2)
    v = flat[height * width + quarter :].reshape(height // 2, width // 2)
    up = (width, height)
    ycrcb = cv2.merge([planes[:height], cv2.resize(v, up), cv2.resize(u, up)])
    return cv2.cvtColor(ycrcb, cv2.COLOR_YCrCb2BGR)
