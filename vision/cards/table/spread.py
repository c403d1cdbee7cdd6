"""How far what changed spreads beyond one card: what two cards laid at once change, one card can't cover.

Shade, blur and curl reach a little beyond every card, farther in a coarse picture; so what counts is how much farther
than usual a change spreads. What is usual is told by the last cards that lay by themselves, those that were asked about
as two among them: by the lower of them, for where two are laid at once again and again most of them may be such.
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.change import Mask, changed, in_one_light
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.picture.colouring import most_of_colours
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

SPREAD_AT = (
    "1,682 cards alone, 93 pairs of simulated Skip-Bo 988151, 988167, 988171, Skull King 988170, Skull 987011, 988064,"
    " 988172, two of them seen at 0.9 px a mm"
)


@dataclass(frozen=True)
class SpreadTuning(Tuning):
    """How a change is measured, and how much farther than usual two cards spread it."""

    strong_levels: float = tuned(
        25.0,
        title="grey levels of a strong change, which is no shade",
        unit="levels",
        low=5.0,
        high=100.0,
        source=SPREAD_AT,
    )
    beyond_all_mm: float = tuned(
        1.1,
        title="by how much more than usual all that two cards change reaches beyond one, on each side",
        unit="mm",
        low=0.3,
        high=5.0,
        source=SPREAD_AT
        + ": two cards alone reach farther, and 89 pairs by this or by the strong change (84 as before)",
    )
    beyond_strong_mm: float = tuned(
        0.8,
        title="the same, of what they change strongly",
        unit="mm",
        low=0.3,
        high=5.0,
        source=SPREAD_AT + ": of cards alone one reaches farther",
    )
    least_all_mm: float = tuned(
        -10.0,
        title="all that a card changes reaches so far at least; less, on its like, is something smaller put there",
        unit="mm",
        low=-30.0,
        high=-3.0,
        source=SPREAD_AT + ": 1,888 cards laid, on up to 21 others, at least -8.1; 11 times the die, put on a pile and"
        " taken off it, at most -12.6",
    )
    edge_mm: float = tuned(
        1.0,
        title="how far beside the edge of a card that lies there a change may be that edge's",
        unit="mm",
        low=0.0,
        high=5.0,
        source=BY_HAND,
    )
    room_mm: float = tuned(
        25.0, title="how far beside a card it is looked for what changed", unit="mm", low=5.0, high=60.0, source=BY_HAND
    )
    least_mm2: float = tuned(
        1.0, title="what sticks out on one side and is less is noise", unit="mm2", low=0.0, high=10.0, source=SPREAD_AT
    )
    turn_deg: float = tuned(
        12.0,
        title="by how much the outline that was found may be turned",
        unit="deg",
        low=0.0,
        high=45.0,
        source=BY_HAND,
    )
    usual_all_mm: float = tuned(
        2.0,
        title="how far all that a card changes reaches beyond it where none was seen before",
        unit="mm",
        low=0.0,
        high=10.0,
        source="between the finest and the coarsest of those tables, whose middle ones are 1.3 and 3.0 mm",
    )
    usual_strong_mm: float = tuned(
        1.5,
        title="the same, of what it changes strongly",
        unit="mm",
        low=0.0,
        high=10.0,
        source="likewise, 0.7 and 2.3 mm",
    )
    usual_share: float = tuned(
        0.35,
        title="of the last cards, the share that spreads less than usual",
        unit="1",
        low=0.05,
        high=0.5,
        source="by hand, of 0.25, 0.35, 0.5: in Skull King 988221 and Skip-Bo 988210 3, 5, 9 of 97 pairs are taken for "
        "one card, 95, 41, 30 cards alone for two; most of the last cards had been pairs or no cards, 2026-11-30",
    )
    first: int = tuned(
        2, title="as many cards as count for those before the first", unit="1", low=1, high=12, source=BY_HAND
    )


SPREAD = SpreadTuning()
TURN_STEP_DEG = 0.5
MOST_KEPT = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """By how much what covers a change must be larger than a card, on each side: all of it, and the strong part."""

    all_mm: float
    strong_mm: float

    @property
    def is_of_a_card(self) -> bool:
        """Whether so much has changed as a card changes that is laid, at least."""
        return self.all_mm > SPREAD.least_all_mm


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceAround:
    """What is known of a place where a card was laid: where a change tells of it, and where cards lie, this one too."""

    seen: Mask
    lying: Mask


class Spreads:
    """Remembers how far what the last cards changed spread."""

    def __init__(self) -> None:
        before = Spread(all_mm=SPREAD.usual_all_mm, strong_mm=SPREAD.usual_strong_mm)
        self._last: deque[Spread] = deque([before] * SPREAD.first, maxlen=MOST_KEPT)

    def learn(self, spread: Spread) -> None:
        """Remember how far what one card changed spread."""
        self._last.append(spread)

    def is_of_two(self, spread: Spread) -> bool:
        """Tell whether a change spreads farther than one card makes it."""
        beyond_all_mm = spread.all_mm - _usual([last.all_mm for last in self._last])
        beyond_strong_mm = spread.strong_mm - _usual([last.strong_mm for last in self._last])
        return beyond_all_mm > SPREAD.beyond_all_mm or beyond_strong_mm > SPREAD.beyond_strong_mm


def _usual(last_mm: list[float]) -> float:
    return float(np.quantile(last_mm, SPREAD.usual_share))


def spread_of(before: Image, now: Image, quad_px: Array, about: PlaceAround) -> Spread:
    """Measure how far what differs in two flat pictures spreads where a card (4, 2) was found."""
    everything = changed(before, now) & about.seen
    differs = most_of_colours(cv2.absdiff(*in_one_light(before, now)))
    strong = np.where(differs > SPREAD.strong_levels, everything, 0).astype(np.uint8)
    strong = cv2.morphologyEx(strong, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(np.uint8)
    x, y = np.rint(quad_px.mean(axis=0)).astype(int)
    all_mm, strong_mm = (
        _beyond_mm(_joined(mask, about.lying, (int(x), int(y))), quad_px) for mask in (everything, strong)
    )
    return Spread(all_mm=all_mm, strong_mm=strong_mm)


def _joined(mask: Mask, lying: Mask, middle_px: tuple[int, int]) -> Mask:
    """Leave of a change what hangs together with the card there, be it by way of others that lie there."""
    _, labels = cv2.connectedComponents(cv2.dilate(mask, np.ones((3, 3), np.uint8)).astype(np.uint8) | lying)
    return np.where(labels == labels[middle_px[::-1]], mask, 0).astype(np.uint8)


def _beyond_mm(mask: Mask, quad_px: Array) -> float:
    """Tell by how much a card must grow on each side to cover what is marked, laid and turned as fits best."""
    rim = mask & ~cv2.erode(mask, np.ones((5, 5), np.uint8)).astype(np.uint8)  # what lies within reaches nowhere
    places = np.argwhere(rim)[:, ::-1].astype(np.float32) - quad_px.mean(axis=0).astype(np.float32)
    most_out = round(SPREAD.least_mm2 * PX_PER_MM**2)
    if len(places) <= 2 * most_out:
        return -min(CARD_MM) / 2
    along = quad_px[1] - quad_px[0]  # the first side is a short one
    turns = np.radians(np.arange(-SPREAD.turn_deg, SPREAD.turn_deg + TURN_STEP_DEG / 2, TURN_STEP_DEG))
    turns = (turns + np.arctan2(along[1], along[0])).astype(np.float32)
    across, down = np.stack([np.cos(turns), np.sin(turns)]), np.stack([-np.sin(turns), np.cos(turns)])
    wider_mm = _extent_mm(places @ across, most_out) - CARD_MM[0]
    longer_mm = _extent_mm(places @ down, most_out) - CARD_MM[1]
    return float(np.maximum(wider_mm, longer_mm).min()) / 2


def _extent_mm(places_px: NDArray[np.float32], most_out: int) -> Array:
    """Measure from where to where places (n, turns) reach, so many left out at either end: (turns,)."""
    last = len(places_px) - 1 - most_out
    ordered = np.partition(places_px, (most_out, last), axis=0)
    return np.asarray(ordered[last] - ordered[most_out] + 1, float) / PX_PER_MM
