"""Films as a source: H.264 in MP4, Motion-JPEG in AVI, or whatever else FFmpeg's libraries read."""

from collections.abc import Iterator
from pathlib import Path

import av
from av.error import FFmpegError

from device.cameras.source import Recording
from device.errors import BadInput
from vision import Frame, Layout

LAYOUTS = {"yuv420p": Layout.YUV420_LIMITED, "yuvj420p": Layout.YUV420}


class Film(Recording):
    """A video file; time 0 is its first frame."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        if path.is_file() and path.stat().st_size == 0:
            raise BadInput(f"{path}: is empty; record or copy the film again")
        try:
            self._container = av.open(str(path))
        except (FFmpegError, OSError) as fault:
            raise BadInput(
                f"{path}: is no film that can be read ({fault.strerror or fault}); record or copy it again"
            ) from None
        if not self._container.streams.video:
            self.close()
            raise BadInput(f"{path}: holds no video; give a film")
        self._stream = self._container.streams.video[0]
        self._stream.thread_type = "AUTO"
        self.size_px = (self._stream.width, self._stream.height)
        self.fps = float(self._stream.average_rate or self._stream.guessed_rate or 30)

    def frames(self) -> Iterator[Frame]:
        """Yield every frame; raises BadInput naming the frame at which the film breaks off."""
        number, first_s = 0, None
        try:
            for picture in self._container.decode(self._stream):
                t_s = number / self.fps if picture.time is None else picture.time
                first_s = t_s if first_s is None else first_s
                yield to_frame(picture, number=number, t_s=t_s - first_s)
                number += 1
        except FFmpegError as fault:
            raise BadInput(f"{self.name}: breaks off at frame {number} ({fault.strerror}); copy it again") from None
        if number < self._stream.frames or number == 0:
            raise BadInput(f"{self.name}: breaks off at frame {number} of {self._stream.frames}; copy it again")

    def close(self) -> None:
        """Close the file."""
        self._container.close()


def to_frame(picture: av.VideoFrame, *, number: int, t_s: float) -> Frame:
    """Take over a decoded picture's planes, converting only layouts that we don't read."""
    layout = LAYOUTS.get(picture.format.name)
    if picture.format.name == "yuv420p" and picture.color_range == av.video.reformatter.ColorRange.JPEG:
        layout = Layout.YUV420
    if layout is None or picture.width % 2 or picture.height % 2:
        return Frame.from_bgr(picture.to_ndarray(format="bgr24"), number=number, t_s=t_s)
    return Frame(picture.to_ndarray(), layout=layout, number=number, t_s=t_s)
