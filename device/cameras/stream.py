"""A network camera: an RTSP address, or the Motion-JPEG that phones and cheap cameras serve over HTTP."""

import time
from collections.abc import Iterator

import av
from av.error import FFmpegError

from linesies.device.cameras.addresses import without_secrets
from linesies.device.cameras.decoding import decoded, frame_rate, opened, video_of
from linesies.device.cameras.source import Live
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.vision import Frame

STALL_S = 2.0
OPENING_S = 5.0
OPTIONS = {"flags": "low_delay", "analyzeduration": "500000"}  # microseconds
RTSP = {"rtsp_transport": "tcp"}  # a lost packet smears a picture until the next whole one
# what brings no times of its own; those that FFmpeg makes up are whole 25ths of a second
TIMELESS = ("mpjpeg", "mjpeg", "h264", "hevc")


class NetworkCamera(Live):
    """A camera that sends its film over the network; it is named without its password."""

    def __init__(self, address: str) -> None:
        self.name = without_secrets(address)
        options = OPTIONS | (RTSP if address.lower().startswith("rtsp") else {})
        try:
            self._container = opened(address, options=options, timeout=(OPENING_S, STALL_S))
        except (FFmpegError, OSError) as fault:
            raise CameraFailed(
                f"{self.name}: cannot be opened ({fault.strerror}); check address, password and network"
            ) from None
        stream = video_of(self._container)
        if stream is None:
            self.close()
            raise CameraFailed(
                f"{self.name}: sends no video that can be decoded; give the address of its film, not of its page"
            )
        self._stream = stream
        self.size_px = (self._stream.width, self._stream.height)
        self.fps = frame_rate(self._stream)

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they arrive; time 0 is the first one's."""
        number = 0
        clock = time.monotonic if self._container.format.name in TIMELESS else None
        try:
            for frame in decoded(self._container.demux(self._stream), self._stream, clock=clock):
                if frame.size_px != self.size_px:
                    raise CameraFailed(f"{self.name}: sends another size all at once; was the phone turned?")
                yield frame
                number += 1
        except av.error.ExitError:
            raise CameraStalled(
                f"{self.name}: no frame for {STALL_S:.0f} s; check the camera and the network"
            ) from None
        except FFmpegError as fault:
            raise CameraFailed(f"{self.name}: broke off after frame {number} ({fault.strerror})") from None
        raise CameraFailed(f"{self.name}: stopped sending after frame {number}; check the camera")

    def close(self) -> None:
        """Hang up."""
        self._container.close()
