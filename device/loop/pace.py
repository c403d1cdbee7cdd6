"""How fast a camera's frames come, by the camera's own clock: ours would blame it for our own haste."""

from collections import deque

from linesies.vision import Frame

WINDOW_S = 1.5
TOO_FEW_FPS = 12.0  # below that a quick cap crosses a box between two frames
WELL_FPS = 15.0


class Pace:
    """Remembers the number and time of each frame of the last second and a half."""

    def __init__(self) -> None:
        self.fps = 0.0
        self.is_slow = False
        self._seen: deque[tuple[int, float]] = deque()

    def count(self, frame: Frame) -> None:
        """Count a frame in; numbers or times that go back are another camera's."""
        if self._seen and (frame.number <= self._seen[-1][0] or frame.t_s <= self._seen[-1][1]):
            self._seen.clear()
        self._seen.append((frame.number, frame.t_s))
        while len(self._seen) > 2 and frame.t_s - self._seen[1][1] > WINDOW_S:
            self._seen.popleft()
        first, first_s = self._seen[0]
        if frame.t_s > first_s:
            self.fps = (frame.number - first) / (frame.t_s - first_s)
        if frame.t_s - first_s >= WINDOW_S:
            self.is_slow = self.fps < (WELL_FPS if self.is_slow else TOO_FEW_FPS)

    @property
    def message(self) -> str:
        """Tell people how it is."""
        if self.is_slow:
            return f"The camera gives only {self.fps:.0f} frames a second: hits may be missed."
        return "The camera is quick enough again."
