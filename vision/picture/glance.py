"""What is made of every frame, whatever the others show: its small picture's planes, and their means over squares.

It needs nothing but the frame, so it can be made beside what is done with the frames before.
"""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np

from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.small_picture import small_planes

HALVINGS = 2
COARSE = 2**HALVINGS  # small pixels each way whose mean is compared


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Glance:
    """The planes (h, w) of a frame's small picture as it was taken, and the same coarsely (3, h / 4, w / 4)."""

    planes: tuple[Image, Image, Image]
    coarse: Image

    @classmethod
    def at(cls, frame: Frame) -> Self:
        """Take it of a frame."""
        planes = small_planes(frame)
        return cls(planes=planes, coarse=np.stack([_coarse(plane) for plane in planes]))


class GlancedFrame(Frame):
    """A frame of which that is made already: by a film's thread, while the frames before are looked at."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.pixels, layout=frame.layout, number=frame.number, t_s=frame.t_s)
        self.glance = Glance.at(frame)


def glance_at(frame: Frame) -> Glance:
    """Give what was made of a frame already, or make it."""
    return frame.glance if isinstance(frame, GlancedFrame) else Glance.at(frame)


def _coarse(plane: Image) -> Image:
    """Average squares of small pixels: by halves, which takes a fraction of the time."""
    for _ in range(HALVINGS):
        size = (max(plane.shape[1] // 2, 1), max(plane.shape[0] // 2, 1))
        plane = cv2.resize(plane, size, interpolation=cv2.INTER_AREA)
    return plane
