"""Opens a source by its name, as the contract writes it."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

from linesies.device.cameras.source import Source
from linesies.device.errors import BadInput
from linesies.device.plugins import CAMERAS, offered


def open_source(name: str) -> Source:
    """Open `name`: a picture, film or folder, `picamera2[:N]`, `v4l2:N`, an RTSP address, or `sim:NAME[?seed=N]`.

    Raises BadInput for a name or file that cannot be used, CameraFailed for a camera that cannot be opened.
    """
    if camera := re.fullmatch(r"picamera2(?::(\d+))?", name):
        from linesies.device.cameras.picam import PiCamera  # noqa: PLC0415 - each camera's library only when chosen

        return PiCamera(int(camera[1] or 0))
    if camera := re.fullmatch(r"v4l2:(\d+)", name):
        from linesies.device.cameras.v4l2 import UsbCamera  # noqa: PLC0415

        return UsbCamera(int(camera[1]))
    if re.match(r"rtsps?://", name):
        from linesies.device.cameras.stream import NetworkCamera  # noqa: PLC0415

        return NetworkCamera(name)
    if source := _open_offered(name):
        return source
    return _open_file(Path(name))


def is_live(name: str) -> bool:
    """Tell whether a source of that name goes on whether or not anyone reads it."""
    kind, colon, _ = name.partition(":")
    return bool(re.match(r"(picamera2(:\d+)?$|v4l2:\d+$|rtsps?://)", name)) or bool(colon and kind in offered(CAMERAS))


def _open_file(path: Path) -> Source:
    if not path.exists():
        raise BadInput(
            f"{path}: there is no such file; give a picture, film, folder, picamera2, v4l2:N, rtsp://... or sim:street"
        )
    from linesies.device.cameras.pictures import ENDINGS, open_folder, open_picture  # noqa: PLC0415

    if path.is_dir():
        return open_folder(path)
    if path.suffix.lower() in ENDINGS:
        return open_picture(path)
    from linesies.device.cameras.film import Film  # noqa: PLC0415

    return Film(path)


def _open_offered(name: str) -> Source | None:
    """Open a source that an installed package offers, `NAME:REST[?options]`; None where none is called so."""
    kind, _, rest = name.partition(":")
    point = offered(CAMERAS).get(kind)
    if point is None:
        return None
    place, _, query = rest.partition("?")
    source: Source = point.load()(place, dict(parse_qsl(query, keep_blank_values=True, strict_parsing=False)))
    return source
