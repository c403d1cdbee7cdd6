"""A live source in a process of its own, its frames handed over through shared memory.

A camera can hang for ever, and a simulator is busy with its own work: both are kept out of the referee's
process, where they can be killed and started again. Frames lie in a ring; the child writes a frame, then
tells its slot and serial number over a pipe. A reader that falls behind by more than the ring loses the
oldest frames, never the newest: it checks that a slot still holds the serial number that it was told.
"""

import contextlib
import mmap
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.cameras.opening import open_source
from device.cameras.source import Live
from device.errors import CameraFailed, CameraStalled, DeviceError
from vision import Frame, Image, Layout

RING = 24  # frames; 0.4 s at 60 a second
STALL_S = 1.5  # a camera that hangs is told within two seconds
OPENING_S = 30.0
DRAWING_S = 180.0  # a simulated street is drawn first, which takes a busy machine long
MEANWHILE_S = 0.05
FAREWELL_S = 1.0
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the file never has a name there
_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy the referee's threads' locks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    size_px: tuple[int, int]
    fps: float
    layout: Layout
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    serial: int
    number: int
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failed:
    kind: str
    message: str


class Apart(Live):
    """The live source `name`, opened in a child process; `lost` counts frames that came too fast to be read.

    While it opens, which may take long, `meanwhile` is called again and again.
    """

    def __init__(self, name: str, *, meanwhile: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.lost = 0
        self._pipe, far_end = _SPAWN.Pipe()
        self._child = _SPAWN.Process(target=_serve, args=(name, far_end), daemon=True, name=f"camera {name}")
        self._child.start()
        far_end.close()
        try:
            opened = self._opened(meanwhile)
        except BaseException:
            self.close()
            raise
        self.size_px, self.fps, self._layout, self._shape = opened.size_px, opened.fps, opened.layout, opened.shape
        self._serials, self._ring = _map(recv_handle(self._pipe), self._shape)

    def frames(self) -> Iterator[Frame]:
        """Yield the frames that are still in the ring, in order; raises CameraFailed or CameraStalled."""
        while (taken := self._receive(STALL_S)) is not None:
            slot = taken.serial % RING
            pixels = self._ring[slot].copy()
            if self._serials[slot] != taken.serial:
                self.lost += 1
                continue
            yield Frame(pixels, layout=self._layout, number=taken.number, t_s=taken.t_s)

    def _opened(self, meanwhile: Callable[[], None]) -> Any:
        until_s = time.monotonic() + (DRAWING_S if self.name.startswith("sim:") else OPENING_S)
        while not self._pipe.poll(MEANWHILE_S) and time.monotonic() < until_s:
            meanwhile()
        return self._receive(0.0)

    def _receive(self, patience_s: float) -> Any:
        try:
            if not self._pipe.poll(patience_s):
                raise CameraStalled(f"{self.name}: gives no frame any more; check the camera and its cable")
            message = self._pipe.recv()
        except (EOFError, ConnectionError):
            raise CameraFailed(f"{self.name}: its process ended; the camera is to be opened again") from None
        if isinstance(message, _Failed):
            kinds = {kind.__name__: kind for kind in (CameraFailed, CameraStalled)}
            raise kinds.get(message.kind, CameraFailed)(message.message)
        return message

    def close(self) -> None:
        """End the child, killing it if it hangs."""
        self._child.terminate()
        self._child.join(FAREWELL_S)
        if self._child.is_alive():
            self._child.kill()
            self._child.join(FAREWELL_S)  # one that hangs in its driver is left behind
        self._pipe.close()


def _serve(name: str, pipe: Connection) -> None:
    """Run the source in the child until it ends or nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who then ends us
    with contextlib.suppress(BrokenPipeError, ConnectionResetError, EOFError):
        try:
            with open_source(name) as source:
                _hand_over(source, pipe)
            pipe.send(None)
        except DeviceError as fault:
            pipe.send(_Failed(kind=type(fault).__name__, message=str(fault)))
    os._exit(0)  # a camera library may hang while it tidies up; nothing of ours is left to do


def _hand_over(source: Any, pipe: Connection) -> None:
    frames = source.frames()
    first = next(frames)
    pipe.send(_Opened(size_px=source.size_px, fps=source.fps, layout=first.layout, shape=first.pixels.shape))
    with tempfile.TemporaryFile(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None) as memory:
        memory.truncate(_bytes(first.pixels.shape))
        serials, ring = _map(os.dup(memory.fileno()), first.pixels.shape)
        send_handle(pipe, memory.fileno(), os.getppid())
    for serial, frame in enumerate(_with(first, frames)):
        slot = serial % RING
        serials[slot] = -1  # while it is being written it is nobody's
        ring[slot] = frame.pixels
        serials[slot] = serial
        pipe.send(_Taken(serial=serial, number=frame.number, t_s=frame.t_s))


def _bytes(shape: tuple[int, ...]) -> int:
    return RING * (8 + int(np.prod(shape)))


def _map(handle: int, shape: tuple[int, ...]) -> tuple[NDArray[np.int64], Image]:
    """Map the shared memory behind a file handle: the serial number in each slot, and the slots."""
    memory = mmap.mmap(handle, _bytes(shape))
    os.close(handle)
    serials = np.frombuffer(memory, np.int64, count=RING)
    return serials, np.frombuffer(memory, np.uint8, offset=8 * RING).reshape(RING, *shape)


def _with(first: Frame, rest: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from rest
