"""One picture of a source: its pixels, its number and when it was taken.

Cameras and films give planes of luma and colour (YUV 4:2:0), still pictures give BGR. Following works on
luma alone, so a frame keeps what it was given and converts only what is asked for, once. What converts
(colouring.py) is loaded then: a camera's own process converts nothing.
"""

from collections.abc import Callable
from functools import cached_property

from linesies.vision.picture.layout import Image, Layout, size_of

__all__ = ["Frame", "Image", "Layout"]


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
        return size_of(self.pixels, self.layout)

    @cached_property
    def luma(self) -> Image:
        """Brightness (H, W), as the source gave it (limited range: 16 to 235)."""
        if self.layout is not Layout.BGR:
            return self.pixels[: self.size_px[1]]
        from linesies.vision.picture.colouring import grey_of  # noqa: PLC0415

        return grey_of(self.pixels)

    def luma_kept(self, rows: slice, columns: slice) -> Callable[[], Image]:
        """Keep the brightness of a window of the picture, for when it is asked for."""
        window = self.luma[rows, columns].copy()
        return lambda: window

    @cached_property
    def bgr(self) -> Image:
        """The picture in colour (H, W, 3), full range."""
        if self.layout is Layout.BGR:
            return self.pixels
        from linesies.vision.picture.colouring import bgr_of  # noqa: PLC0415

        return bgr_of(self.pixels, self.layout)

    def small_bgr(self, shrink: int) -> Image:
        """Make the picture in colour with `shrink` pixels each way averaged into one, planes before they are joined."""
        from linesies.vision.picture.colouring import small_bgr_of  # noqa: PLC0415

        return small_bgr_of(self.pixels, self.layout, shrink)
