"""Cards in one picture: found, read, and each told by the zone it lies in."""

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.vision.cards.card import Card, Outline, Reading
from linesies.vision.cards.find.finding import SURE_ENOUGH, CardFinder
from linesies.vision.picture.frame import Image

POSSIBLE = 0.15  # sureness from which on what may be a card is read
NAMED_SURELY = 0.9  # such a one is a card if it is read with that confidence


class Reader(Protocol):
    """Reads what outlined cards show."""

    def read(self, picture_bgr: Image, outlines: Sequence[Outline]) -> tuple[Reading, ...]:
        """Read each outlined card, in their order."""


class CardJudge:
    """Finds and reads the cards of single pictures; holds the networks, so keep it from picture to picture."""

    def __init__(self, reader: Reader, *, calibration: Calibration | None = None) -> None:
        self._finder = CardFinder()
        self._reader = reader
        self._calibration = calibration

    def judge(self, picture_bgr: Image) -> tuple[Card, ...]:
        """Say where each card lies, what it shows and in whose zone, best seen first."""
        outlines = self._finder.find(picture_bgr, self._calibration, least=POSSIBLE)
        readings = self._reader.read(picture_bgr, outlines)
        return tuple(
            Card(outline=outline, reading=reading, zone=self._zone(outline))
            for outline, reading in zip(outlines, readings, strict=True)
            if reading.is_card and (outline.score >= SURE_ENOUGH or _speaks_for_itself(reading))
        )

    def _zone(self, outline: Outline) -> str | None:
        """Name the region of the table in which a card's middle lies."""
        if self._calibration is None:
            return None
        x, y = self._calibration.view.px_to_mm(np.array([outline.centre_px]))[0]
        for region in self._calibration.regions:
            if cv2.pointPolygonTest(region.polygon_mm.astype(np.float32), (float(x), float(y)), measureDist=False) >= 0:
                return region.name
        return None


def _speaks_for_itself(reading: Reading) -> bool:
    """Tell whether a face is read so surely that a card must lie there, however little is seen of its edges."""
    return reading.name is not None and reading.confidence >= NAMED_SURELY
