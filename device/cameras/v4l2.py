"""A USB camera through Video4Linux."""

from collections.abc import Iterator
from pathlib import Path

import cv2

from linesies.device.cameras.source import Live
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.vision import Frame

ASKED_SIZE_PX = (1280, 720)
ASKED_FPS = 60
STALL_MS = 2000


class UsbCamera(Live):
    """Camera /dev/video`n`, asked for 1280x720 at 60 frames a second as Motion-JPEG; it gives what it can."""

    def __init__(self, n: int) -> None:
        self.name = f"v4l2:{n}"
        if not Path(f"/dev/video{n}").exists():
            raise CameraFailed(f"{self.name}: there is no /dev/video{n}; plug the camera in, or choose another number")
        self._capture = cv2.VideoCapture(n, cv2.CAP_V4L2, [cv2.CAP_PROP_READ_TIMEOUT_MSEC, STALL_MS])
        if not self._capture.isOpened():
            raise CameraFailed(f"{self.name}: cannot be opened; is another program using it, are you in group video?")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, ASKED_SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, ASKED_SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_FPS, ASKED_FPS)
        width = int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        self.size_px = (width, int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        self.fps = self._capture.get(cv2.CAP_PROP_FPS) or float(ASKED_FPS)

    def frames(self) -> Iterator[Frame]:
        """Yield frames with the driver's time stamps; time 0 is the first one's."""
        number, first_ms = 0, None
        while True:
            is_read, image = self._capture.read()
            if not is_read and not Path(f"/dev/{self.name.replace('v4l2:', 'video')}").exists():
                raise CameraFailed(f"{self.name}: was unplugged; plug it in again")
            if not is_read:
                raise CameraStalled(f"{self.name}: no frame for {STALL_MS // 1000} s; unplug it and plug it in again")
            taken_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
            first_ms = taken_ms if first_ms is None else first_ms
            yield Frame.from_bgr(image, number=number, t_s=(taken_ms - first_ms) / 1000)
            number += 1

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()
