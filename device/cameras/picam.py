"""A Raspberry Pi camera through picamera2 (0.3.12 and later), imported only when it is chosen.

Rule 1: the camera's own clock stamps each frame (`SensorTimestamp`). Rule 2: the sensor mode and the frame
duration are asked for in so many words; picamera2's own default is 30 frames a second. Rule 3: each
request is given back, or the camera runs out of buffers. Rule 4: exposure, colours and focus are held while a game
runs (steadying.py); the camera is opened anew for each game, and finds them anew.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from linesies.device.cameras.source import Live
from linesies.device.cameras.steadying import Steadying
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.vision import Frame, Image

STALL_S = 2.0
BUFFERS = 6
ENOUGH_FPS = 40.0  # below that a fast cap is lost between frames


class PiCamera(Live):
    """Pi camera number `n`, in its largest mode that shows the whole field at 40 frames a second or more."""

    def __init__(self, n: int) -> None:
        self.name = f"picamera2:{n}"
        try:
            import libcamera  # noqa: PLC0415 - only on a Pi, and only when chosen
            from picamera2 import Picamera2  # noqa: PLC0415
        except ImportError as fault:
            raise CameraFailed(
                f"{self.name}: picamera2 cannot be imported ({fault}); on a Pi run: sudo apt install python3-picamera2"
            ) from None
        if n >= len(Picamera2.global_camera_info()):
            raise CameraFailed(
                f"{self.name}: there is no such camera; check the ribbon and run: rpicam-hello --list-cameras"
            )
        self._camera = Picamera2(n)
        mode = choose_mode(self._camera.sensor_modes)
        self.size_px, self.fps = even(mode["size"]), float(mode["fps"])
        duration_us = math.ceil(1e6 / self.fps)  # never shorter than the sensor can
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": self.size_px, "format": "YUV420"},
                sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]},
                colour_space=libcamera.ColorSpace.Sycc(),
                buffer_count=BUFFERS,
                controls=self._offered(
                    {
                        "FrameDurationLimits": (duration_us, duration_us),
                        "AeExposureMode": libcamera.controls.AeExposureModeEnum.Short,
                    }
                ),
            )
        )
        self._camera.start()
        modes, triggers = libcamera.controls.AfModeEnum, libcamera.controls.AfTriggerEnum
        self._set({"AfMode": modes.Auto, "AfTrigger": triggers.Start})  # a lens that moves: once, and then it stays

    def frames(self) -> Iterator[Frame]:
        """Yield frames as the sensor takes them; time 0 is the first one's."""
        first_ns: int | None = None
        number = 0
        steadying = Steadying()
        while True:
            request = self._next_request()
            try:
                metadata = request.get_metadata()
                planes = unpadded(request.make_array("main"), self.size_px)
            finally:
                request.release()
            taken_ns = metadata["SensorTimestamp"]
            self._set(steadying.wishes(planes[: self.size_px[1]], metadata))
            first_ns = taken_ns if first_ns is None else first_ns
            yield Frame.from_yuv420(planes, number=number, t_s=(taken_ns - first_ns) / 1e9, is_full_range=True)
            number += 1

    def _set(self, wishes: dict[str, Any]) -> None:
        if offered := self._offered(wishes):
            self._camera.set_controls(offered)

    def _offered(self, wishes: dict[str, Any]) -> dict[str, Any]:
        """Leave out what this camera has not: no focus on most, no colours on a grey one; picamera2 would raise."""
        return {name: wish for name, wish in wishes.items() if name in self._camera.camera_controls}

    def _next_request(self) -> Any:
        try:
            return self._camera.wait(self._camera.capture_request(wait=False), timeout=STALL_S)
        except TimeoutError:
            raise CameraStalled(f"{self.name}: no frame for {STALL_S:.0f} s; check the ribbon at both ends") from None

    def close(self) -> None:
        """Stop and let go of the camera."""
        self._camera.close()


def choose_mode(modes: list[dict[str, Any]]) -> dict[str, Any]:
    """Pick the sensor mode that sees the whole field, fast enough to follow caps, with the most pixels."""
    modes = [mode for mode in modes if "crop_limits" in mode]  # what is no sensor's own has a format and nothing else

    def field(mode: dict[str, Any]) -> int:
        return mode["crop_limits"][2] * mode["crop_limits"][3]

    whole = max(field(mode) for mode in modes)
    full = [mode for mode in modes if field(mode) >= 0.98 * whole]
    fast = [mode for mode in full if mode["fps"] >= ENOUGH_FPS]
    if fast:
        return max(fast, key=lambda mode: (mode["size"][0] * mode["size"][1], mode["bit_depth"]))
    return max(full, key=lambda mode: mode["fps"])


def even(size_px: tuple[int, int]) -> tuple[int, int]:
    """Round a size down to even numbers, as YUV 4:2:0 needs."""
    return size_px[0] // 2 * 2, size_px[1] // 2 * 2


def unpadded(planes: Image, size_px: tuple[int, int]) -> Image:
    """Cut the padding off each row of stacked planes: Y rows are padded to the stride, U and V rows to half of it."""
    width, height = size_px
    stride = planes.shape[1]
    if stride == width:
        return planes
    luma = planes[:height, :width]
    colour = planes[height:].reshape(height, stride // 2)[:, : width // 2]
    return np.vstack([luma, np.ascontiguousarray(colour).reshape(height // 2, width)])
