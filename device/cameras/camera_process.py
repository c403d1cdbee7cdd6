"""A live source in a process of its own, its frames handed over through shared memory.

A camera can hang for ever, and a simulator is busy with its own work: both are kept out of the referee's
process (alone.py), where they can be killed and started again. Frames lie in a ring (ring.py); the child writes a
frame, then tells its serial number over a pipe. A reader that falls behind by more than the ring loses the
oldest frames, never the newest: it checks that a slot still holds the serial number that it was told.
"""

import contextlib
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.reduction import recv_handle
from typing import Any

from linesies.device.cameras.addresses import without_secrets
from linesies.device.cameras.ring import RING, Failed, map_ring
from linesies.device.cameras.source import Live
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.vision import Frame

STALL_S = 1.5  # a camera that hangs is told within two seconds
STARTING_S = 10.0  # to the first frame, which some cameras take long to; the USB camera's own patience is 8 s
OPENING_S = 30.0
DRAWING_S = 180.0  # a simulated street is drawn first, which takes a busy machine long
MEANWHILE_S = 0.05
FAREWELL_S = 1.0


class Apart(Live):
    """The live source `name`, opened in a child process; `lost` counts frames that came too fast to be read.

    While it opens, which may take long, `meanwhile` is called again and again.
    """

    def __init__(self, name: str, *, meanwhile: Callable[[], None] = lambda: None) -> None:
        self.name = without_secrets(name)
        self.lost = 0
        self._pipe, far_end = multiprocessing.Pipe()
        # -P: a folder named like one of ours, where the referee happens to be started, is not ours.
        # In a session of its own, for Ctrl-C is for us, who then end it
        self._child = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-P", "-m", "linesies.device.cameras.camera_child", str(far_end.fileno())],
            pass_fds=[far_end.fileno()],
            start_new_session=True,
        )
        far_end.close()
        try:
            with self._heard():
                self._pipe.send(name)  # not on the command line, where everybody could read a camera's password
                opened = self._opened(meanwhile)
                self._serials, self._ring = map_ring(recv_handle(self._pipe), opened.shape)
        except BaseException:
            self.close()
            raise
        self.size_px, self.fps, self._layout = opened.size_px, opened.fps, opened.layout

    def frames(self) -> Iterator[Frame]:
        """Yield the frames that are still in the ring, in order; raises CameraFailed or CameraStalled."""
        patience_s = STARTING_S
        while (taken := self._receive(patience_s)) is not None:
            patience_s = STALL_S
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
        with self._heard():
            if not self._pipe.poll(patience_s):
                raise CameraStalled(f"{self.name}: gives no frame any more; check the camera and its cable")
            message = self._pipe.recv()
        if isinstance(message, Failed):
            kinds = {kind.__name__: kind for kind in (CameraFailed, CameraStalled)}
            raise kinds.get(message.kind, CameraFailed)(message.message)
        return message

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """Speak with the child; raises CameraFailed where it is there no longer."""
        try:
            yield
        except (EOFError, ConnectionError):
            raise CameraFailed(f"{self.name}: its process ended; the camera is to be opened again") from None

    def close(self) -> None:
        """End the child, killing it if it hangs; one that hangs in its driver is left behind."""
        for end in (self._child.terminate, self._child.kill):
            end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(FAREWELL_S)
                break
        self._pipe.close()
