"""Cuts a part out of a frame as its source gave it, planes and all: it is coloured as in the whole."""

import numpy as np

from linesies.vision.picture.frame import Frame
from linesies.vision.picture.layout import Image, Layout

WHOLE = 4  # pixels: planes of a size that this divides are stacked without a rest
RIM = 4  # pixels at each side that are cut for the colour of their neighbours alone


class CutOut:
    """A part of a frame: its first pixel (column, row), and its colours once they are asked for."""

    def __init__(self, frame: Frame, corner_px: tuple[int, int]) -> None:
        self.corner_px = corner_px
        self.t_s = frame.t_s
        self._frame = frame

    @property
    def bgr(self) -> Image:
        """The part in colour (h, w, 3), as the whole frame shows it there to the last bit."""
        return self._frame.bgr[RIM:-RIM, RIM:-RIM].copy()


def cut_out(frame: Frame, middle_px: tuple[float, float], side_px: float) -> CutOut | None:
    """Cut a square round a place out of a frame; None where it does not lie in the picture whole."""
    half = WHOLE * round(side_px / 2 / WHOLE) + RIM
    left, top = (WHOLE * round(at / WHOLE) - half for at in middle_px)
    right, bottom = left + 2 * half, top + 2 * half
    width, height = frame.size_px
    if min(left, top) < 0 or right > width or bottom > height:
        return None
    rows, columns = slice(top, bottom), slice(left, right)
    part = Frame(_cut(frame, rows, columns), layout=frame.layout, number=frame.number, t_s=frame.t_s)
    return CutOut(part, (left + RIM, top + RIM))


def _cut(frame: Frame, rows: slice, columns: slice) -> Image:
    if frame.layout is Layout.BGR:
        return frame.pixels[rows, columns].copy()
    width, height = frame.size_px
    of_colour = slice(rows.start // 2, rows.stop // 2), slice(columns.start // 2, columns.stop // 2)
    u, v = frame.pixels[height:].reshape(2, height // 2, width // 2)[:, *of_colour]
    luma = frame.pixels[rows, columns]
    return np.concatenate([luma, u.reshape(-1, luma.shape[1]), v.reshape(-1, luma.shape[1])])
