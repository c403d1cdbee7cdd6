"""A USB camera through Video4Linux: OpenCV reads its frames, the driver's controls hold its picture."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator

import cv2
import numpy as np

from linesies.device.cameras import v4l2_controls
from linesies.device.cameras.source import Live
from linesies.device.cameras.steadying import CameraWish, Steadying
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.vision import Frame, Image

SIZES_PX = ((1280, 720), (640, 480))  # a camera without Motion-JPEG sends the first one too slowly over USB 2
ASKED_FPS, ENOUGH_FPS = 60, 25
STALL_S = 1  # OpenCV waits for whole seconds, and by itself ten
STARTING_S = 8  # some cameras take long to their first frame
QUERY = 0x80685600  # VIDIOC_QUERYCAP: answers as long as the camera is plugged in
QUERY_BYTES = 104
EMPTY: Image = np.zeros((0, 0, 3), np.uint8)
MENDS = {
    errno.ENOENT: "there is no {path}; plug the camera in, or choose another number",
    errno.EACCES: "{path} may not be opened; run: sudo usermod -aG video $USER, and log in again",
    errno.EBUSY: "{path} is used by another program; end that",
}


class UsbCamera(Live):
    """Camera /dev/video`n`, asked for Motion-JPEG of 1280x720 at 60 frames a second; it gives what it can."""

    has_settled = False

    def __init__(self, n: int) -> None:
        self.name = f"v4l2:{n}"
        self._path = f"/dev/video{n}"
        try:
            self._device: int | None = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)
        except OSError as fault:
            mend = MENDS.get(fault.errno or 0, "{path} cannot be opened ({why}); plug the camera in again")
            raise CameraFailed(f"{self.name}: {mend.format(path=self._path, why=fault.strerror)}") from None
        # OpenCV reads this once, at its first camera; the property of that name it refuses for Video4Linux
        os.environ["OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"] = str(STALL_S)
        self._capture = cv2.VideoCapture(n, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self.close()
            raise CameraFailed(f"{self.name}: {self._path} gives no pictures; is it a camera, and does no one use it?")
        v4l2_controls.keep_rate(self._device)
        v4l2_controls.find(self._device)
        for size_px in SIZES_PX:
            self.size_px, self.fps = self._asked(size_px)
            if self.fps >= ENOUGH_FPS:
                break

    def frames(self) -> Iterator[Frame]:
        """Yield frames with the driver's time stamps; time 0 is the first one's."""
        steadying, number, first_ms = Steadying(), 0, None
        while True:
            image = self._read(STALL_S if number else STARTING_S)
            taken_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
            first_ms = taken_ms if first_ms is None else first_ms
            self._obey(steadying.wish(image[:, :, 1]))  # green is most of brightness
            self.has_settled = steadying.has_settled
            yield Frame.from_bgr(image, number=number, t_s=(taken_ms - first_ms) / 1000)
            number += 1

    def close(self) -> None:
        """Let go of the device."""
        if self._device is not None:
            os.close(self._device)
            self._device = None
        self._capture.release()

    def _asked(self, size_px: tuple[int, int]) -> tuple[tuple[int, int], float]:
        """Ask for a size; gives that which comes, and its frames a second."""
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        self._capture.set(cv2.CAP_PROP_FPS, ASKED_FPS)
        given = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        width, height = (int(self._capture.get(side)) for side in given)
        return (width, height), self._capture.get(cv2.CAP_PROP_FPS) or float(ASKED_FPS)

    def _read(self, patience_s: int) -> Image:
        until_s = time.monotonic() + patience_s
        while True:  # now and then a picture arrives broken, and the next one is whole
            is_read, image = self._picture()
            if is_read and (image.shape[1], image.shape[0]) != self.size_px:
                raise CameraFailed(f"{self.name}: sends another size all at once; it is to be opened again")
            if is_read:
                return image
            if not self._is_plugged_in():
                raise CameraFailed(f"{self.name}: was unplugged; plug it in again")
            if time.monotonic() >= until_s:
                raise CameraStalled(f"{self.name}: no frame for {patience_s} s; unplug it and plug it in again")

    def _picture(self) -> tuple[bool, Image]:
        """Take the next picture; one of no bytes at all, over which OpenCV stumbles, is none."""
        try:
            return self._capture.read()
        except cv2.error:
            return False, EMPTY

    def _is_plugged_in(self) -> bool:
        try:
            fcntl.ioctl(self._device or -1, QUERY, bytes(QUERY_BYTES))
        except OSError:
            return False
        return True

    def _obey(self, wish: CameraWish) -> None:
        if self._device is not None and wish is CameraWish.HOLD:
            v4l2_controls.hold(self._device)
        if self._device is not None and wish is CameraWish.FIND:
            v4l2_controls.find(self._device)
