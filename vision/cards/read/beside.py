"""Cards that are not read where they are outlined, read from a little beside: covered ones lie some millimetres off."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import CARD_MM, Outline, Reading

Quad = NDArray[np.float64]

SET = "by hand, on the world `covered` of training/worlds.py (seeds 32000, 36000, 41001, 44000)"
ACROSS_MM, DOWN_MM = (-10.0, -5.0, 0.0, 5.0, 10.0), (-6.0, 0.0, 6.0)  # where it is tried; the same source


@dataclass(frozen=True)
class BesideTuning(Tuning):
    """Which cards are read from beside, and when that is believed."""

    sure_card: float = tuned(
        0.4, title="sureness from which on an outline is read from beside", unit="1", low=0.05, high=1, source=SET
    )
    named_surely: float = tuned(
        0.9, title="confidence from which on a name read beside is told", unit="1", low=0.3, high=1, source=SET
    )
    places: int = tuned(
        2,
        title="places from which it must be seen: of names seen from one, two of seven were wrong",
        unit="1",
        low=1,
        high=15,
        source=SET,
    )


BESIDE = BesideTuning()


def name_beside(
    read: Callable[[Sequence[Quad]], Sequence[Reading]], outlines: Sequence[Outline], readings: Sequence[Reading]
) -> tuple[Reading, ...]:
    """Read each card that lies face up without a name from beside, and tell the one name that is seen there, if any."""
    told = {reading.name for reading in readings}
    return tuple(
        (_named(read, outline.quad_px, told) or reading) if _is_to_name(outline, reading) else reading
        for outline, reading in zip(outlines, readings, strict=True)
    )


def _is_to_name(outline: Outline, reading: Reading) -> bool:
    is_unread = reading.is_card and reading.face == "up" and reading.name is None
    return is_unread and outline.score >= BESIDE.sure_card


def _named(
    read: Callable[[Sequence[Quad]], Sequence[Reading]], quad_px: Quad, told: AbstractSet[str | None]
) -> Reading | None:
    """Read a card from beside: None where not one name is seen, surely and from several places, or another card's."""
    seen = [one for one in read(list(_beside(quad_px))) if one.is_card and one.name is not None]
    if len(seen) < BESIDE.places or len({one.name for one in seen}) != 1:
        return None
    best = max(seen, key=lambda one: one.confidence)
    return best if best.confidence >= BESIDE.named_surely and best.name not in told else None


def _beside(quad_px: Quad) -> Iterator[Quad]:
    """Move an outline some millimetres across and along the card, each way."""
    across = (quad_px[1] - quad_px[0] + quad_px[2] - quad_px[3]) / 2 / CARD_MM[0]
    down = (quad_px[3] - quad_px[0] + quad_px[2] - quad_px[1]) / 2 / CARD_MM[1]
    for x in ACROSS_MM:
        for y in DOWN_MM:
            yield quad_px + x * across + y * down
