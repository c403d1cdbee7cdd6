"""The referee's eyes over a card table: what was placed, turned over, played and taken."""

import time

from calibration import Calibration, Lens
from device.match.eyes import found_again
from vision import Call, CameraMoved, Expectation, Frame, Reader, Scene, TableEvent, TableWatcher

LOOK_AGAIN_S = 2.0


class TableEyes:
    """Remembers the calibration, the watcher over it, and whether the camera has been moved since."""

    def __init__(self, calibration: Calibration, reader: Reader, *, game: str) -> None:
        self._reader = reader
        self._game = game
        self._t_s = 0.0
        self._look_again_s = 0.0
        self.recalibrate(calibration)

    @property
    def scene(self) -> Scene:
        """Tell whether the table is at rest; no caps lie on it."""
        return Scene(t_s=self._t_s, is_at_rest=self._watcher.is_at_rest)

    def see(self, frame: Frame) -> tuple[TableEvent | CameraMoved, ...]:
        """Look at the next frame; while the camera is away from its place, nothing is seen."""
        self._t_s = frame.t_s
        events = () if self.has_moved else self._watcher.see(frame)
        self.has_moved = self.has_moved or any(isinstance(event, CameraMoved) for event in events)
        return events

    def finish(self) -> tuple[TableEvent, ...]:
        """Tell what was still open at the source's end."""
        return self._watcher.finish()

    def expect(self, expectation: Expectation) -> None:
        """Say whose turn it is: a prior, which never overrules an arm that is clearly another's."""
        self._watcher.expect(expectation.shooter)

    def elsewhere(self, call: Call) -> str:
        """Tell the one location there is: cards know no lines."""
        return call.location

    def has_found_board_again(self, frame: Frame) -> bool:
        """After the camera was moved, try every few seconds to find the table: slightly moved, or else anew."""
        if not self.has_moved or time.monotonic() < self._look_again_s:
            return False
        found = found_again(self.calibration, self.lens, frame)
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S
        if not isinstance(found, Calibration):
            return False
        self.recalibrate(found)
        return True

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with this calibration from now on, afresh."""
        self.calibration = calibration
        self.lens: Lens | None = calibration.view.lens
        self.has_moved = False
        self._watcher = TableWatcher(calibration, self._reader, game=self._game)

    def look_through_another(self) -> None:
        """See nothing until another camera, of which no lens is known, has found the table."""
        self.has_moved, self.lens = True, None

    def forget(self) -> None:
        """Look afresh: the camera was away."""
        self._watcher.forget()
