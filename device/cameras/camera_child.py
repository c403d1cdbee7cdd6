"""The camera's own process: opens one live source and puts its frames into the ring until nobody listens any more.

It loads no more than that source needs, for a box has little memory.
"""

import contextlib
import os
import sys
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle

from linesies.device.cameras.opening import open_source
from linesies.device.cameras.ring import CameraOpened, Failed, RingWriter, Taken, map_ring, new_ring
from linesies.device.cameras.source import Live, Source
from linesies.device.errors import DeviceError
from linesies.device.memory import hold_little


def serve(pipe: Connection) -> None:
    """Hand over the frames of the source that is named first, until its end; what fails is told, and ends it."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError, EOFError):
        try:
            with open_source(pipe.recv()) as source:
                _hand_over(source, pipe)
            pipe.send(None)
        except DeviceError as fault:
            pipe.send(Failed(kind=type(fault).__name__, message=str(fault)))


def _hand_over(source: Source, pipe: Connection) -> None:
    frames = source.frames()
    first = next(frames)
    pipe.send(CameraOpened(size_px=source.size_px, fps=source.fps, layout=first.layout, shape=first.pixels.shape))
    with new_ring(first.pixels.shape) as memory:
        writer = RingWriter(*map_ring(os.dup(memory.fileno()), first.pixels.shape))
        send_handle(pipe, memory.fileno(), os.getppid())
    pipe.send(Taken(serial=writer.put(first.pixels), number=first.number, t_s=first.t_s))
    if isinstance(source, Live):
        source.room = writer.room
    for frame in frames:
        pipe.send(Taken(serial=writer.put(frame.pixels), number=frame.number, t_s=frame.t_s))


if __name__ == "__main__":
    hold_little()
    serve(Connection(int(sys.argv[1])))
    os._exit(0)  # a camera library may hang while it tidies up; nothing of ours is left to do
