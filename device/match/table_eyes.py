"""The referee's eyes over a card table: what was placed, turned over, played and taken."""

from calibration import Calibration
from vision import Call, Expectation, Frame, Reader, Scene, TableEvent, TableWatcher


class TableEyes:
    """Remembers the calibration, the watcher over it, and when it last saw a frame."""

    def __init__(self, calibration: Calibration, reader: Reader, *, game: str) -> None:
        self.has_moved = False
        self._reader = reader
        self._game = game
        self._t_s = 0.0
        self.recalibrate(calibration)

    @property
    def scene(self) -> Scene:
        """Tell whether the table is at rest; no caps lie on it."""
        return Scene(t_s=self._t_s, is_at_rest=self._watcher.is_at_rest)

    def see(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Look at the next frame."""
        self._t_s = frame.t_s
        return self._watcher.see(frame)

    def finish(self) -> tuple[TableEvent, ...]:
        """Tell what was still open at the source's end."""
        return self._watcher.finish()

    def expect(self, expectation: Expectation) -> None:
        """Say whose turn it is: a prior, which never overrules an arm that is clearly another's."""
        self._watcher.expect(expectation.shooter)

    def elsewhere(self, call: Call) -> str:
        """Tell the one location there is: cards know no lines."""
        return call.location

    def has_found_board_again(self, frame: Frame) -> bool:  # noqa: ARG002 - the loop asks all eyes alike
        """Tell that no search is under way."""
        return False

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with this calibration from now on, afresh."""
        self.calibration = calibration
        self._watcher = TableWatcher(calibration, self._reader, game=self._game)

    def forget(self) -> None:
        """Look afresh: the camera was away."""
        self._watcher.forget()
