"""What is made of every frame, whatever the others show: its small picture's planes, and their means over squares.

It needs nothing but the frame, so it can be made beside what is done with the frames before.
"""

from dataclasses import dataclass
from typing import Self

from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.small_picture import SmallPlanes, small_planes

COARSE = 4  # small pixels each way whose mean is compared


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Glance:
    """The planes of a frame's small picture as it was taken, and the same coarsely (3, h / 4, w / 4)."""

    planes: SmallPlanes
    coarse: Image

    @classmethod
    def at(cls, frame: Frame) -> Self:
        """Take it of a frame."""
        planes = small_planes(frame)
        return cls(planes=planes, coarse=planes.averaged(COARSE))


class GlancedFrame(Frame):
    """A frame of which that is made already: by a film's thread, while the frames before are looked at."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.pixels, layout=frame.layout, number=frame.number, t_s=frame.t_s)
        self.glance = Glance.at(frame)


def glance_at(frame: Frame) -> Glance:
    """Give what was made of a frame already, or make it."""
    return frame.glance if isinstance(frame, GlancedFrame) else Glance.at(frame)
