"""Opens a source by its name, as the contract writes it."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

from linesies.device.cameras.addresses import is_address
from linesies.device.cameras.source import Source
from linesies.device.errors import BadInput, CameraFailed, DeviceError
from linesies.device.plugins import CAMERAS, offered

PI = re.compile(r"picamera2(:(?P<number>\d{1,3}))?(\?(?P<options>.*))?")
USB = re.compile(r"v4l2:(?P<number>\d{1,3})")


def open_source(name: str) -> Source:
    """Open `name`: a picture, film or folder, `picamera2[:N]`, `v4l2:N`, an RTSP or HTTP address, `sim:NAME[?seed=N]`.

    Raises BadInput for a name or file that cannot be used, CameraFailed for a camera that cannot be opened.
    """
    if camera := PI.fullmatch(name):
        from linesies.device.cameras.picam import PiCamera  # noqa: PLC0415 - each camera's library only when chosen

        return PiCamera(int(camera["number"] or 0), dict(parse_qsl(camera["options"] or "", keep_blank_values=True)))
    if camera := USB.fullmatch(name):
        from linesies.device.cameras.v4l2 import UsbCamera  # noqa: PLC0415

        return UsbCamera(int(camera["number"]))
    if is_address(name):
        from linesies.device.cameras.stream import NetworkCamera  # noqa: PLC0415

        return NetworkCamera(name)
    if source := _open_offered(name):
        return source
    return _open_file(Path(name))


def is_live(name: str) -> bool:
    """Tell whether a source of that name goes on whether or not anyone reads it."""
    kind, colon, _ = name.partition(":")
    return (
        bool(PI.fullmatch(name) or USB.fullmatch(name))
        or is_address(name)
        or (bool(colon) and kind in offered(CAMERAS))
    )


def _open_file(path: Path) -> Source:
    if not path.exists():
        known = "a picture, film or folder, picamera2, v4l2:N, rtsp://..., http://... or sim:street"
        raise BadInput(f"{path}: there is no such file; give {known}")
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
    options = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=False))
    try:
        source: Source = point.load()(place, options)
    except Exception as fault:
        if isinstance(fault, DeviceError):
            raise
        raise CameraFailed(f"{name}: the package that brings {kind}: fails ({type(fault).__name__}: {fault})") from None
    return source
