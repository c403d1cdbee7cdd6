"""The part of libcamera's Python binding on which picamera2's own code runs, and sensors behind it.

Recorded from libcamera 0.5 (src/py/libcamera/*.cpp and the Raspberry Pi pipeline handlers): names, and what a pipeline
answers. Its binding comes with Raspberry Pi OS alone; picamera2 is Python and can be had anywhere. What else picamera2
imports (TIFF, EXIF, encoders) a camera never asks for, and is a stand-in where it is not installed.
"""

import contextlib
import importlib
import math
import os
import sys
import threading
import time
import weakref
from dataclasses import dataclass, field
from enum import Enum
from importlib.util import find_spec
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest

from tests import picamera2_recorded as recorded

UNUSED = (
    *("videodev2", "v4l2", "simplejpeg", "piexif", "pidng", "pidng.camdefs", "pidng.core", "prctl", "pykms"),
    *("PIL", "libarchive", "libarchive.read", "tqdm", "jsonschema", "OpenEXR", "Imath"),
)
ALIGNED_BYTES = 128  # of a row of brightness, so that a row of colour is aligned to 64
LUMA, BLUE, RED = 40, 50, 90
EPOCH_NS, FRAME_NS = 5_000_000_000, 17_849_000
EXPOSURE_S = 0.005  # quicker than the sensor
FOUND = {"ExposureTime": 5000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.4), "LensPosition": 0.52, "AfState": 2}


class Named:
    """A control's or property's number in libcamera: known by its name."""

    type = None

    def __init__(self, name: str) -> None:
        self.name = name


@dataclass
class Size:
    width: int
    height: int


@dataclass
class Rectangle:
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class PixelFormat:
    name: str

    def __str__(self) -> str:
        return self.name


class ColorSpace:
    YcbcrEncoding = Enum("YcbcrEncoding", "Null Rec601")
    Range = Enum("Range", "Full Limited")

    def __init__(self, other: "ColorSpace | None" = None, *, primaries: str = "Raw", curve: str = "Linear") -> None:
        self.primaries, self.transferFunction = (
            (other.primaries, other.transferFunction) if other else (primaries, curve)
        )
        self.ycbcrEncoding, self.range = self.YcbcrEncoding.Rec601, self.Range.Full

    @classmethod
    def Sycc(cls) -> "ColorSpace":  # noqa: N802 - libcamera's names
        return cls(primaries="Rec709", curve="Srgb")

    @classmethod
    def Smpte170m(cls) -> "ColorSpace":  # noqa: N802
        return cls(primaries="Smpte170m", curve="Rec709")

    @classmethod
    def Rec709(cls) -> "ColorSpace":  # noqa: N802
        return cls(primaries="Rec709", curve="Rec709")

    @classmethod
    def Raw(cls) -> "ColorSpace":  # noqa: N802
        return cls()

    def __str__(self) -> str:  # picamera2 makes it their repr as well
        return f"{self.primaries}/{self.transferFunction}"

    __hash__ = object.__hash__


class Transform:
    def __init__(self, other: "Transform | None" = None, *, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
        self.hflip, self.vflip, self.transpose = (
            (other.hflip, other.vflip, other.transpose) if other else (hflip, vflip, transpose)
        )

    def __str__(self) -> str:
        return f"{self.hflip}{self.vflip}{self.transpose}"

    __hash__ = object.__hash__


Orientation = Enum(
    "Orientation",
    "Rotate0 Rotate0Mirror Rotate180 Rotate180Mirror Rotate90 Rotate90Mirror Rotate270 Rotate270Mirror",
)
ConfigurationStatus = Enum("ConfigurationStatus", "Valid Adjusted Invalid")
Status = Enum("Status", "Pending Complete Success")
CONTROLS = {
    name: Named(name)
    for name in (
        *("AeEnable", "AeExposureMode", "AfMode", "AfState", "AfTrigger", "AnalogueGain", "AnalogueGainMode"),
        *("AwbEnable", "ColourGains", "ExposureTime", "ExposureTimeMode", "FrameDurationLimits", "LensPosition"),
        *("NoiseReductionMode", "ScalerCrop", "SensorTimestamp"),
    )
}
PROPERTIES = {name: Named(name) for name in ("Model", "ColorFilterArrangement", "ScalerCropMaximum")}


@dataclass
class Sensor:
    """A sensor: its own modes as picamera2 tells them, and what it offers to be set."""

    modes: list[dict]
    offered: dict
    model: str = "imx708"
    adjusts_to: str | None = None  # what the pipeline makes of our format
    frames: float = math.inf  # after so many it falls silent
    set: list[dict] = field(default_factory=list)  # what was set, in its order
    is_released: bool = False

    @property
    def is_usb(self) -> bool:
        return "size" not in self.modes[0]


class Stream:
    """What is asked of one stream, and given."""

    def __init__(self, sensor: Sensor, *, is_raw: bool) -> None:
        self.size, self.pixel_format, self.buffer_count = Size(640, 480), PixelFormat("YUYV"), 4
        self.stride = self.frame_size = 0
        self.color_space = None
        self.stream = object()
        raws = sensor.modes if is_raw or sensor.is_usb else []
        names = dict.fromkeys(_raw_format(mode) for mode in raws)
        self.formats = SimpleNamespace(
            pixel_formats=[PixelFormat(name) for name in names],
            sizes=lambda pixel: [
                Size(*mode.get("size", (1280, 720))) for mode in raws if _raw_format(mode) == str(pixel)
            ],
        )


class Configuration(list):
    """Streams in their order; `validate` says whether the pipeline will give them."""

    Status = ConfigurationStatus

    def __init__(self, sensor: Sensor, streams: list[Stream]) -> None:
        super().__init__(streams)
        self.sensor, self.orientation, self.sensor_config = sensor, Orientation.Rotate0, None

    def at(self, index: int) -> Stream:
        return self[index]

    def validate(self) -> ConfigurationStatus:
        asked = self[0].pixel_format
        if self.sensor.adjusts_to and str(asked) == "YUV420":
            self[0].pixel_format = PixelFormat(self.sensor.adjusts_to)
        for stream in self:
            width, height = stream.size.width, stream.size.height
            bits = {"YUV420": 8, "NV12": 8}.get(str(stream.pixel_format), 32)
            stream.stride = -(-width * bits // 8 // ALIGNED_BYTES) * ALIGNED_BYTES
            stream.frame_size = stream.stride * (height * 3 // 2 if bits == 8 else height)
        return ConfigurationStatus.Valid if self[0].pixel_format == asked else ConfigurationStatus.Adjusted


class Memory:
    """A buffer of the kernel's, as its file."""

    def __init__(self, length: int) -> None:
        fd = os.memfd_create("frame")
        weakref.finalize(self, os.close, fd)
        os.ftruncate(fd, length)
        self.planes = [SimpleNamespace(fd=fd, length=length, offset=0)]
        self.metadata = SimpleNamespace(status=Status.Success, planes=[SimpleNamespace(bytes_used=length)])

        self.is_painted = False

    def paint(self, stream: Stream) -> None:
        """Fill it with one brightness and colour, and its padding with another."""
        self.is_painted = True
        width, height, stride = stream.size.width, stream.size.height, stream.stride
        planes = np.full((height * 3 // 2, stride), 255, np.uint8)
        planes[:height, :width] = LUMA
        colour = planes[height:].reshape(2, height // 2, stride // 2)
        colour[0, :, : width // 2], colour[1, :, : width // 2] = BLUE, RED
        os.pwrite(self.planes[0].fd, planes.tobytes(), 0)


class Request:
    Status = Status

    def __init__(self, cookie: int) -> None:
        self.cookie, self.buffers, self.asked, self.metadata, self.status = cookie, {}, {}, {}, Status.Complete

    def add_buffer(self, stream: object, memory: Memory) -> None:
        self.buffers[stream] = memory

    def set_control(self, control: Named, value: object) -> None:
        self.asked[control.name] = value

    def reuse(self) -> None:
        self.asked = {}


class Camera:
    """A camera that completes each request as soon as it is queued, on a thread of its own, as libcamera does."""

    def __init__(self, manager: "Manager", sensor: Sensor) -> None:
        self.manager, self.sensor = manager, sensor
        self.id = "/base/usb-1:1.0" if sensor.is_usb else "/base/soc/i2c0mux/i2c@1/imx@1a"
        self.mode = sensor.modes[-1]
        self.taken, self.queued, self.changed, self.runs = 0, [], threading.Condition(), False

    @property
    def properties(self) -> dict:
        told = {"Model": self.sensor.model}
        if not self.sensor.is_usb:
            told |= {"ColorFilterArrangement": 0, "ScalerCropMaximum": Rectangle(*self.mode["crop_limits"])}
        return {PROPERTIES[name]: value for name, value in told.items()}

    @property
    def controls(self) -> dict:
        if self.sensor.is_usb:
            return {}
        least_us = -(-1_000_000 // self.mode["fps"])
        limits = self.sensor.offered | {
            "FrameDurationLimits": (int(least_us), 220_535_845),
            "NoiseReductionMode": (0, 4),
        }
        told = {CONTROLS[name]: SimpleNamespace(min=low, max=high, default=low) for name, (low, high) in limits.items()}
        crop = Rectangle(*self.mode["crop_limits"])
        return told | {CONTROLS["ScalerCrop"]: SimpleNamespace(min=crop, max=crop, default=crop)}

    def generate_configuration(self, roles: list[str]) -> Configuration:
        return Configuration(self.sensor, [Stream(self.sensor, is_raw=role == "Raw") for role in roles])

    def configure(self, configuration: Configuration) -> int:
        if configuration.sensor_config is not None:
            wanted = configuration.sensor_config.output_size
            self.mode = next(mode for mode in self.sensor.modes if mode["size"] == (wanted.width, wanted.height))
        self.streams = {stream.stream: stream for stream in configuration}
        return 0

    def acquire(self) -> None:
        self.sensor.is_released = False

    def release(self) -> None:
        self.sensor.is_released = True

    def start(self, controls: dict) -> None:
        self._note({control.name: value for control, value in controls.items()})
        self.runs = True
        self.thread = threading.Thread(target=self._take, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        with self.changed:
            self.runs = False
            self.changed.notify()
        self.thread.join()

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        self._note(request.asked)
        with self.changed:
            self.queued.append(request)
            self.changed.notify()

    def _note(self, controls: dict) -> None:
        if controls:
            self.sensor.set.append(dict(controls))

    def _take(self) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: not self.runs or (self.queued and self.taken < self.sensor.frames))
                if not self.runs:
                    return
                request = self.queued.pop(0)
            for stream, memory in request.buffers.items():
                if not memory.is_painted and str(self.streams[stream].pixel_format) == "YUV420":
                    memory.paint(self.streams[stream])
            found = {name: value for name, value in FOUND.items() if name == "AfState" or name in self.sensor.offered}
            told = {"SensorTimestamp": EPOCH_NS + self.taken * FRAME_NS} | found
            request.metadata = {CONTROLS[name]: value for name, value in told.items()}
            self.taken += 1
            time.sleep(EXPOSURE_S)
            self.manager.complete(request)


class Manager:
    """The one camera manager: tells through a file that requests are complete."""

    def __init__(self, sensor: Sensor) -> None:
        self.event_fd, self._told = os.pipe2(os.O_NONBLOCK)
        self.ready = []
        self.cameras = [Camera(self, sensor)]

    def complete(self, request: Request) -> None:
        self.ready.append(request)
        os.write(self._told, b".")

    def get_ready_requests(self) -> list[Request]:
        with contextlib.suppress(BlockingIOError):
            os.read(self.event_fd, 4096)
        ready = self.ready[:]
        del self.ready[: len(ready)]
        return ready


def _raw_format(mode: dict) -> str:
    return mode.get("format") or f"SBGGR{mode['bit_depth']}{'_CSI2P' if mode['bit_depth'] > 8 else ''}"


def libcamera_with(sensor: Sensor) -> SimpleNamespace:
    """Make the module `libcamera` of a machine with this sensor."""
    manager = Manager(sensor)
    controls = SimpleNamespace(
        **CONTROLS,
        **vars(recorded.LIBCAMERA.controls),
        draft=SimpleNamespace(NoiseReductionModeEnum=SimpleNamespace(Minimal=3, Fast=1, HighQuality=2)),
    )
    return SimpleNamespace(
        _libcamera=SimpleNamespace(ColorSpace=ColorSpace, Transform=Transform),
        CameraConfiguration=Configuration,
        CameraManager=SimpleNamespace(singleton=lambda: manager),
        ColorSpace=ColorSpace,
        ControlType=SimpleNamespace(Rectangle="Rectangle", Size="Size"),
        FrameMetadata=SimpleNamespace(Status=Status),
        Orientation=Orientation,
        PixelFormat=PixelFormat,
        Rectangle=Rectangle,
        Request=Request,
        SensorConfiguration=SimpleNamespace,
        Size=Size,
        StreamRole=SimpleNamespace(StillCapture="Still", Raw="Raw", VideoRecording="Video", Viewfinder="Viewfinder"),
        Transform=Transform,
        controls=controls,
        properties=SimpleNamespace(draft=SimpleNamespace(ColorFilterArrangementEnum=SimpleNamespace(MONO=5))),
    )


def picamera2_over(sensor: Sensor, monkeypatch):
    """Import the real picamera2 over such a libcamera; skips the test where it is not installed."""
    if find_spec("picamera2") is None:
        pytest.skip("picamera2 is not installed here; run: python -m pip install --no-deps picamera2")
    for name in [name for name in sys.modules if name.partition(".")[0] == "picamera2"]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in UNUSED if find_spec(name.partition(".")[0]) is None]:
        monkeypatch.setitem(sys.modules, name, MagicMock())
    monkeypatch.setitem(sys.modules, "libcamera", libcamera_with(sensor))
    real = importlib.import_module("picamera2")
    allocator = importlib.import_module("picamera2.allocators.allocator").Allocator

    class Ordinary(allocator):  # a Pi's graphics memory is not to be had elsewhere
        def allocate(self, configuration, _):
            self.memory = {
                stream.stream: [Memory(stream.frame_size) for _ in range(stream.buffer_count)]
                for stream in configuration
            }

        def buffers(self, stream):
            return self.memory[stream]

    monkeypatch.setattr(importlib.import_module("picamera2.picamera2"), "DmaAllocator", Ordinary)
    return real
