"""The latest frames, steadied: enough to average a picture against noise, and to tell how long a frame lasts."""

from collections import deque
from math import floor

from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.small_picture import AVERAGED, mean_bgr

KEPT = 12  # frames
USUAL_FRAME_S = 1 / 60
FOLLOWED = 0.1  # of a frame that lasts longer or shorter than those before
LEAST_FRAME_S, MOST_FRAME_S = 1e-3, 0.1  # what takes longer is a pause between two frames


class LatestFrames:
    """Remembers the latest frames of a source, and how long one lasts on the whole (`frame_s`)."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=KEPT)
        self.frame_s = USUAL_FRAME_S

    def add(self, frame: Frame) -> None:
        """Add the next frame."""
        if self._frames:
            took_s = min(max(frame.t_s - self.last.t_s, LEAST_FRAME_S), MOST_FRAME_S)
            self.frame_s += FOLLOWED * (took_s - self.frame_s)
        self._frames.append(frame)

    @property
    def kept(self) -> tuple[Frame, ...]:
        """All that are kept, the oldest first."""
        return tuple(self._frames)

    @property
    def first(self) -> Frame:
        """The oldest that is kept."""
        return self._frames[0]

    @property
    def last(self) -> Frame:
        """The newest."""
        return self._frames[-1]

    @property
    def before_last(self) -> Frame | None:
        """The one before that, if there was one."""
        return self._frames[-2] if len(self._frames) > 1 else None

    def begins(self, every_s: float) -> bool:
        """Tell whether the newest frame is the first of another so many seconds, as the first of all is."""
        before = self.before_last
        return before is None or _stretch(before.t_s, every_s) < _stretch(self.last.t_s, every_s)

    def mean_bgr(self) -> Image:
        """Average the newest in colour (H, W, 3)."""
        return mean_bgr(self._frames)

    @property
    def newest(self) -> tuple[Frame, ...]:
        """As many of the newest as are averaged."""
        return tuple(self._frames)[-AVERAGED:]


def _stretch(t_s: float, every_s: float) -> int:
    """Tell in which of so many seconds a time lies; a hair before one begins is in it, for times are rounded."""
    return floor(t_s / every_s + 1e-3)
