"""Opens a source by its name, as the contract writes it."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

from device.cameras.source import Source
from device.errors import BadInput


def open_source(name: str) -> Source:
    """Open `name`: a picture, film or folder, `picamera2[:N]`, `v4l2:N`, an RTSP address, or `sim:NAME[?seed=N]`.

    Raises BadInput for a name or file that cannot be used, CameraFailed for a camera that cannot be opened.
    """
    if name.startswith("sim:"):
        return _open_simulator(name)
    if camera := re.fullmatch(r"picamera2(?::(\d+))?", name):
        from device.cameras.picam import PiCamera  # noqa: PLC0415 - each camera's library only when chosen

        return PiCamera(int(camera[1] or 0))
    if camera := re.fullmatch(r"v4l2:(\d+)", name):
        from device.cameras.v4l2 import UsbCamera  # noqa: PLC0415

        return UsbCamera(int(camera[1]))
    if re.match(r"rtsps?://", name):
        from device.cameras.stream import NetworkCamera  # noqa: PLC0415

        return NetworkCamera(name)
    return _open_file(Path(name))


def is_live(name: str) -> bool:
    """Tell whether a source of that name goes on whether or not anyone reads it."""
    return bool(re.match(r"(sim:|picamera2(:\d+)?$|v4l2:\d+$|rtsps?://)", name))


def _open_file(path: Path) -> Source:
    if not path.exists():
        raise BadInput(
            f"{path}: there is no such file; give a picture, film, folder, picamera2, v4l2:N, rtsp://... or sim:street"
        )
    from device.cameras.pictures import ENDINGS, open_folder, open_picture  # noqa: PLC0415

    if path.is_dir():
        return open_folder(path)
    if path.suffix.lower() in ENDINGS:
        return open_picture(path)
    from device.cameras.film import Film  # noqa: PLC0415

    return Film(path)


def _open_simulator(name: str) -> Source:
    from device.simulator import open_simulator  # noqa: PLC0415

    place, _, query = name.removeprefix("sim:").partition("?")
    return open_simulator(place, dict(parse_qsl(query, keep_blank_values=True, strict_parsing=False)))
