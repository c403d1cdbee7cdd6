"""A network camera: an RTSP address."""

from collections.abc import Iterator

import av
from av.error import FFmpegError

from linesies.device.cameras.decoding import decoded, frame_rate
from linesies.device.cameras.source import Live
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.vision import Frame

STALL_S = 2.0
OPENING_S = 5.0
OPTIONS = {"rtsp_transport": "tcp", "flags": "low_delay", "analyzeduration": "500000"}  # microseconds


class NetworkCamera(Live):
    """A camera that sends its film over RTSP."""

    def __init__(self, address: str) -> None:
        self.name = address
        try:
            self._container = av.open(address, options=OPTIONS, timeout=(OPENING_S, STALL_S))
        except (FFmpegError, OSError) as fault:
            raise CameraFailed(
                f"{address}: cannot be opened ({fault.strerror or fault}); check address, password and network"
            ) from None
        if not self._container.streams.video:
            self.close()
            raise CameraFailed(f"{address}: sends no video; give the address of its film")
        self._stream = self._container.streams.video[0]
        self.size_px = (self._stream.width, self._stream.height)
        self.fps = frame_rate(self._stream)

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they arrive; time 0 is the first one's."""
        number = 0
        try:
            for frame in decoded(self._container, self._stream):
                yield frame
                number += 1
        except av.error.ExitError:
            raise CameraStalled(
                f"{self.name}: no frame for {STALL_S:.0f} s; check the camera and the network"
            ) from None
        except (FFmpegError, OSError) as fault:
            raise CameraFailed(f"{self.name}: broke off after frame {number} ({fault.strerror or fault})") from None
        raise CameraFailed(f"{self.name}: stopped sending after frame {number}; check the camera")

    def close(self) -> None:
        """Hang up."""
        self._container.close()
