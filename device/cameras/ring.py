"""What a camera's own process and the referee's share: a ring of frames in memory, and the few words between them.

The camera writes a frame into a slot, then tells its serial number; each slot holds the serial number of its frame, -1
while it is being written.
"""

import mmap
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from linesies.device.errors import CameraFailed
from linesies.vision import Image, Layout

RING = 12  # frames; a fifth of a second at 60 a second, longer than a call takes
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the file never has a name there


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraOpened:
    """The camera gives frames: their size in the camera's and in memory's terms."""

    size_px: tuple[int, int]
    fps: float
    layout: Layout
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A frame lies in the ring, in slot `serial` modulo the ring's length."""

    serial: int
    number: int
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The source failed with an error of that name."""

    kind: str
    message: str


def new_ring(shape: tuple[int, ...]) -> BinaryIO:
    """Open a nameless file in memory, large enough for a ring of frames of that shape."""
    memory = tempfile.TemporaryFile(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None)  # noqa: SIM115 - the caller's
    memory.truncate(_bytes(shape))
    return memory


def map_ring(handle: int, shape: tuple[int, ...]) -> tuple[NDArray[np.int64], Image]:
    """Map the memory behind a file handle, and close that: the serial number in each slot, and the slots."""
    memory = mmap.mmap(handle, _bytes(shape))
    os.close(handle)
    serials = np.frombuffer(memory, np.int64, count=RING)
    return serials, np.frombuffer(memory, np.uint8, offset=8 * RING).reshape(RING, *shape)


class RingWriter:
    """Puts each frame into the ring's next slot; remembers which that is.

    A camera may write there itself, to where `room` says, so that its frame is copied once.
    """

    def __init__(self, serials: NDArray[np.int64], ring: Image) -> None:
        self._serials = serials
        self._slots = tuple(ring)
        self._serial = 0

    def room(self, shape: tuple[int, ...]) -> Image:
        """Give the next slot to write to; from now on it is nobody's."""
        slot = self._slots[self._serial % RING]
        if slot.shape != shape:
            raise CameraFailed(f"its frames are of {shape} all at once, not of {slot.shape}; it is to be opened again")
        self._serials[self._serial % RING] = -1
        return slot

    def put(self, pixels: Image) -> int:
        """Put a frame there, unless it lies there already; gives its serial number."""
        slot = self._slots[self._serial % RING]
        if pixels is not slot:
            self.room(pixels.shape)[...] = pixels
        serial, self._serial = self._serial, self._serial + 1
        self._serials[serial % RING] = serial
        return serial


def _bytes(shape: tuple[int, ...]) -> int:
    return RING * (8 + int(np.prod(shape)))
