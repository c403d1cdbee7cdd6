"""What every camera source offers."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol, Self

import numpy as np

from linesies.vision import Frame, Image

Room = Callable[[tuple[int, ...]], Image]  # memory for the pixels of the next frame, by their shape


def own_room(shape: tuple[int, ...]) -> Image:
    """Make memory for a frame's pixels."""
    return np.empty(shape, np.uint8)


def as_read(frame: Frame) -> Frame:
    """Leave a frame as it was read."""
    return frame


class Source(Protocol):
    """A camera, a recording or the simulator: open it, read its frames, close it.

    `is_live` tells that frames come in their own time and are lost when nobody takes them; `has_settled` that exposure,
    colours and focus are found, as they are some time after a camera was opened.
    """

    name: str
    size_px: tuple[int, int]
    fps: float
    is_live: bool
    has_settled: bool = True

    def frames(self) -> Iterator[Frame]:
        """Yield frames to the source's end.

        Raises BadInput for a recording that breaks off (naming file and frame), CameraFailed for a live camera
        that breaks, CameraStalled for one that gives no frame within two seconds.
        """
        ...

    def close(self) -> None:
        """Let go of the camera or file; may be called twice."""
        ...

    def __enter__(self) -> Self:
        """Give the source itself; it is open already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        self.close()


def settled_frames(source: Source) -> Iterator[Frame]:
    """Yield a source's frames from when its exposure, colours and focus are found; a recording's from its first."""
    for frame in source.frames():
        if source.has_settled:
            yield frame


def focus_advice(source: Source) -> str | None:
    """Say how a lens that moves is held where it was found to stand; None where there is no such lens."""
    if not isinstance(source, Live) or source.focus_dioptres is None:
        return None
    name = f"{source.name}?focus={source.focus_dioptres:.2f}"
    return f"The focus was found at {source.focus_dioptres:.2f} dioptres; to keep it, name the camera {name}."


class Recording(Source):
    """A source that waits for its reader: pictures and films.

    `prepare` is what a film's own thread does to each frame before it is taken, for a reader that asks for it.
    """

    is_live = False
    prepare: Callable[[Frame], Frame] = staticmethod(as_read)


class Live(Source):
    """A source that goes on whether or not anyone reads it.

    A camera whose frames lie in memory of its own copies them once, to where `room` says.
    """

    is_live = True
    offers: tuple[str, ...] = ()  # what else it could be asked for, a line each
    focus_dioptres: float | None = None  # 1 / metres; where a lens that moves was found to stand
    room: Room = staticmethod(own_room)
