"""Cards seen anew in one place: settled on their sides, and read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import Outline, Reading, rectify
from linesies.vision.cards.change import FlatCandidate
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.judge import Reader
from linesies.vision.cards.spots import TableSpot
from linesies.vision.cards.table.settling import settle_quad
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SeenTuning(Tuning):
    """Which of two outlines on a table is kept."""

    same_card: float = tuned(
        0.3,
        title="overlap from which on two outlines are one card",
        unit="1",
        low=0.05,
        high=0.95,
        source=by_hand_in("d942027"),
    )
    same_place: float = tuned(
        0.8,
        title="overlap from which on a card lies where another does: it is seen again, or on or under that one",
        unit="1",
        low=0.5,
        high=1.0,
        source="by hand; two of simulated Skip-Bo 985001, squarely on and under others, are read by it",
    )


SEEN = SeenTuning()

SMALL_PX_PER_MM = 0.2  # a card's look in 13 x 18 pixels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenCard:
    """A card that lies where something changed: where (mm, (4, 2)), what it shows, how well its sides fit.

    `small` is its picture from above, a few pixels wide.
    """

    quad_mm: Array
    reading: Reading
    sides: float
    cover: float
    small: Image | None = None

    @property
    def middle_mm(self) -> Array:
        """The card's middle."""
        return np.asarray(self.quad_mm.mean(axis=0), float)

    def overlap(self, other: "SeenCard") -> float:
        """Tell which share of the room that both take up is taken up by both."""
        return overlap(self.quad_mm, other.quad_mm)

    def at(self, quad_mm: Array) -> "SeenCard":
        """Give the same card lying elsewhere."""
        return replace(self, quad_mm=quad_mm)


def look_at(
    picture_bgr: Image, spot: TableSpot, candidates: Sequence[FlatCandidate], calibration: Calibration, reader: Reader
) -> tuple[SeenCard, ...]:
    """Outline and read what fits well as a card, best first; of what overlaps, the better alone."""
    flat = spot.lay_flat(picture_bgr)
    kept: list[tuple[FlatCandidate, Array]] = []
    for candidate in candidates:
        quad_mm = spot.to_mm(settle_quad(flat, candidate.quad_px))
        if candidate.is_sure and all(overlap(quad_mm, other) < SEEN.same_card for _, other in kept):
            kept.append((candidate, quad_mm))
    seen_px = [calibration.view.mm_to_px(quad_mm) for _, quad_mm in kept]
    outlines = [_outline(px) for px in seen_px]
    readings = reader.read(picture_bgr, outlines)
    return tuple(
        SeenCard(
            quad_mm=quad_mm,
            reading=reading,
            sides=candidate.sides,
            cover=candidate.cover,
            small=rectify(picture_bgr, outline, SMALL_PX_PER_MM),
        )
        for (candidate, quad_mm), reading, outline in zip(kept, readings, outlines, strict=True)
    )


def read_where_others_lay(
    card: SeenCard, lain: Sequence[SeenCard], picture_bgr: Image, calibration: Calibration, reader: Reader
) -> SeenCard:
    """Read a face that cannot be read in its own outline in those of the cards that have lain there."""
    if card.reading.face != "up" or card.reading.name is not None:
        return card
    quads_mm = [one.quad_mm for one in lain if one.overlap(card) > SEEN.same_place]
    readings = reader.read(picture_bgr, [_outline(calibration.view.mm_to_px(quad_mm)) for quad_mm in quads_mm])
    named = [pair for pair in zip(readings, quads_mm, strict=True) if pair[0].name is not None]
    if not named:
        return card
    reading, quad_mm = max(named, key=lambda pair: pair[0].confidence)
    return replace(card, quad_mm=quad_mm, reading=reading)


def _outline(quad_px: Array) -> Outline:
    a, b, c, d = ((float(x), float(y)) for x, y in quad_px)
    return Outline(corners_px=(a, b, c, d), score=1.0, visible=1.0)
