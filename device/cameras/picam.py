"""A Raspberry Pi camera through picamera2 (0.3.17 and later), imported only when it is chosen.

Rule 1: the camera's own clock stamps each frame (`SensorTimestamp`). Rule 2: the sensor mode and the frame
duration are asked for in so many words; picamera2's own default is 30 frames a second. Rule 3: each
request is given back, or the camera runs out of buffers. Rule 4: exposure, colours and focus are held while a game
runs (steadying.py); the camera is opened anew for each game, and finds them anew. Exposure is short, because a cap
that flies smears; libcamera's short exposure mode takes more gain before more time. The second stream (`lores`) is not
asked for: by its library, a Pi 5 lays it up to a pixel beside the first (docs/logbook.md).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linesies.device.cameras.source import Live
from linesies.device.cameras.steadying import CameraWish, Steadying
from linesies.device.errors import BadInput, CameraFailed, CameraStalled
from linesies.vision import Frame, Image

STALL_S = 2.0
BUFFERS = 6
USUAL_PX = (1280, 720)  # what half the work is done on
FULL_FIELD = 0.98  # of the largest field: modes that see all of it differ by their rounding
ENOUGH_FPS = 40.0  # below that a fast cap is lost between frames
HELD = ("ExposureTime", "AnalogueGain", "ColourGains")
LOOKING = 1  # AfStateScanning: the lens still moves
FOCUS_DIOPTRES = (0.0, 32.0)  # from infinity to 3 cm; what a lens reaches it says itself


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedCamera:
    """What a source's name asks of a Pi camera: `picamera2:N?size=1280x720&focus=2.5`."""

    size_px: tuple[int, int] | None = None  # None: the sensor mode's own
    focus_dioptres: float | None = None  # 1 / metres; None: the lens finds it once

    @classmethod
    def read(cls, name: str, options: Mapping[str, str]) -> "WantedCamera":
        """Read the options of a name; raises BadInput for one that is not known or makes no sense."""
        try:
            unknown = set(options) - {"size", "focus"}
            size_px = tuple(int(side) for side in options["size"].split("x")) if "size" in options else None
            focus = float(options["focus"]) if "focus" in options else None
            is_size = size_px is None or (len(size_px) == 2 and all(64 <= side <= 10_000 for side in size_px))
            is_focus = focus is None or FOCUS_DIOPTRES[0] <= focus <= FOCUS_DIOPTRES[1]
        except ValueError:
            is_size = is_focus = False
        if unknown or not is_size or not is_focus:
            raise BadInput(f"{name}: its options are size=WIDTHxHEIGHT and focus=DIOPTRES (1 / metres); mend them")
        return cls(size_px=None if size_px is None else even((size_px[0], size_px[1])), focus_dioptres=focus)


class PiCamera(Live):
    """Pi camera number `n`, in its largest mode that shows the whole field at 40 frames a second or more."""

    has_settled = False

    def __init__(self, n: int, options: Mapping[str, str] | None = None) -> None:
        self.name = f"picamera2:{n}"
        wanted = WantedCamera.read(self.name, options or {})
        try:
            import libcamera  # noqa: PLC0415 - only on a Pi, and only when chosen
            from picamera2 import MappedArray, Picamera2  # noqa: PLC0415
        except ImportError as fault:
            raise CameraFailed(
                f"{self.name}: picamera2 cannot be imported ({fault}); on a Pi run: sudo apt install python3-picamera2"
            ) from None
        if n >= len(Picamera2.global_camera_info()):
            raise CameraFailed(
                f"{self.name}: there is no such camera; check the ribbon and run: rpicam-hello --list-cameras"
            )
        self._camera = Picamera2(n)
        self._mapped = MappedArray
        self._controls = libcamera.controls
        self.focus_dioptres = wanted.focus_dioptres
        try:
            self._configure(wanted, libcamera.ColorSpace.Sycc())
        except BaseException:
            self.close()
            raise
        self._camera.start()
        self._set(self._focusing())

    def frames(self) -> Iterator[Frame]:
        """Yield frames as the sensor takes them; time 0 is the first one's."""
        first_ns: int | None = None
        number = 0
        steadying = Steadying()
        while True:
            request = self._next_request()
            try:
                metadata = request.get_metadata()
                width, height = self.size_px
                planes = self.room((height * 3 // 2, width))
                with self._mapped(request, "main", write=False) as lent:
                    copy_unpadded(lent.array, planes)
            finally:
                request.release()
            taken_ns = metadata["SensorTimestamp"]
            wish = steadying.wish(planes[:height], is_found=metadata.get("AfState") != LOOKING)
            self._set(self._wishes(wish, metadata))
            self.has_settled = steadying.has_settled
            first_ns = taken_ns if first_ns is None else first_ns
            yield Frame.from_yuv420(planes, number=number, t_s=(taken_ns - first_ns) / 1e9, is_full_range=True)
            number += 1

    def _configure(self, wanted: WantedCamera, colour_space: Any) -> None:
        """Ask for a mode, and look what the pipeline has made of the wish: it may adjust it without a word."""
        modes = self._camera.sensor_modes
        mode = choose_mode(modes, wanted.size_px)
        if mode is None:
            raise CameraFailed(f"{self.name}: is no Pi camera; name a USB camera v4l2:0, or as `ls /dev/video*` says")
        self.fps = float(mode["fps"])
        self.offers = tuple(offers(self.name, modes))
        duration_us = math.ceil(1e6 / self.fps)  # never shorter than the sensor can
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": wanted.size_px or even(mode["size"]), "format": "YUV420"},
                sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]},
                colour_space=colour_space,
                buffer_count=BUFFERS,
                controls=self._offered(
                    {
                        "FrameDurationLimits": (duration_us, duration_us),
                        "AeExposureMode": self._controls.AeExposureModeEnum.Short,
                    }
                ),
            )
        )
        given = self._camera.camera_configuration()["main"]
        self.size_px = even(given["size"])
        if given["format"] != "YUV420" or self.size_px != tuple(given["size"]):
            told = f"{given['format']} of {given['size'][0]}x{given['size'][1]}"
            raise CameraFailed(f"{self.name}: gives only {told}, not YUV420 of even sides; ask for another size")

    def _focusing(self) -> dict[str, Any]:
        """Have a lens that moves go where it was told, or find its focus once and then stay."""
        if self.focus_dioptres is not None:
            return {"AfMode": self._controls.AfModeEnum.Manual, "LensPosition": self.focus_dioptres}
        return {"AfMode": self._controls.AfModeEnum.Auto, "AfTrigger": self._controls.AfTriggerEnum.Start}

    def _wishes(self, wish: CameraWish, metadata: Mapping[str, Any]) -> dict[str, Any]:
        if wish is CameraWish.HOLD:
            self.focus_dioptres = metadata.get("LensPosition", self.focus_dioptres)
            found = {name: metadata[name] for name in HELD if name in metadata}
            lens = {} if self.focus_dioptres is None else self._focusing()
            return {"AeEnable": False, "AwbEnable": False, **found, **lens}
        return {"AeEnable": True, "AwbEnable": True} if wish is CameraWish.FIND else {}

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


def offers(name: str, modes: list[dict[str, Any]]) -> Iterator[str]:
    """Say for each size that makes sense how it is asked for, how many frames a second it has, and what it sees."""
    own = [mode for mode in modes if "crop_limits" in mode]
    whole = max(map(_field, own), default=1)
    sizes = sorted({*(even(mode["size"]) for mode in own), USUAL_PX}, reverse=True)
    for width, height in sizes:
        mode = choose_mode(modes, (width, height))
        if mode is None or mode["size"][0] < width or mode["size"][1] < height:
            continue
        made = "" if even(mode["size"]) == (width, height) else ", made of {}x{}".format(*mode["size"])
        quick = "" if mode["fps"] >= ENOUGH_FPS else "; too slow for quick caps"
        yield f"{name}?size={width}x{height}: {mode['fps']:.0f} frames a second{made}{quick}"
    for mode in own:
        if _field(mode) < FULL_FIELD * whole:
            size = "{}x{}".format(*mode["size"])
            yield f"not used: {size} at {mode['fps']:.0f}, which sees {_field(mode) / whole:.0%} of the field"


def choose_mode(modes: list[dict[str, Any]], size_px: tuple[int, int] | None = None) -> dict[str, Any] | None:
    """Pick the sensor mode that sees the whole field, fast enough to follow caps, with the most pixels.

    With a size, the smallest such mode from which it can be made. None where no mode is a sensor's own, as with a USB
    camera, whose modes have a format and nothing else.
    """
    own = [mode for mode in modes if "crop_limits" in mode]
    if not own:
        return None
    whole = max(_field(mode) for mode in own)
    full = [mode for mode in own if _field(mode) >= FULL_FIELD * whole]
    fast = [mode for mode in full if mode["fps"] >= ENOUGH_FPS]
    if size_px is not None:
        enough = [mode for mode in fast or full if mode["size"][0] >= size_px[0] and mode["size"][1] >= size_px[1]]
        if enough:
            return min(enough, key=lambda mode: (_pixels(mode), -mode["bit_depth"]))
    if fast:
        return max(fast, key=lambda mode: (_pixels(mode), mode["bit_depth"]))
    return max(full, key=lambda mode: mode["fps"])


def _field(mode: Mapping[str, Any]) -> int:
    return int(mode["crop_limits"][2] * mode["crop_limits"][3])


def _pixels(mode: Mapping[str, Any]) -> int:
    return int(mode["size"][0] * mode["size"][1])


def even(size_px: tuple[int, int]) -> tuple[int, int]:
    """Round a size down to even numbers, as YUV 4:2:0 needs."""
    return size_px[0] // 2 * 2, size_px[1] // 2 * 2


def copy_unpadded(padded: Image, planes: Image) -> None:
    """Copy planes Y, U, V (H * 3 / 2, stride) to where none is padded (H * 3 / 2, W), in one go.

    Y rows are padded to the stride, U and V rows to half of it.
    """
    stride, (rows, width) = padded.shape[1], planes.shape
    height = rows * 2 // 3
    planes[:height] = padded[:height, :width]
    colour = padded[height:].reshape(height, stride // 2)[:, : width // 2]
    planes[height:].reshape(height, width // 2)[...] = colour
