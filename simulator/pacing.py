"""A simulated game in step with the clock: early frames wait, late ones are left out, as a camera's would be."""

import time
from typing import Literal

Speed = float | Literal["max"]
LATE_FRAMES = 2  # more than this behind, and frames are left out,
LATEST_EVERY = 6  # but never more than so many, so that a machine too slow for the simulator still gets some


class Pacing:
    """Remembers when the first frame was due, and which was shown last."""

    def __init__(self, speed: Speed, fps: float) -> None:
        self._speed = speed
        self.is_live = speed != "max"
        self._fps = fps
        self._began_s: float | None = None
        self._shown = 0

    def is_in_time(self, frame: int) -> bool:
        """Wait for a frame's time when playing in real time; False when it is too late to show it."""
        if self._speed == "max":
            return True
        if self._began_s is None:
            self._began_s = time.monotonic() - frame / self._fps / self._speed
        early_s = frame / self._fps / self._speed - (time.monotonic() - self._began_s)
        if early_s > 0:
            time.sleep(early_s)
        if early_s <= -LATE_FRAMES / self._fps and frame - self._shown < LATEST_EVERY:
            return False
        self._shown = frame
        return True
