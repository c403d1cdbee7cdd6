"""The die in its place on the table: which face lies up, and whether it was thrown since or only lies there still."""

from math import dist

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.vision.cards.learn.die import NO_DIE, DieReading, LearnedDie, read_die
from linesies.vision.cards.spots import PX_PER_MM, TableSpot, raised
from linesies.vision.cards.table.ledger import Ledger
from linesies.vision.picture.colouring import most_of_colours
from linesies.vision.picture.frame import Frame, Image

DIE = "die"  # the zone in which it is rolled
DIE_MM = 16.0  # how high its upper face lies; a few millimetres more or less hardly matter
SAME_PLACE_MM = 3.0  # so near it has not been touched; one that is thrown hardly ever comes back so near, same face up
MIDDLE_MM = 5.0  # about its middle, where nothing but its upper face is seen
BARE_LEVELS = 12  # by which the bare table may look otherwise there once the die is gone; that differs by twice as much


class TableDie:
    """Remembers how the die lay when it was last read, and how that looked; no die once it was seen taken up."""

    def __init__(self, spot: TableSpot, calibration: Calibration, learned: LearnedDie) -> None:
        self._above = raised(spot, calibration.view, DIE_MM)
        self._bare = self._above.lay_flat(calibration.empty_bgr)
        self._learned = learned
        self._lying, self._seen = NO_DIE, self._bare

    def look_on(self, frame: Frame) -> None:
        """See whether the die is gone from where it lay: wherever it comes to lie next, it was thrown."""
        at_px = self._lying.centre_px
        if at_px is None or _middle_levels(self._seen, self._bare, at_px) <= 2 * BARE_LEVELS:
            return  # and the frame needs no colours
        if _middle_levels(self._above.lay_flat(frame.bgr), self._bare, at_px) < BARE_LEVELS:
            self._lying = NO_DIE

    def read(self, picture_bgr: Image, ledger: Ledger) -> DieReading:
        """Read the face that lies up in a picture at rest."""
        now = self._seen = ledger.alone(self._above.lay_flat(picture_bgr), self._bare)
        return read_die(now, self._learned, PX_PER_MM, bare=self._bare)

    def note(self, reading: DieReading) -> bool:
        """Remember how it lies; tells whether that is otherwise than when it was last seen.

        What cannot be read where it lay is the same die; elsewhere it may be that one.
        """
        if reading.centre_px is None:
            return False
        before = self._lying
        is_alike = reading.face is None or before.face in (None, reading.face)
        is_thrown = before.centre_px is None or not is_alike or _is_elsewhere(before.centre_px, reading.centre_px)
        if is_thrown or reading.face is not None:
            self._lying = reading
        return is_thrown


def _middle_levels(flat: Image, bare: Image, centre_px: tuple[float, float]) -> float:
    """Tell by how much the middle of a die's place differs from the bare table, in the median of its pixels."""
    half = round(MIDDLE_MM * PX_PER_MM)
    x, y = (max(round(along), half) for along in centre_px)
    window = (slice(y - half, y + half + 1), slice(x - half, x + half + 1))
    return float(np.median(most_of_colours(cv2.absdiff(flat[window], bare[window]))))


def _is_elsewhere(before_px: tuple[float, float], centre_px: tuple[float, float]) -> bool:
    return dist(before_px, centre_px) > SAME_PLACE_MM * PX_PER_MM
