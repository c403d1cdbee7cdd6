"""The referee's eyes over a card table: what was placed, turned over, played and taken."""

from linesies.calibration import Calibration
from linesies.device.loop.gaze import Gaze
from linesies.games import CardsOnMat
from linesies.vision import Call, CameraMoved, Expectation, Frame, Reader, Scene, TableEvent, TableWatcher


class TableEyes(Gaze):
    """Remembers the watcher over the calibrated table, and how its cards are read."""

    def __init__(self, calibration: Calibration, reader: Reader, *, cards: CardsOnMat) -> None:
        super().__init__(calibration)
        self._reader = reader
        self._cards = cards
        self._t_s = 0.0
        self._watcher = TableWatcher(calibration, reader, cards=cards)

    @property
    def scene(self) -> Scene:
        """Tell whether the table is at rest; no caps lie on it."""
        return Scene(t_s=self._t_s, is_at_rest=self._watcher.is_at_rest)

    def see(self, frame: Frame) -> tuple[TableEvent | CameraMoved, ...]:
        """Look at the next frame; while the camera is away from its place, nothing is seen."""
        self._t_s = frame.t_s
        if self.has_moved:
            return ()
        events = self._watcher.see(frame)
        self._heed(events)
        return events

    def finish(self) -> tuple[TableEvent, ...]:
        """Tell what was still open at the source's end."""
        return self._watcher.finish()

    def expect(self, expectation: Expectation) -> None:
        """Say whose turn it is: a prior, which never overrules an arm that is clearly another's."""
        super().expect(expectation)
        self._watcher.expect(expectation.shooter, expectation.public, expectation.seating)

    def elsewhere(self, call: Call) -> str:
        """Tell the one location there is: cards know no lines."""
        return call.location

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with this calibration from now on, afresh, for whom and for what was expected before."""
        super().recalibrate(calibration)
        self._watcher = TableWatcher(calibration, self._reader, cards=self._cards)
        self.expect(self._expected)

    def forget(self) -> None:
        """Look afresh: the camera was away, and anything may have changed meanwhile."""
        self._watcher.forget()

    def stand_corrected(self) -> None:
        """Go on: what people say changes no card on the table, and what has come to rest is yet to be told."""
