"""The part of picamera2's API that our camera uses, as its source has it, and a stand-in that holds to it.

Recorded from picamera2 0.3.36 (picamera2/picamera2.py and picamera2/request.py): names, parameters, and what
`sensor_modes` and metadata hold. The stand-in refuses any call that the recorded signatures would not take, and any
control that the camera does not offer or whose value lies outside, as picamera2/controls.py and libcamera do.
Modes, controls and their ranges are those that `rpicam-hello --list-cameras -v` prints, libcamera 0.5 (2025), after
libcamera's own erasing of colour controls from a grey sensor's.
"""

import inspect
from types import SimpleNamespace
from typing import Self

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
    "camera_configuration": "",
}
REQUEST_SIGNATURES = {"get_metadata": "", "release": ""}
MAPPED_SIGNATURES = {"__init__": "request, stream, reshape=True, write=True", "__enter__": ""}
MODULE_3 = [  # imx708
    {"size": (1536, 864), "fps": 120.13, "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "fps": 56.03, "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
    {"size": (4608, 2592), "fps": 14.35, "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
]
MODULE_2 = [  # imx219
    {"size": (640, 480), "fps": 103.33, "bit_depth": 10, "crop_limits": (1000, 752, 1280, 960)},
    {"size": (1640, 1232), "fps": 41.85, "bit_depth": 10, "crop_limits": (0, 0, 3280, 2464)},
    {"size": (1920, 1080), "fps": 47.57, "bit_depth": 10, "crop_limits": (680, 692, 1920, 1080)},
    {"size": (3280, 2464), "fps": 21.19, "bit_depth": 10, "crop_limits": (0, 0, 3280, 2464)},
]
MODULE_2 += [mode | {"bit_depth": 8} for mode in MODULE_2]
HQ = [  # imx477
    {"size": (1332, 990), "fps": 120.05, "bit_depth": 10, "crop_limits": (696, 528, 2664, 1980)},
    {"size": (2028, 1080), "fps": 50.03, "bit_depth": 12, "crop_limits": (0, 440, 4056, 2160)},
    {"size": (2028, 1520), "fps": 40.01, "bit_depth": 12, "crop_limits": (0, 0, 4056, 3040)},
    {"size": (4056, 3040), "fps": 10.0, "bit_depth": 12, "crop_limits": (0, 0, 4056, 3040)},
]
GLOBAL_SHUTTER = [  # imx296
    {"size": (1456, 1088), "fps": 60.38, "bit_depth": 10, "crop_limits": (0, 0, 1456, 1088)}
]
GREY = {  # what a grey Global Shutter offers of what we ask for: least and most
    "AeEnable": (False, True),
    "AeExposureMode": (0, 3),
    "AnalogueGain": (1.0, 251.188644),
    "ExposureTime": (29, 15_534_385),
    "FrameDurationLimits": (16_562, 15_534_444),
}
COLOURED = GREY | {"AwbEnable": (False, True), "ColourGains": (0.0, 32.0)}
FOCUSED = COLOURED | {  # Camera Module 3, in its mode of 56 frames a second
    "AnalogueGain": (1.122807, 16.0),
    "ExposureTime": (13, 220_416_802),
    "FrameDurationLimits": (17_848, 220_535_845),  # the least as its 56.03 a second tell
    "AfMode": (0, 2),
    "AfTrigger": (0, 1),
    "LensPosition": (0.0, 32.0),
}
USB = [{"format": "MJPEG"}, {"format": "YUYV"}]  # no size, no crop: what picamera2 lists for a USB camera


def signature(parameters: str) -> inspect.Signature:
    """Turn recorded parameters into a signature without `self`."""
    return inspect.signature(eval(f"lambda {parameters}: None"))


class StandIn:
    """A camera that answers as picamera2 would; `calls` lists what was asked, `held` counts requests not given back."""

    def __init__(self, *args, **kwargs) -> None:
        signature(SIGNATURES["__init__"]).bind(*args, **kwargs)
        self.calls, self.held, self.sensor_modes, self.silent_after, self.taken = [], 0, MODULE_3, 5, 0
        self.camera_controls = FOCUSED
        self.adjusted = {}  # what the pipeline makes of the wish
        self.focus_states = iter(())  # what the lens says of itself, frame by frame; then it has found its focus

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
        self._set_controls(asked["controls"])
        return asked

    def _configure(self, camera_config):
        self._given = camera_config["main"] | self.adjusted

    def _camera_configuration(self):
        return {"main": self._given}

    def _set_controls(self, controls):
        for name, value in controls.items():
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            low, high = self.camera_controls[name]
            for one in value if isinstance(value, tuple) else (value,):
                assert low <= one <= high, name

    def _wait(self, job, timeout):
        if self.taken >= self.silent_after:
            raise TimeoutError
        self.taken += 1
        self.held += 1
        return Request(self)


class Request:
    """One completed request, with the sensor's time in nanoseconds."""

    def __init__(self, camera: StandIn) -> None:
        self.camera = camera
        self.n = camera.taken

    def get_metadata(self) -> dict:
        told = {"SensorTimestamp": 5_000_000_000 + self.n * 17_857_142, "ExposureTime": 1000, "AnalogueGain": 2.0}
        if "ColourGains" in self.camera.camera_controls:
            told |= {"ColourGains": (1.9, 1.4)}
        if "LensPosition" in self.camera.camera_controls:
            told |= {"LensPosition": 0.52, "AfState": next(self.camera.focus_states, 2)}
        return told

    def release(self) -> None:
        self.camera.held -= 1


class Lent:
    """A request's pixels without a copy, padded to a stride of 64; they are the camera's again afterwards."""

    def __init__(self, *args, **kwargs) -> None:
        asked = signature(MAPPED_SIGNATURES["__init__"]).bind(*args, **kwargs).arguments
        assert asked["stream"] == "main"
        camera = asked["request"].camera
        width, height = camera._given["size"]
        self.array = np.full((height * 3 // 2, -(-width // 64) * 64), asked["request"].n, np.uint8)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.array = None


LIBCAMERA = SimpleNamespace(
    ColorSpace=SimpleNamespace(Sycc=lambda: "sYCC"),
    controls=SimpleNamespace(
        AeExposureModeEnum=SimpleNamespace(Short=1),
        AfModeEnum=SimpleNamespace(Manual=0, Auto=1),
        AfTriggerEnum=SimpleNamespace(Start=0),
    ),
)
