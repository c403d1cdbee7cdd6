"""The referee's eyes: a watcher over the calibrated board, which finds the board again after the camera was moved."""

import time
from collections.abc import Sequence

import numpy as np

from calibration import Calibration, calibrate
from device.doubt import other_side
from vision import Call, CameraMoved, Cap, Event, Expectation, Frame, Scene, Watcher

LOOK_AGAIN_S = 2.0


class Eyes:
    """Remembers the calibration, the watcher over it, and whether the camera has been moved since."""

    def __init__(self, calibration: Calibration, caps: Sequence[Cap], *, settled_s: float) -> None:
        self.calibration = calibration
        self.has_moved = False
        self._caps = caps
        self._settled_s = settled_s
        self._watcher = Watcher(calibration, caps, settled_s=settled_s)
        self._look_again_s = 0.0

    @property
    def scene(self) -> Scene:
        """Tell where caps are right now."""
        return self._watcher.scene

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """Look at the next frame; while the camera is away from its place, nothing is seen."""
        if self.has_moved:
            return ()
        events = self._watcher.see(frame)
        self.has_moved = any(isinstance(event, CameraMoved) for event in events)
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S
        return events

    def finish(self) -> tuple[Event, ...]:
        """Tell what was still open at the source's end."""
        return () if self.has_moved else self._watcher.finish()

    def expect(self, expectation: Expectation) -> None:
        """Say who is to shoot and who is to place his cap where: a prior, which never overrules what is seen."""
        self._watcher.expect(expectation)

    def elsewhere(self, call: Call) -> str:
        """Name the location on the other side of the nearest edge of paint."""
        return other_side(self.calibration, call)

    def has_found_board_again(self, frame: Frame) -> bool:
        """After the camera was moved, try every few seconds to calibrate anew on what it sees now."""
        if not self.has_moved or time.monotonic() < self._look_again_s:
            return False
        board, view = self.calibration.board, self.calibration.view
        found = calibrate(frame.bgr, board, lens=view.lens)
        if not isinstance(found, Calibration):  # a slight knock leaves the corners near where they were
            width, height = board.size_mm
            corners_px = view.mm_to_px(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
            found = calibrate(
                frame.bgr, board, lens=view.lens, corners_px=[(float(x), float(y)) for x, y in corners_px]
            )
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S
        if not isinstance(found, Calibration):
            return False
        self.calibration = found
        self._watcher = Watcher(found, self._caps, settled_s=self._settled_s)
        self.has_moved = False
        return True

    def forget(self) -> None:
        """Look afresh: the camera was away, and anything may have changed meanwhile."""
        self._watcher.forget()
