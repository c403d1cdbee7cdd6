"""Still pictures as a source: one file, or a folder of numbered ones."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from linesies.calibration.plain_files import read_plain
from linesies.device.cameras.complaints import complaints
from linesies.device.cameras.source import Recording
from linesies.device.errors import BadInput
from linesies.device.picture_size import megapixels
from linesies.vision import Frame, Image

ENDINGS = {".png", ".jpg", ".jpeg"}
DEFAULT_FPS = 30.0
MOST_MEGAPIXELS = 120  # more than any camera here; unpacked they take 360 MB


def read_picture(path: Path) -> Image:
    """Read a PNG or JPEG file as BGR (H, W, 3); raises BadInput for one that is missing, damaged or no picture."""
    try:
        data = read_plain(path)
    except OSError as fault:
        raise BadInput(f"{path}: cannot be read ({fault.strerror}); check the name and the rights") from None
    if not data:
        raise BadInput(f"{path}: is empty; take the picture again")
    if _is_cut_short(data):
        raise BadInput(f"{path}: breaks off in the middle; copy or take the picture again")
    if (size := megapixels(data)) > MOST_MEGAPIXELS:
        raise BadInput(f"{path}: has {size:.0f} megapixels, {MOST_MEGAPIXELS} at most can be read; make it smaller")
    with complaints() as said:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise BadInput(f"{path}: is no picture that can be read; give a PNG or JPEG file")
    if said:
        raise BadInput(f"{path}: is damaged in its middle; copy or take the picture again")
    return image


def _is_cut_short(data: bytes) -> bool:
    """Tell whether a PNG or JPEG lacks its end; within a JPEG's image data no end marker can stand by chance."""
    if data.startswith(b"\x89PNG"):
        return b"IEND\xaeB`\x82" not in data
    if data.startswith(b"\xff\xd8"):
        scan = data.rfind(b"\xff\xda")
        return scan < 0 or b"\xff\xd9" not in data[scan:]
    return False


class Pictures(Recording):
    """Numbered still pictures, one frame each, in the order of their numbers."""

    def __init__(self, name: str, paths: list[Path], fps: float) -> None:
        self.name = name
        self.fps = fps
        self._paths = paths
        self._first = read_picture(paths[0])
        self.size_px = (self._first.shape[1], self._first.shape[0])

    def frames(self) -> Iterator[Frame]:
        """Yield one frame a picture; raises BadInput for one that cannot be read or has another size."""
        for number, path in enumerate(self._paths):
            image = self._first if number == 0 else read_picture(path)
            if (image.shape[1], image.shape[0]) != self.size_px:
                raise BadInput(
                    f"{path}: is {image.shape[1]}x{image.shape[0]}, the first one {self.size_px}; use one size"
                )
            yield Frame.from_bgr(image, number=number, t_s=number / self.fps)

    def close(self) -> None:
        """Hold nothing open."""


def open_picture(path: Path) -> Pictures:
    """Open one picture as a source of one frame."""
    return Pictures(str(path), [path], DEFAULT_FPS)


def open_folder(path: Path) -> Pictures:
    """Open a folder of numbered pictures, with their rate in `fps.txt` if it is there."""
    numbered = [(_number(p), p.name, p) for p in path.iterdir() if p.suffix.lower() in ENDINGS]
    if not numbered:
        raise BadInput(f"{path}: holds no pictures; put numbered .png or .jpg files there")
    return Pictures(str(path), [p for _, _, p in sorted(numbered)], _read_fps(path / "fps.txt"))


def _number(path: Path) -> int:
    found = re.findall(r"\d+", path.stem)
    return int(found[-1]) if found else 0


def _read_fps(path: Path) -> float:
    if not path.exists():
        return DEFAULT_FPS
    try:
        fps = float(path.read_text())
    except (OSError, ValueError):
        fps = 0.0
    if not 0 < fps < 10_000:
        raise BadInput(f"{path}: must hold one number, the frames a second; write for example 60")
    return fps
