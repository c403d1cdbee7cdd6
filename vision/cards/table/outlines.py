"""How large what changes is when one card of this deck is laid down.

What lies wider than a card, from where it ends beside one side to where it ends beside the other, is two cards laid at
once, on the bare table and on others; not where it lies squarely on another: what ends beside it may be that other.
Two that are turned but a little against one another are told by how far their corners reach, there too. What changes
no more than one card, even at its corners, is one: a narrow change beside the outline that was found is then that
outline's own error, as where a camera sees a large table coarsely. Judged from the fourth card on: before, there is
nothing to go by.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.change import Mask
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.sources import BY_HAND

Array = NDArray[np.float64]
Upon = Literal["table", "others", "squarely"]  # what a card lies on; squarely on another


@dataclass(frozen=True)
class OutlineTuning(Tuning):
    """When more has changed than one card changes."""

    beyond_mm: float = tuned(
        2.7,
        title="by how much wider or longer than is usual with the last cards lies what two cards are",
        unit="mm",
        low=0.5,
        high=10.0,
        source="208 cards alone of simulated Skull King, Skip-Bo and Skull 990103, not squarely on others: at most"
        " 2.6 mm; of 126 pairs 3 mm apart and more 113 beyond it",
    )
    one_mm: float = tuned(
        1.5,
        title="by how much more widely, corners and all, what one card changes may reach than is usual with the last",
        unit="mm",
        low=0.3,
        high=5.0,
        source="22 cards alone of simulated Skull 987011, eight players, seen at 0.9 px a mm: at most 1.1 mm",
    )
    whole_mm: float = tuned(
        2.2,
        title="the same, of what two cards change, one of which may be turned but a little",
        unit="mm",
        low=0.5,
        high=10.0,
        source="152 cards alone of simulated Skull King, Skip-Bo and Skull 990104 to 990109: at most 1.9 mm, but three "
        "that people were asked about; of 47 pairs 46 have more than 3, 2026-11-30",
    )
    squarely_mm: float = tuned(
        4.5,
        title="the same, of what two change squarely on another, whose edges change too",
        unit="mm",
        low=0.5,
        high=20.0,
        source="48 cards alone of simulated 990104 to 990111: at most 4.0 mm, but four that people were asked about; "
        "two pairs of 988119 taken for one 5.7 and 11, 2026-11-30",
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
    known: int = tuned(3, title="cards seen before one is judged", unit="1", low=1, high=20, source=BY_HAND)
    room_mm: float = tuned(
        25.0, title="how far beside a card it is looked for what changed", unit="mm", low=5.0, high=60.0, source=BY_HAND
    )
    full: float = tuned(
        0.97,
        title="of a card's size, as far as what one changed must reach to be told by its corners",
        unit="1",
        low=0.5,
        high=1.0,
        source=BY_HAND,
    )

    def most_whole_mm(self, upon: Upon) -> float:
        """Tell by how much more widely one card changes at most, by what it lies on."""
        return self.squarely_mm if upon == "squarely" else self.whole_mm


OUTLINES = OutlineTuning()
MOST_KEPT = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Extent:
    """How wide and long what a card changed is, in mm (2,): from side to side, and as a whole with its corners.

    Of what lies upon others some may change nothing: paper on paper.
    """

    across_mm: Array
    whole_mm: Array
    upon: Upon = "table"

    @classmethod
    def of_outline(cls, quad_mm: Array) -> "Extent":
        """Measure but the outline (4, 2), the longer of each two sides."""
        sides_mm = np.hypot(*(quad_mm - np.roll(quad_mm, -1, axis=0)).T)
        return cls(across_mm=np.maximum(sides_mm[:2], sides_mm[2:]), whole_mm=np.zeros(2))

    @property
    def reaches_its_edges(self) -> bool:
        """Whether it differs from what lay there as far as a card's edges."""
        return bool((self.whole_mm > OUTLINES.full * np.array(CARD_MM)).all())

    def between(self, ends_mm: Array) -> "Extent":
        """Give the same where what changed ends so far beyond the sides (4,)."""
        return replace(self, across_mm=self.across_mm + (ends_mm[:2] + ends_mm[2:])[::-1])


class Outlines:
    """Remembers how large what the last cards changed was.

    Those that were asked about as two are among them: what is usual is the middle one. Of cards that do not differ from
    the table as far as their edges nothing is told by their corners.
    """

    def __init__(self) -> None:
        self._known: deque[Extent] = deque(maxlen=MOST_KEPT)
        self._known_whole: deque[Extent] = deque(maxlen=MOST_KEPT)

    def learn(self, extent: Extent) -> None:
        """Remember how wide and long the change was that one card made."""
        self._known.append(extent)
        if extent.upon == "table" and extent.reaches_its_edges:
            self._known_whole.append(extent)

    def is_of_two(self, extent: Extent) -> bool:
        """Tell whether a change so wide and long, from side to side or corners and all, is more than one card makes."""
        if len(self._known) < OUTLINES.known:
            return False
        beyond_mm = extent.across_mm - _usual([known.across_mm for known in self._known])
        whole_mm, most_mm = self._whole_beyond_mm(extent), OUTLINES.most_whole_mm(extent.upon)
        return bool(beyond_mm.max() > OUTLINES.beyond_mm) or (whole_mm is not None and whole_mm > most_mm)

    def is_of_one(self, extent: Extent) -> bool:
        """Tell whether a change so wide and long is no more than one card makes, its corners and all."""
        whole_mm = self._whole_beyond_mm(extent)
        return extent.upon == "table" and whole_mm is not None and whole_mm <= OUTLINES.one_mm

    def _whole_beyond_mm(self, extent: Extent) -> float | None:
        """Tell by how much a change reaches farther than is usual, corners and all; None where that can't be told."""
        if len(self._known_whole) < OUTLINES.known or not extent.reaches_its_edges:
            return None
        return float((extent.whole_mm - _usual([known.whole_mm for known in self._known_whole])).max())


def _usual(known_mm: list[Array]) -> Array:
    """Tell how wide and long a usual one of these is, (2,)."""
    return np.asarray(np.quantile(np.array(known_mm), OUTLINES.usual, axis=0), float)


def whole_mm(change: Mask, quad_px: Array) -> Array:
    """Measure how wide and how long, with its corners, what changed is about a card (4, 2) in a flat picture, in mm.

    0 where nothing has changed there.
    """
    along = (quad_px[1] - quad_px[0]) / np.hypot(*(quad_px[1] - quad_px[0]))  # the first side is a short one
    size = np.rint((np.array(CARD_MM) + 2 * OUTLINES.room_mm) * PX_PER_MM).astype(int)
    back = np.array([[along[0], -along[1], 0.0], [along[1], along[0], 0.0]])
    back[:, 2] = quad_px.mean(axis=0) - back[:, :2] @ ((size - 1) / 2)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    upright = cv2.warpAffine(change, back, (int(size[0]), int(size[1])), flags=flags)
    _, labels = cv2.connectedComponents(upright)
    room = round(OUTLINES.room_mm * PX_PER_MM)
    counts = np.bincount(labels[room:-room, room:-room].ravel(), minlength=2)[1:]
    if not counts.any():
        return np.zeros(2)
    part = (labels == counts.argmax() + 1).astype(np.uint8)
    return np.sort(cv2.minAreaRect(cv2.findNonZero(part))[1]) / PX_PER_MM
