"""How large what changes is when one card of this deck is laid down: its paper, its shadow, its curl.

What changes more widely is two cards laid at once: where the one beneath is of one colour with that on top, its side
may be taken for that one's. On another card what sticks out may be that one, so only the bare table tells; but wherever
it lies, an outline larger than a card's own is that of two. What changes no more than one card, even at its corners, is
one: a narrow change beside the outline that was found is then that outline's own error, as where a camera sees a large
table coarsely. Judged from the fourth card on: before, there is nothing to go by.
"""

from collections import deque
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.change import Mask
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.sources import BY_HAND

Array = NDArray[np.float64]

TWOS = "20 single cards, 18 pairs, simulated tables 43011 and 43012: at most 0.7 mm, of the closest pair 2.0 mm"


@dataclass(frozen=True)
class OutlineTuning(Tuning):
    """When more has changed than one card changes."""

    beyond_mm: float = tuned(
        2.0,
        title="by how much more widely than is usual with the last cards a place has changed where two were laid",
        unit="mm",
        low=0.5,
        high=10.0,
        source=TWOS,
    )
    one_mm: float = tuned(
        1.5,
        title="by how much more widely, corners and all, what one card changes may reach than is usual with the last",
        unit="mm",
        low=0.3,
        high=5.0,
        source="22 cards alone of simulated Skull 987011, eight players, seen at 0.9 px a mm: at most 1.1 mm",
    )
    usual: float = tuned(
        0.5,
        title="share of the last cards that change no more than is usual: pairs taken for one must not set it",
        unit="1",
        low=0.3,
        high=1.0,
        source="simulated Skull King 990001 and 990012, every second card a pair, and Skull 990003: none of 495 cards"
        " alone beyond the middle one by more than 1.4 mm; by 0.8 of the last, half of all pairs were taken for one",
    )
    larger_mm: float = tuned(
        3.0,
        title="by how much longer an outline's side is than is usual with the last cards where it is that of two",
        unit="mm",
        low=1.0,
        high=10.0,
        source="606 cards alone in those three games, 99 of them on others: at most 2.5 mm longer than the middle one",
    )
    known: int = tuned(3, title="cards seen before one is judged", unit="1", low=1, high=20, source=BY_HAND)
    room_mm: float = tuned(
        25.0, title="how far beside a card it is looked for what changed", unit="mm", low=5.0, high=60.0, source=BY_HAND
    )
    straight: float = tuned(
        0.7, title="of a side, what is measured, away from corners", unit="1", low=0.2, high=1.0, source=BY_HAND
    )


OUTLINES = OutlineTuning()
MOST_KEPT = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Extent:
    """How wide and long a card's outline is, and what changed about it, in mm (2,): both 0 where others lie beneath.

    What changed is told in the middle of most rows, and with its corners.
    """

    outline_mm: Array
    usual_mm: Array
    whole_mm: Array

    @classmethod
    def of_outline(cls, quad_mm: Array) -> "Extent":
        """Measure but the outline (4, 2), the longer of each two sides."""
        sides_mm = np.hypot(*(quad_mm - np.roll(quad_mm, -1, axis=0)).T)
        return cls(outline_mm=np.maximum(sides_mm[:2], sides_mm[2:]), usual_mm=np.zeros(2), whole_mm=np.zeros(2))

    @property
    def reaches_its_edges(self) -> bool:
        """Whether it differs from what lay there as far as a card's edges."""
        return bool((self.usual_mm > np.array(CARD_MM) - OUTLINES.beyond_mm).all())


class Outlines:
    """Remembers how large the last cards' outlines were, and how widely those on the bare table changed it.

    Those that were asked about as two are among them, so that longer shadows are soon the usual ones. Of cards that
    do not differ from the table as far as their edges nothing more is learned or told.
    """

    def __init__(self) -> None:
        self._sizes_mm: deque[Array] = deque(maxlen=MOST_KEPT)
        self._known: deque[Extent] = deque(maxlen=MOST_KEPT)

    def learn(self, extent: Extent) -> None:
        """Remember how large one card's outline was, and how wide and long the change that it made."""
        self._sizes_mm.append(extent.outline_mm)
        if extent.reaches_its_edges:
            self._known.append(extent)

    def is_of_two(self, extent: Extent) -> bool:
        """Tell whether an outline so large, or a change so wide and long, is more than one card makes."""
        if len(self._sizes_mm) >= OUTLINES.known:
            larger_mm = extent.outline_mm - _usual(list(self._sizes_mm))
            if larger_mm.max() > OUTLINES.larger_mm:
                return True
        if not self._can_judge(extent):
            return False
        beyond_mm = extent.usual_mm - _usual([known.usual_mm for known in self._known])
        return bool(beyond_mm.max() > OUTLINES.beyond_mm)

    def is_of_one(self, extent: Extent) -> bool:
        """Tell whether a change so wide and long is no more than one card makes, its corners and all."""
        if not self._can_judge(extent):
            return False
        beyond_mm = extent.whole_mm - _usual([known.whole_mm for known in self._known])
        return bool(beyond_mm.max() <= OUTLINES.one_mm)

    def _can_judge(self, extent: Extent) -> bool:
        return len(self._known) >= OUTLINES.known and extent.reaches_its_edges


def _usual(known_mm: list[Array]) -> Array:
    """Tell how wide and long a usual one of these is, (2,)."""
    return np.asarray(np.quantile(np.array(known_mm), OUTLINES.usual, axis=0), float)


def extent_of(change: Mask, quad_px: Array) -> Extent:
    """Measure how wide and how long what changed is about a card (4, 2) in a flat picture.

    The middle one of all widths across it is taken, and of all lengths; 0 where nothing has changed there.
    """
    outline = Extent.of_outline(quad_px / PX_PER_MM)
    along = (quad_px[1] - quad_px[0]) / np.hypot(*(quad_px[1] - quad_px[0]))  # the first side is a short one
    size = np.rint((np.array(CARD_MM) + 2 * OUTLINES.room_mm) * PX_PER_MM).astype(int)
    back = np.array([[along[0], -along[1], 0.0], [along[1], along[0], 0.0]])
    back[:, 2] = quad_px.mean(axis=0) - back[:, :2] @ ((size - 1) / 2)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    upright = cv2.warpAffine(change, back, (int(size[0]), int(size[1])), flags=flags)
    _, labels = cv2.connectedComponents(upright)
    counts = np.bincount(labels[_middle(labels.shape, size)].ravel(), minlength=2)[1:]
    if not counts.any():
        return outline
    part = labels == counts.argmax() + 1
    usual_px = np.array([_usual_run(part), _usual_run(part.T)])
    whole_px = cv2.minAreaRect(cv2.findNonZero(part.astype(np.uint8)))[1]
    return replace(outline, usual_mm=usual_px / PX_PER_MM, whole_mm=np.sort(whole_px) / PX_PER_MM)


def _middle(shape: tuple[int, ...], size: NDArray[np.int_]) -> tuple[slice, slice]:
    room = round(OUTLINES.room_mm * PX_PER_MM)
    return slice(room, shape[0] - room), slice(room, int(size[0]) - room)


def _usual_run(part: NDArray[np.bool_]) -> float:
    """Tell how far it is from the first to the last pixel that is marked in a usual row of a card's middle part."""
    room = round(OUTLINES.room_mm * PX_PER_MM)
    aside = room + round((1 - OUTLINES.straight) / 2 * (len(part) - 2 * room))
    rows = part[aside : len(part) - aside]
    rows = rows[rows.any(axis=1)]
    if not len(rows):
        return 0.0
    runs = rows.shape[1] - rows[:, ::-1].argmax(axis=1) - rows.argmax(axis=1)
    return float(np.median(runs))
