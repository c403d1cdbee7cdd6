"""Cards in one picture: found, read, and each told by the zone it lies in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import Card, Outline, Reading
from linesies.vision.cards.card_odds import is_there
from linesies.vision.cards.find.candidate import CANDIDATES
from linesies.vision.cards.find.finding import CardFinder
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.picture.frame import Image

Read = tuple[Outline, Reading]


@dataclass(frozen=True)
class CardJudgeTuning(Tuning):
    """Which outlines are read, and which of them are told."""

    possible: float = tuned(
        0.06,
        title="sureness from which on what may be a card is read",
        unit="1",
        low=0.01,
        high=0.9,
        source="by hand: what the reader surely takes for a card is one from there on (card_odds.py)",
    )
    named_surely: float = tuned(
        0.9,
        title="confidence of a reading from which on such a one is a card",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("c17f570"),
    )
    same_card_named: float = tuned(
        0.3,
        title="overlap from which on two outlines with one name are one card",
        unit="1",
        low=0.05,
        high=0.95,
        source=by_hand_in("eaedd13"),
    )


JUDGING = CardJudgeTuning()


class Reader(Protocol):
    """Reads what outlined cards show."""

    def read(self, picture_bgr: Image, outlines: Sequence[Outline]) -> tuple[Reading, ...]:
        """Read each outlined card, in their order."""


class CardJudge:
    """Finds and reads the cards of single pictures; holds the networks, so keep it from picture to picture."""

    def __init__(self, reader: Reader, *, calibration: Calibration | None = None) -> None:
        self._finder = CardFinder(names=self._named)
        self._reader = reader
        self._calibration = calibration

    def judge(self, picture_bgr: Image) -> tuple[Card, ...]:
        """Say where each card lies, what it shows and in whose zone, best seen first."""
        outlines = self._finder.find(picture_bgr, self._calibration, least=JUDGING.possible)
        readings = self._reader.read(picture_bgr, outlines)
        read = [
            (outline, reading)
            for outline, reading in zip(outlines, readings, strict=True)
            if is_there(outline, reading) or _speaks_for_itself(reading)
        ]
        return tuple(
            Card(outline=outline, reading=reading, zone=self._zone(outline))
            for outline, reading in without_borrowed_names(without_doubles(read))
        )

    def _named(self, picture_bgr: Image, outlines: Sequence[Outline]) -> float:
        """Tell how many of outlined cards are surely named."""
        readings = self._reader.read(picture_bgr, outlines)
        return sum(reading.confidence for reading in readings if _speaks_for_itself(reading))

    def _zone(self, outline: Outline) -> str | None:
        """Name the region of the table in which a card's middle lies."""
        if self._calibration is None:
            return None
        x, y = self._calibration.view.px_to_mm(np.array([outline.centre_px]))[0]
        for region in self._calibration.regions:
            if cv2.pointPolygonTest(region.polygon_mm.astype(np.float32), (float(x), float(y)), measureDist=False) >= 0:
                return region.name
        return None


def without_doubles(read: Sequence[Read]) -> list[Read]:
    """Drop what tells again of a card that is told already.

    A doubtful outline that shows the name of another one over it is that card; an unnamed one under a doubtful outline
    whose face speaks for itself is its misplaced outline.
    """
    kept: list[Read] = []
    for one in sorted(read, key=lambda one: (not is_there(*one), -one[1].confidence)):
        outline, reading = one
        rivals = [other for other in kept if overlap(other[0].quad_px, outline.quad_px) > JUDGING.same_card_named]
        if is_there(outline, reading):
            kept.append(one)
        elif all(other.name != reading.name for _, other in rivals):
            misplaced = [
                id(other) for other in rivals if other[1].name is None and other[0].score < CANDIDATES.explains
            ]
            kept = [*(other for other in kept if id(other) not in misplaced), one]
    told = {id(one) for one in kept}
    return [one for one in read if id(one) in told]


def without_borrowed_names(read: Sequence[Read]) -> list[Read]:
    """Withhold what a doubtful outline shows if a sure one over it shows it too: it is read off that card."""
    sure = [one for one in read if one[0].score >= CANDIDATES.explains and one[1].name is not None]
    told = []
    for outline, reading in read:
        over = [
            other.name for above, other in sure if overlap(above.quad_px, outline.quad_px) > JUDGING.same_card_named
        ]
        is_borrowed = outline.score < CANDIDATES.explains and reading.name in over
        told.append((outline, replace(reading, name=None, confidence=0.0) if is_borrowed else reading))
    return told


def _speaks_for_itself(reading: Reading) -> bool:
    """Tell whether a face is read so surely that a card must lie there, however little is seen of its edges."""
    return reading.name is not None and reading.confidence >= JUDGING.named_surely
