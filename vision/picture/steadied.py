"""A frame as it would look had the camera not moved: each pixel where the calibration has it."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from linesies.vision.picture.displacement import Displacement
from linesies.vision.picture.frame import Frame, Image, Layout


class SteadiedFrame(Frame):
    """A picture of which no more is brought back to its calibrated place than is asked for."""

    def __init__(self, raw: Frame, displacement: Displacement) -> None:
        self._raw = raw
        self._displacement = displacement
        self.layout = raw.layout
        self.number = raw.number
        self.t_s = raw.t_s

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self._raw.size_px

    @cached_property
    def pixels(self) -> Image:  # type: ignore[override]  # made when asked for
        """The pixels laid out as `layout` says, plane by plane."""
        if self.layout is Layout.BGR:
            return self._displacement.undone(self._raw.pixels)
        width, height = self._raw.size_px
        colours = self._raw.pixels[height:].reshape(2, height // 2, width // 2)
        back = [self._displacement.undone(plane, is_sharp=False).ravel() for plane in colours]
        return np.vstack([self.luma, np.concatenate(back).reshape(-1, width)])  # one may end within a row

    @cached_property
    def luma(self) -> Image:
        """Brightness (H, W)."""
        return self._displacement.undone(self._raw.luma)

    def luma_kept(self, rows: slice, columns: slice) -> Callable[[], Image]:
        """Keep the brightness of a window of the picture, which is brought back when it is asked for."""
        return self._displacement.kept(self._raw.luma, (rows, columns))


def steadied(frame: Frame, displacement: Displacement) -> Frame:
    """Show a frame as it would look had the camera not moved."""
    return frame if displacement.is_negligible else SteadiedFrame(frame, displacement)
