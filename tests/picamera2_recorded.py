"""The part of picamera2's API that our camera uses, as its source has it, and a stand-in that holds to it.

Recorded from picamera2 0.3.36 (picamera2/picamera2.py and picamera2/request.py): names, parameters, and what
`sensor_modes` and metadata hold. The stand-in refuses any call that the recorded signatures would not take.
"""

import inspect
from types import SimpleNamespace

import numpy as np

SIGNATURES = {
    "__init__": "camera_num=0, verbose_console=None, tuning=None, allocator=None",
    "create_video_configuration": "main={}, lores=None, raw={}, transform=None, colour_space=None, buffer_count=6, "
    "controls={}, display='main', encode='main', queue=True, sensor={}, use_case='video'",
    "configure": "camera_config=None",
    "start": "config=None, show_preview=False",
    "close": "",
    "capture_request": "wait=None, signal_function=None, flush=None",
    "wait": "job, timeout=None",
    "set_controls": "controls",
}
REQUEST_SIGNATURES = {"make_array": "name", "get_metadata": "", "release": ""}
MODULE_3 = [  # sensor_modes of a Camera Module 3
    {"size": (1536, 864), "fps": 120.13, "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "fps": 56.03, "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
    {"size": (4608, 2592), "fps": 14.35, "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
]
# of the others, as `rpicam-hello --list-cameras` prints them
MODULE_2 = [
    {"size": (640, 480), "fps": 103.33, "bit_depth": 10, "crop_limits": (1000, 752, 1280, 960)},
    {"size": (1640, 1232), "fps": 41.85, "bit_depth": 10, "crop_limits": (0, 0, 3280, 2464)},
    {"size": (1920, 1080), "fps": 47.57, "bit_depth": 10, "crop_limits": (680, 692, 1920, 1080)},
    {"size": (3280, 2464), "fps": 21.19, "bit_depth": 10, "crop_limits": (0, 0, 3280, 2464)},
]
HQ = [
    {"size": (1332, 990), "fps": 120.05, "bit_depth": 10, "crop_limits": (696, 528, 2664, 1980)},
    {"size": (2028, 1080), "fps": 50.03, "bit_depth": 12, "crop_limits": (0, 440, 4056, 2160)},
    {"size": (2028, 1520), "fps": 40.01, "bit_depth": 12, "crop_limits": (0, 0, 4056, 3040)},
    {"size": (4056, 3040), "fps": 10.0, "bit_depth": 12, "crop_limits": (0, 0, 4056, 3040)},
]
GLOBAL_SHUTTER = [{"size": (1456, 1088), "fps": 60.38, "bit_depth": 10, "crop_limits": (0, 0, 1456, 1088)}]


def signature(parameters: str) -> inspect.Signature:
    """Turn recorded parameters into a signature without `self`."""
    return inspect.signature(eval(f"lambda {parameters}: None"))


class StandIn:
    """A camera that answers as picamera2 would; `calls` lists what was asked, `held` counts requests not given back."""

    def __init__(self, *args, **kwargs) -> None:
        signature(SIGNATURES["__init__"]).bind(*args, **kwargs)
        self.calls, self.held, self.sensor_modes, self.silent_after, self.taken = [], 0, MODULE_3, 5, 0
        self.camera_controls = {"AfMode": (0, 2, 0), "AeEnable": (False, True, True)}

    @staticmethod
    def global_camera_info() -> list[dict]:
        return [{"Model": "imx708", "Num": 0}]

    def __getattr__(self, name: str):
        if name not in SIGNATURES:
            raise AttributeError(f"picamera2 has no {name} on record")

        def call(*args, **kwargs):
            bound = signature(SIGNATURES[name]).bind(*args, **kwargs)
            self.calls.append((name, bound.arguments))
            return getattr(self, f"_{name}", lambda **_: None)(**bound.arguments)

        return call

    def _create_video_configuration(self, **asked):
        self.size_px = asked["main"]["size"]
        return asked

    def _wait(self, job, timeout):
        if self.taken >= self.silent_after:
            raise TimeoutError
        self.taken += 1
        self.held += 1
        return Request(self)


class Request:
    """One completed request: an array padded to a stride of 64, and the sensor's time in nanoseconds."""

    def __init__(self, camera: StandIn) -> None:
        self._camera = camera
        self._n = camera.taken

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main"
        width, height = self._camera.size_px
        return np.full((height * 3 // 2, -(-width // 64) * 64), self._n, np.uint8)

    def get_metadata(self) -> dict:
        return {"SensorTimestamp": 5_000_000_000 + self._n * 17_857_142, "ExposureTime": 1000, "AnalogueGain": 2.0}

    def release(self) -> None:
        self._camera.held -= 1


LIBCAMERA = SimpleNamespace(
    ColorSpace=SimpleNamespace(Sycc=lambda: "sYCC"),
    controls=SimpleNamespace(
        AeExposureModeEnum=SimpleNamespace(Short="short"),
        AfModeEnum=SimpleNamespace(Auto="auto"),
        AfTriggerEnum=SimpleNamespace(Start="start"),
    ),
)
