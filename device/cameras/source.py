"""What every camera source offers."""

from collections.abc import Iterator
from types import TracebackType
from typing import Protocol, Self

from linesies.vision import Frame


class Source(Protocol):
    """A camera, a recording or the simulator: open it, read its frames, close it.

    `is_live` tells that frames come in their own time and are lost when nobody takes them.
    """

    name: str
    size_px: tuple[int, int]
    fps: float
    is_live: bool

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


class Recording(Source):
    """A source that waits for its reader: pictures and films."""

    is_live = False


class Live(Source):
    """A source that goes on whether or not anyone reads it."""

    is_live = True
