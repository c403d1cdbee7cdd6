"""One look at a table: what was proposed in its picture, and what that is worth."""

from dataclasses import dataclass

import cv2

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.find.candidate import ProposedCards
from linesies.vision.cards.find.hints import HINTS
from linesies.vision.cards.find.net import Votes
from linesies.vision.cards.find.overhead import SLANT, Overhead, SeenFromAbove, slant_deg
from linesies.vision.cards.find.overlap import are_within
from linesies.vision.cards.find.plane import GuessedTable, Table, Unknown
from linesies.vision.cards.find.proposing import PROPOSING
from linesies.vision.picture.layout import Image, size_of


@dataclass(frozen=True)
class LookTuning(Tuning):
    """When a look at a table needs no other."""

    plain: float = tuned(
        0.97,
        title="share of cells on sure cards that leaves nothing",
        unit="1",
        low=0.5,
        high=1,
        source=BY_HAND,
    )


LOOK = LookTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableLook:
    """What was proposed in a picture, and its votes; `above` tells how that lies if it is one from straight above.

    `taken_px` is the size of the picture as taken, `long_side_px` how long the net saw its long side, and
    `other_long_side_px` how long it sees it at the other of two scales.
    """

    picture: Image
    taken_px: tuple[int, int]
    proposed: ProposedCards
    votes: Votes
    known: Table | Unknown
    long_side_px: float
    other_long_side_px: float
    above: Overhead | None = None

    @property
    def small(self) -> Image:
        """Shrink the picture to what the net sees of it."""
        height, width = self.picture.shape[:2]
        less = min(1.0, self.long_side_px / max(height, width))
        sides = max(1, round(less * width)), max(1, round(less * height))
        return cv2.resize(self.picture, sides, interpolation=cv2.INTER_AREA)

    @property
    def as_taken(self) -> ProposedCards:
        """Give what is proposed as it lies in the picture as taken."""
        return self.proposed.seen_through(self.above) if self.above else self.proposed

    @property
    def worth(self) -> float:
        """How much speaks for what is proposed: nothing for what is seen from above of a table that is not aslant."""
        if self.above is None or not isinstance(self.proposed.table, SeenFromAbove):
            return self.proposed.sureness
        is_aslant = slant_deg(self.proposed.table.better, self.taken_px) > SLANT.really_deg
        return SLANT.worth * self.proposed.sureness if is_aslant else 0.0

    @property
    def better_known(self) -> GuessedTable | None:
        """How the table lies after all, if this picture of it turned out not to be from above."""
        seen, size_px = self.proposed.table, size_of(self.picture)
        return seen.better if isinstance(seen, SeenFromAbove) and slant_deg(seen, size_px) >= SLANT.above_deg else None

    @property
    def explained(self) -> float:
        """Which share of the cells that show cards lies on surely told ones; all of it where there are none."""
        return self.explained_of(self.votes)

    def explained_of(self, votes: Votes) -> float:
        """Which share of the cells that show cards by such votes lies on surely told ones; all where there are none."""
        cells_px = votes.at_px[votes.chance > HINTS.shows_card]
        return float(are_within(cells_px, self.proposed.sure_quads).mean()) if len(cells_px) else 1.0

    @property
    def is_plain(self) -> bool:
        """Tell whether sure cards explain all that is seen, but for their rims."""
        return self.explained >= LOOK.plain and len(self.proposed.sure) == self.proposed.likely

    @property
    def sure_and_whole(self) -> int:
        """How many cards are told surely of which all is seen: they tell how their table lies."""
        return sum(one.visible > PROPOSING.whole for one in self.proposed.sure)
