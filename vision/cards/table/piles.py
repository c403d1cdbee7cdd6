"""One place on the table through time: how it looked when it was last at rest, and which cards lie there."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.change import FAINT_SLOPE, Candidate, Mask, area_mm2, changed, find_new, share_within
from linesies.vision.cards.spots import PX_PER_MM, Spot
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

CARD_MM2 = CARD_MM[0] * CARD_MM[1]
SLIGHT_MM2 = 45.0  # less than this is no change
BARE_SHARE = 0.22  # of a card's area that may still differ from the bare table when nothing lies there
SQUARE_MM = 40.0  # sides of a card laid square on another need not be near a change
SQUARE_SHARE = 0.85
BEYOND_MM = 8.0  # so far beyond its place something may reach that lies there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Difference:
    """How a place differs from its last rest: what could be new cards, and what is gone.

    `is_bare`: nothing lies there any more. `removed`: so many of the cards laid last are gone and all else is as
    it was before them.
    """

    candidates: tuple[Candidate, ...] = ()
    is_bare: bool = False
    removed: int = 0

    @property
    def is_explained(self) -> bool:
        """Tell whether cards account for it; else a hand or something else lies there."""
        return self.is_bare or self.removed > 0 or any(candidate.is_sure for candidate in self.candidates)


class Pile:
    """Remembers a place's last looks at rest, one for each change still to be undone, and the cards laid there."""

    def __init__(self, spot: Spot, bare: Image) -> None:
        self.spot = spot
        self._bare = bare
        self._inside = np.zeros(spot.size_px[::-1], np.uint8)
        outline = (spot.polygon_mm - spot.origin_mm) * PX_PER_MM
        cv2.fillPoly(self._inside, [np.rint(outline).astype(np.int32)], 255)
        self._looks: list[Image] = [bare]
        self._sought: tuple[Image, Difference] | None = None  # the last look in which cards were sought, and which

    @property
    def last(self) -> Image:
        """The look at the last rest."""
        return self._looks[-1]

    def begin(self, now: Image) -> bool:
        """Take the first look; tells whether something lies there already."""
        is_bare = self._is_bare(now)
        self._looks = [now] if is_bare else [self._bare, now]
        if is_bare:
            self._bare = now
        return not is_bare

    def compare(self, now: Image) -> Difference | None:
        """Tell what differs from the last rest; None: nothing."""
        mask = changed(self.last, now)
        if area_mm2(mask & self._inside) < SLIGHT_MM2:  # what changed beside it is its neighbour's
            self._looks[-1] = now
            return None
        if self._is_bare(now):
            return Difference(is_bare=True, removed=len(self._looks) - 1)
        if self._sought is not None and area_mm2(changed(self._sought[0], now) & self._inside) < SLIGHT_MM2:
            return self._sought[1]
        difference = self._seek(now, mask)
        self._sought = (now, difference)
        return difference

    def _seek(self, now: Image, mask: Mask) -> Difference:
        """Find what was laid or taken: `mask` is what changed since the last rest."""
        new = mask
        for depth, look in enumerate(reversed(self._looks[:-1]), start=1):
            differs = changed(look, now)
            if area_mm2(differs & self._inside) < SLIGHT_MM2:
                return Difference(removed=depth)
            new = new & differs  # what looks as before was only uncovered: a card was turned over from there
        laid = self._laid(now, new) if area_mm2(new & self._inside) >= SLIGHT_MM2 else ()
        return Difference(candidates=laid if any(c.is_sure for c in laid) else self._laid(now, mask))

    def _laid(self, now: Image, mask: Mask) -> tuple[Candidate, ...]:
        """Find cards laid here; one laid nearly square on its like changes little, and all of it lies on that card."""
        new = self._own(find_new(now, mask))
        if any(candidate.is_sure for candidate in new):
            return new
        old = self._own(find_new(now, mask, SQUARE_MM, FAINT_SLOPE))
        here = mask & self._inside
        shares = {candidate: candidate.sides * share_within(here, candidate.quad_px) for candidate in old}
        return tuple(c for c in sorted(old, key=shares.__getitem__, reverse=True) if shares[c] > SQUARE_SHARE)

    def _own(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        return tuple(c for c in candidates if self.spot.holds(self.spot.to_mm(c.quad_px).mean(axis=0)))

    def alone(self, now: Image, bare: Image) -> Image:
        """Show what lies here as it is now, and bare what lies round it: that is its neighbours'."""
        side = 2 * round(BEYOND_MM * PX_PER_MM) + 1
        return np.where(cv2.dilate(self._inside, np.ones((side, side), np.uint8))[..., None] > 0, now, bare)

    def push(self, now: Image) -> None:
        """Remember a look after something was laid down."""
        self._looks.append(now)
        self._sought = None

    def pop(self, count: int, now: Image) -> None:
        """Remember that as many layers are gone."""
        self._looks = [*self._looks[: max(len(self._looks) - count, 1)]]
        self._looks[-1] = now
        self._sought = None

    def replace(self, now: Image) -> None:
        """Remember a look in the place of all but the bare table: layers no longer stand on one another."""
        self._looks = [self._looks[0], now]
        self._sought = None

    def _is_bare(self, now: Image) -> bool:
        return area_mm2(changed(self._bare, now) & self._inside) < BARE_SHARE * CARD_MM2
