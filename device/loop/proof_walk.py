"""A guided proof while the box runs: pictures are taken as the owner says, and measured in a process of their own.

As long as it goes on no game is watched: a sheet that is laid on the board is no shot.
"""

import time
from pathlib import Path

import cv2

from linesies.calibration import BadInput, read_calibration
from linesies.device.loop.child import Child
from linesies.device.proof.measuring import NOT_FOUND, seats_of
from linesies.device.proof.walk import begin, measuring_file, picture_at
from linesies.referee.orders import Prove
from linesies.referee.saying import Saying, Trouble
from linesies.vision import Frame, read_caps

WHO = "proof"
PATIENCE_S = 180.0  # after the last order; then whoever proved has gone
QUICK = 1  # of PNG's nine ways to be smaller: no turn of the loop may wait long


class ProofWalk:
    """Remembers which picture is wanted, until when it goes on, and which place is being measured."""

    def __init__(self, state: Path, calibration: Path, caps: Path) -> None:
        self._state, self._calibration, self._caps = state, calibration, caps
        self._wanted: Prove | None = None
        self._until_s = 0.0
        self._child = Child()
        self._place = 0

    @property
    def is_on(self) -> bool:
        """Tell whether somebody is proving this box."""
        return self._child.is_at_work or time.monotonic() < self._until_s

    def take(self, order: Prove) -> None:
        """Take note of what is to be photographed, or that the walk is over."""
        is_over = order.shows == "nothing"
        self._wanted = None if is_over else order
        self._until_s = 0.0 if is_over else time.monotonic() + PATIENCE_S

    def see(self, frame: Frame) -> list[Trouble]:
        """Photograph what was ordered; tells what was measured since, or why not."""
        told = self._done()
        if self._wanted is None or self._child.is_at_work:
            return told
        order, self._wanted = self._wanted, None
        try:
            return told + self._photograph(frame, order)
        except (OSError, BadInput) as fault:
            return [*told, Trouble(WHO, Saying("proof_unwritten", why=str(fault)))]

    def _photograph(self, frame: Frame, order: Prove) -> list[Trouble]:
        if (order.place, order.shows) == (0, "gauge"):
            width_mm = read_calibration(self._calibration).board.line_width_mm
            begin(self._state, seats_of(read_caps(self._caps), width_mm))
        path = picture_at(self._state, order.place, order.shows)
        if not cv2.imwrite(str(path), frame.bgr, [cv2.IMWRITE_PNG_COMPRESSION, QUICK]):
            return [Trouble(WHO, Saying("proof_unwritten", why=str(path)))]
        if order.shows == "caps":
            words = ["linesies.device.proof.measuring", str(self._state), str(order.place)]
            words += [str(self._calibration), str(self._caps)]
            self._child.begin(words, said_file=measuring_file(self._state))
            self._place = order.place
        return []

    def _done(self) -> list[Trouble]:
        """Tell once what became of a place."""
        outcome = self._child.done(self._settle)
        if outcome is None:
            return []
        if outcome.status == 0:
            return [Trouble.over(WHO)]
        failed = Saying("proof_failed", why=outcome.said)
        return [Trouble(WHO, Saying("proof_not_found") if outcome.status == NOT_FOUND else failed)]

    def _settle(self, status: int) -> None:
        """Have both pictures of a place that failed taken again."""
        if status != 0:
            for shows in ("gauge", "caps"):
                picture_at(self._state, self._place, shows).unlink(missing_ok=True)
