"""The ledger of one place on the table: which cards lie there, and how it looked when each had come to rest.

Cards are conserved: one that lay there still lies there unless a hand took it, and none is new unless a hand brought
it. So what differs after a hand's visit is accounted for card by card; see `accounting`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.calibration.set_by_hand import by_hand_in
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.change import CARD_CHANGE, FlatCandidate, Mask, area_mm2, changed, find_new, share_within
from linesies.vision.cards.spots import PX_PER_MM, TableSpot
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

CARD_MM2 = CARD_MM[0] * CARD_MM[1]


@dataclass(frozen=True)
class LedgerTuning(Tuning):
    """When a place has changed, and when nothing lies there."""

    slight_mm2: float = tuned(
        45.0,
        title="less than this is no change",
        unit="mm2",
        low=10.0,
        high=200.0,
        source=BY_HAND,
    )
    bare_share: float = tuned(
        0.22,
        title="share of a card that may differ from the bare table",
        unit="1",
        low=0.05,
        high=0.5,
        source=BY_HAND,
    )
    square_mm: float = tuned(
        40.0,
        title="how far from a change the sides of a card laid square on another may be",
        unit="mm",
        low=5.0,
        high=88.0,
        source=BY_HAND,
    )
    square_share: float = tuned(
        0.85,
        title="share of the change that lies on a card laid square on another",
        unit="1",
        low=0.5,
        high=1.0,
        source=BY_HAND,
    )
    beyond_mm: float = tuned(
        8.0,
        title="how far beyond its place something may reach that lies there",
        unit="mm",
        low=0.0,
        high=30.0,
        source=BY_HAND,
    )
    reaching_share: float = tuned(
        0.25,
        title="share of a card that a neighbour's may reach in with",
        unit="1",
        low=0.05,
        high=0.5,
        source=BY_HAND,
    )
    shadow_mm: float = tuned(
        4.0,
        title="how far round a neighbour's card that reaches in its shadow and curl change the look",
        unit="mm",
        low=0.5,
        high=10.0,
        source=BY_HAND,
    )
    beside_mm: float = tuned(
        12.0,
        title="how far beside a back another like it may show that was laid on it and is outlined by nothing else",
        unit="mm",
        low=1.0,
        high=40.0,
        source="plain backs laid 6 to 8 mm beside each other in simulated Skull 988032",
    )
    taken_mm: float = tuned(
        3.0,
        title="how far round a card that is taken out of the record what it changed is undone",
        unit="mm",
        low=0,
        high=15,
        source=by_hand_in("29b533e"),
    )


CHANGE = LedgerTuning()


def _has_sure(candidates: Sequence[FlatCandidate]) -> bool:
    """Tell whether a card surely lies where any of these may."""
    return any(candidate.is_sure for candidate in candidates)


def _brush(reach_mm: float) -> Mask:
    """Give the square that marks what lies so near to what is marked, each way."""
    side = 2 * round(reach_mm * PX_PER_MM) + 1
    return np.ones((side, side), np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceDifference:
    """How a place differs from its last rest: what could be new cards, and what is gone.

    `is_bare`: nothing lies there any more. `removed`: so many of the layers laid last are gone and all else is as
    it was before them. `is_slight`: a neighbour's card that reaches in would change as much. `is_of_all`: cards were
    sought by all that has changed, not only by what looks otherwise than ever.
    """

    candidates: tuple[FlatCandidate, ...] = ()
    is_of_all: bool = False
    is_slight: bool = False
    is_bare: bool = False
    removed: int = 0

    @property
    def is_explained(self) -> bool:
        """Tell whether cards account for it; else a hand or something else lies there."""
        return self.is_bare or self.removed > 0 or _has_sure(self.candidates)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """A card that came to lie here, and how the place looked then; `card` None: something that is no card."""

    look: Image
    card: SeenCard | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LedgerEntry:
    """What is to be written into a ledger: the layers (by number, from 0) that are gone, and the cards now on top."""

    gone: tuple[int, ...] = ()
    come: tuple[SeenCard, ...] = ()


class Ledger:
    """Remembers what lies in one place, the lowest first, and how the place looked after each came."""

    def __init__(self, spot: TableSpot, bare: Image) -> None:
        self.spot = spot
        self.layers: list[Layer] = []
        self._bare = bare
        outline = (spot.polygon_mm - spot.origin_mm) * PX_PER_MM
        self._place = self._fill(outline)
        self._theirs = np.zeros_like(self._place)  # where neighbours' cards reach in, or did beside cards still here
        self._sought: tuple[Image, PlaceDifference] | None = None  # the last look in which cards were sought, and which

    @property
    def last(self) -> Image:
        """The look at the last rest."""
        return self.look(len(self.layers))

    @property
    def cards(self) -> list[SeenCard]:
        """The cards that lie here, the lowest first."""
        return [layer.card for layer in self.layers if layer.card is not None]

    def back_changed_in_place(self, now: Image) -> SeenCard | None:
        """Give the uppermost card if it lies face down and little has changed but on it and beside it."""
        top = self.layers[-1].card if self.layers else None
        if top is None or top.reading.face != "down":
            return None
        mask = changed(self.last, now) & self.inside
        on_it = area_mm2(mask & self.reach(top.quad_mm, CHANGE.beside_mm))
        return top if on_it >= CHANGE.square_share * area_mm2(mask) else None

    def look(self, count: int) -> Image:
        """Give the look at the place with so many layers; 0: the bare table."""
        return self.layers[count - 1].look if count else self._bare

    @property
    def inside(self) -> Mask:
        """Mark the place without what neighbours' cards cover of it."""
        return self._place & ~self._theirs

    def heed(self, quads_mm: Sequence[Array]) -> None:
        """Hear where neighbours' cards lie: what they cover and uncover here is no doing in this place."""
        reached = np.zeros_like(self._place) if not self.layers else self._theirs
        for quad_mm in quads_mm:
            reached = reached | self.reach(quad_mm, CHANGE.shadow_mm)
        if (reached != self._theirs).any():
            self._theirs, self._sought = reached, None

    def begin(self, now: Image) -> None:
        """Take the first look, ever or after a while unseen: what is as it was counts on, all else is the table's."""
        self._sought = None
        if self._is_as(self.last, now):
            self._refresh(now)
        elif self._is_bare(now):
            self._bare, self.layers = now, []
        else:
            self.layers = [Layer(look=now)]
            self._theirs = np.zeros_like(self._place)

    def compare(self, now: Image) -> PlaceDifference | None:
        """Tell what differs from the last rest; None: nothing."""
        mask = changed(self.last, now) & ~self._theirs
        if area_mm2(mask & self.inside) < CHANGE.slight_mm2:  # what changed beside it is its neighbour's
            self._refresh(now)
            return None
        if self._is_bare(now):
            return PlaceDifference(is_bare=True, removed=len(self.layers))
        if self._sought is not None and self._is_as(self._sought[0], now):
            return self._sought[1]
        difference = self._seek(now, mask)
        self._sought = (now, difference)
        return difference

    def compare_all(self, now: Image, difference: PlaceDifference) -> PlaceDifference:
        """Seek cards once more, by all that has changed: of what was found before, none can be one."""
        found = self._laid(now, changed(self.last, now) & ~self._theirs)
        of_all = replace(difference, candidates=found, is_of_all=True)
        self._sought = (now, of_all)
        return of_all

    def enter(self, now: Image, entry: LedgerEntry) -> None:
        """Write down what is gone and what has come; the place now looks like this."""
        for number in sorted(entry.gone, reverse=True):
            self._strike_out(number)
        self.layers += [Layer(look=now, card=card) for card in entry.come]
        self._refresh(now)
        self._sought = None

    def adopt(self, now: Image) -> None:
        """Take what lies here as belonging to the table: no card explains it, and it stays; the cards still count."""
        self.layers.append(Layer(look=now))
        self._sought = None

    def reach(self, quad_mm: Array, grown_mm: float) -> Mask:
        """Mark a card's outline, grown by so much."""
        mask = self._fill((quad_mm - self.spot.origin_mm) * PX_PER_MM)
        return cv2.dilate(mask, _brush(grown_mm)).astype(np.uint8)

    def edge(self, quad_mm: Array, width_mm: float) -> Mask:
        """Mark a card's edge, so wide to both sides."""
        return cv2.morphologyEx(self.reach(quad_mm, 0.0), cv2.MORPH_GRADIENT, _brush(width_mm)).astype(np.uint8)

    def alone(self, now: Image, bare: Image) -> Image:
        """Show what lies here as it is now, and bare what lies round it: that is its neighbours'."""
        return np.where(self.nearby[..., None] > 0, now, bare)

    @property
    def nearby(self) -> Mask:
        """Mark the place with the rim beyond it that its own cards may cover."""
        return cv2.dilate(self._place, _brush(CHANGE.beyond_mm)).astype(np.uint8) & ~self._theirs

    def _fill(self, outline_px: Array) -> Mask:
        mask = np.zeros(self.spot.size_px[::-1], np.uint8)
        cv2.fillPoly(mask, [np.rint(outline_px).astype(np.int32)], 255)
        return mask

    def _refresh(self, now: Image) -> None:
        """Follow the light: the topmost look is the newest."""
        if self.layers:
            self.layers[-1] = Layer(look=now, card=self.layers[-1].card)
        else:
            self._bare = now

    def _strike_out(self, number: int) -> None:
        """Take a layer out; in the looks after it, what it covered shows what lay beneath."""
        below, gone = self.look(number), self.layers.pop(number)
        if gone.card is None:
            beneath = cv2.dilate(changed(below, gone.look), np.ones((5, 5), np.uint8)).astype(np.uint8)
        else:
            beneath = self.reach(gone.card.quad_mm, CHANGE.taken_mm)
        for i, layer in enumerate(self.layers[number:], start=number):
            if layer.card is not None:
                beneath &= ~self.reach(layer.card.quad_mm, 0.0)
            self.layers[i] = Layer(look=np.where(beneath[..., None] > 0, below, layer.look), card=layer.card)

    def _seek(self, now: Image, mask: Mask) -> PlaceDifference:
        """Find what was laid or taken: `mask` is what changed since the last rest."""
        new = mask
        for depth in range(1, len(self.layers) + 1):
            differs = changed(self.look(len(self.layers) - depth), now)
            if area_mm2(differs & self.inside) < CHANGE.slight_mm2:
                return PlaceDifference(removed=depth)
            new = new & differs  # what looks as before was only uncovered: a card was turned over from there
        is_slight = area_mm2(mask & self.inside) < CHANGE.reaching_share * CARD_MM2
        laid = self._laid_anew(now, new, mask) if area_mm2(new & self.inside) >= CHANGE.slight_mm2 else ()
        if laid:
            return PlaceDifference(candidates=laid, is_slight=is_slight)
        return PlaceDifference(candidates=self._laid(now, mask), is_slight=is_slight, is_of_all=True)

    def _laid_anew(self, now: Image, new: Mask, mask: Mask) -> tuple[FlatCandidate, ...]:
        """Find cards laid here by what looks otherwise than ever (`new`), unless one accounts for more (`mask`).

        Beside a card that is bared where one was taken off it, the last of its print and the mat's lines look new.
        """
        found = self._standing_out(now, new)
        if _has_sure(found):
            return found
        square = self._squarely(now, new)
        if not _has_sure(square):
            return ()
        of_new, of_all = (max(self._share(part, c) for c in square if c.is_sure) for part in (new, mask))
        for other in self._standing_out(now, mask):
            if other.is_sure and self._share(new, other) >= of_new and self._share(mask, other) > of_all:
                return ()
        return square

    def _laid(self, now: Image, mask: Mask) -> tuple[FlatCandidate, ...]:
        """Find cards laid here."""
        found = self._standing_out(now, mask)
        return found if _has_sure(found) else self._squarely(now, mask)

    def _standing_out(self, now: Image, mask: Mask) -> tuple[FlatCandidate, ...]:
        """Find cards whose sides stand out beside what has changed."""
        return self._own(find_new(now, mask, reach_mm=CARD_CHANGE.near_mm, full_slope=CARD_CHANGE.full_slope))

    def _squarely(self, now: Image, mask: Mask) -> tuple[FlatCandidate, ...]:
        """Find cards laid nearly square on their like: that changes little, and all of it lies on that card."""
        found = self._own(find_new(now, mask, reach_mm=CHANGE.square_mm, full_slope=CARD_CHANGE.faint_slope))
        shares = {candidate: candidate.sides * self._share(mask, candidate) for candidate in found}
        best = sorted(found, key=shares.__getitem__, reverse=True)
        return tuple(candidate for candidate in best if shares[candidate] > CHANGE.square_share)

    def _share(self, mask: Mask, candidate: FlatCandidate) -> float:
        """Tell how much of what is marked here lies on a card."""
        return share_within(mask & self.inside, candidate.quad_px)

    def _own(self, candidates: Sequence[FlatCandidate]) -> tuple[FlatCandidate, ...]:
        return tuple(c for c in candidates if self.spot.holds(self.spot.to_mm(c.quad_px).mean(axis=0)))

    def _is_as(self, before: Image, now: Image) -> bool:
        return area_mm2(changed(before, now) & self.inside) < CHANGE.slight_mm2

    def _is_bare(self, now: Image) -> bool:
        return area_mm2(changed(self._bare, now) & self.inside) < CHANGE.bare_share * CARD_MM2
