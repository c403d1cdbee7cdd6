"""A camera may be moved, or changed for another: until the board is found again, nothing is seen."""

import time
from collections.abc import Iterable, Sequence

from linesies.calibration import Calibration, Lens, NoBoard, calibrate, follow
from linesies.vision import Call, CameraMoved, Cap, Event, Expectation, Frame, TableEvent

LOOK_AGAIN_S = 2.0


class Gaze:
    """Remembers the calibration that is looked with, whether the camera has been moved since, and what is expected."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.lens: Lens | None = calibration.view.lens
        self.has_moved = False
        self._look_again_s = 0.0
        self._expected = Expectation()

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with another calibration from now on."""
        self.calibration = calibration
        self.lens = calibration.view.lens
        self.has_moved = False

    def prepared(self, frame: Frame) -> Frame:
        """Make of a frame once what several will ask of it: nothing, where nobody does."""
        return frame

    def finish(self) -> tuple[Event | TableEvent, ...]:
        """Have nothing left to tell at the source's end."""
        return ()

    def expect(self, expectation: Expectation) -> None:
        """Say what comes next: a prior, which never overrules what is seen."""
        self._expected = expectation

    def elsewhere(self, call: Call) -> str:
        """Give no second reading of where a cap lies."""
        return call.location

    def forget(self) -> None:
        """Have nothing to forget."""

    def stand_corrected(self) -> None:
        """Look afresh: who missed or invented something had better not go by what he knows."""
        self.forget()

    def rekit(self, _caps: Sequence[Cap]) -> None:
        """Look for no caps by their looks."""

    def look_through_another(self) -> None:
        """See nothing until another camera, of which no lens is known, has found the board."""
        self.has_moved, self.lens = True, None

    def has_found_board_again(self, frame: Frame) -> bool:
        """After the camera was moved, try every few seconds to find the board: slightly moved, or else anew."""
        if not self.has_moved or time.monotonic() < self._look_again_s:
            return False
        found = found_again(self.calibration, self.lens, frame)
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S
        if not isinstance(found, Calibration):
            return False
        self.recalibrate(found)
        return True

    def _heed(self, events: Iterable[object]) -> None:
        """Hear from what was seen whether the camera has been moved, and then let it swing out."""
        self.has_moved = any(isinstance(event, CameraMoved) for event in events)
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S


def found_again(known: Calibration, lens: Lens | None, frame: Frame) -> Calibration | NoBoard:
    """Find the board of a calibration again: slightly moved, or anew with this lens; without one it is estimated."""
    is_same = lens is not None and known.has_frame_size(frame.bgr)
    return (is_same and follow(known, frame.bgr)) or calibrate(frame.bgr, known.board, lens=lens if is_same else None)
