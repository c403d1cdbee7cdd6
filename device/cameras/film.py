"""Films as a source: H.264 in MP4, Motion-JPEG in AVI, or whatever else FFmpeg's libraries read."""

from collections.abc import Generator, Iterator
from pathlib import Path

import av
from av.error import FFmpegError

from linesies.device.cameras.decoding import ahead, decode_beside, decoded, frame_rate, opened, video_of
from linesies.device.cameras.source import Recording
from linesies.device.cameras.upright import AS_STORED, QuarterTurn
from linesies.device.errors import BadInput
from linesies.vision import Frame


class Film(Recording):
    """A video file; time 0 is its first frame."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._ahead: Generator[Frame, None, None] | None = None
        if not path.is_file():
            raise BadInput(f"{path}: is no plain file; record or copy the film first")
        if path.stat().st_size == 0:
            raise BadInput(f"{path}: is empty; record or copy the film again")
        try:
            self._container = opened(str(path))
        except (FFmpegError, OSError) as fault:
            raise BadInput(
                f"{path}: is no film that can be read ({fault.strerror or fault}); record or copy it again"
            ) from None
        stream = video_of(self._container)
        if stream is None:
            self.close()
            raise BadInput(f"{path}: holds no video that can be decoded; give a film")
        self._stream = stream
        decode_beside(self._stream)
        self._turn = _turn_of(path)
        self.size_px = self._turn.size_of((self._stream.width, self._stream.height))
        self.fps = frame_rate(self._stream)
        self._hidden = 0  # frames that lie in the file and are not shown: it was trimmed without being packed anew

    def frames(self) -> Iterator[Frame]:
        """Yield every frame, decoded beside what is done with it; raises BadInput naming where the film breaks off."""
        self._ahead = ahead(self._decoded())
        return self._ahead

    def _decoded(self) -> Iterator[Frame]:
        number = 0
        try:
            for frame in decoded(self._packets(), self._stream, turn=self._turn):
                if frame.size_px != self.size_px:
                    raise BadInput(
                        f"{self.name}: changes its size at frame {number}; cut it there, and watch each part"
                    )
                yield self.prepare(frame)
                number += 1
        except FFmpegError as fault:
            raise BadInput(f"{self.name}: breaks off at frame {number} ({fault.strerror}); copy it again") from None
        count = self._stream.frames - self._hidden
        if number < count or number == 0:
            raise BadInput(f"{self.name}: breaks off at frame {number} of {count}; copy it again")

    def _packets(self) -> Iterator["av.Packet[av.VideoStream]"]:  # as a string: earlier releases of av give it no type
        for packet in self._container.demux(self._stream):
            self._hidden += packet.is_discard
            yield packet

    def close(self) -> None:
        """Close the file, once the frame in hand is decoded."""
        if self._ahead is not None:
            self._ahead.close()
        self._container.close()


def _turn_of(path: Path) -> QuarterTurn:
    """Tell how a film is to be turned: its first picture says so, not its header."""
    with opened(str(path)) as container:
        try:
            return QuarterTurn.of(next(container.decode(video=0)))
        except (FFmpegError, StopIteration):
            return AS_STORED  # and where it breaks off is told as it is read
