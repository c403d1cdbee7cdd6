"""Cards found in a picture: votes gathered, sides measured, and only what proves to be a card told."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.cards.card import Outline, Point
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.evidence import OWN, SHOWN, draw_owners, weigh
from linesies.vision.cards.find.index_corners import find_index_corners
from linesies.vision.cards.find.net import LONG_SIDE_PX, VoteNet, Votes
from linesies.vision.cards.find.overhead import BetterKnown, Overhead, see_from_above, slant_deg, supposed_table
from linesies.vision.cards.find.plane import SurveyedTable, Table
from linesies.vision.cards.find.sides import Laid, lay_cards, lay_roughly, lay_supposed
from linesies.vision.cards.find.votes import Rough, gather
from linesies.vision.cards.find.votes_closer import look_closer
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

WHOLE = 0.8  # of a card must be seen for its voted shape to be believed
MOST_MISFIT = 0.8  # of voted sides on the table, as logarithms
SAME_CARD = 0.82  # two outlines that overlap more are one card
SAME_UNLESS_SHOWN, SHOWN_WORTH = (
    0.42,
    4.0,
)  # so are those that overlap so much, and more by what is seen of the weaker's edges
SAME_ROUGH = 0.9
SAME_BETWEEN_SCALES = 0.5
SURE_ENOUGH = 0.4  # of a card, since readers refuse what turns out to be none
LEAST_OWN = 0.1  # of an outline that must show its own card: less is mostly a scrap of another
PLAIN, PLAIN_HALF_PX = 0.8, 40.0
ASLANT_DEG, PERHAPS_ASLANT_DEG = 34.0, 22.0  # from which on a table is shown from above: told by cards, or by FEW
FEW = 2.5  # the sum of the sureness of cards that hardly tell how the table lies
ABOVE_DEG, MOST_LOOKS = 10.0, 3  # up to which a picture is from above enough; how often it is shown anew
HINT = 0.2  # the sureness of a corner's card before it is read
SHOWS_CARD, GROWN = 0.5, 1.08  # chance of a cell that must be explained; by how much outlines may fall short of it
EXPLAINS = 0.75  # the sureness of a card whose cells need no other
LEAST_UNEXPLAINED = 0.12  # of a card's area: less is the rim of a known one
LARGER = 2.5  # than most: such a card is worth a look at a coarser scale

# What speaks for a card: a constant, what `weigh` tells, and how like a stronger candidate it is; fitted by
# device.training.finder_exam.
TRUST = (-5.16, 5.92, 1.62, -4.44, 5.67, -1.39, -1.98, 0.08)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What may be a card: its corners, what speaks for it, in the order of `TRUST`, and how much of it is seen."""

    corners_px: tuple[Point, Point, Point, Point]
    evidence: tuple[float, ...]
    visible: float

    @property
    def alike(self) -> float:
        """How much of it, and no more, a stronger candidate covers too."""
        return self.evidence[-1]

    @property
    def is_another(self) -> bool:
        """Tell whether it is another card than the stronger ones: it must show edges of its own where one covers it."""
        return self.alike < min(SAME_CARD, SAME_UNLESS_SHOWN + SHOWN_WORTH * self.evidence[SHOWN])

    @property
    def sureness(self) -> float:
        """How surely it is a card."""
        return float(1 / (1 + np.exp(-TRUST[0] - np.dot(TRUST[1:], self.evidence))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What may be cards in a picture, strongest first; the table they lie on, where that is known; and mere hints.

    A hint is a corner in sight, of a card that may be covered: only if its index is read is it one.
    """

    candidates: list[Candidate]
    table: Table | None
    hints: tuple[Outline, ...] = ()

    @property
    def sureness(self) -> float:
        """How much speaks for those that are likely to be cards."""
        return sum(one.sureness for one in self.candidates if one.is_another and one.sureness >= SURE_ENOUGH)

    def seen_through(self, above: Overhead) -> "Proposed":
        """Give what was proposed in a picture from above as it lies in the picture as taken."""
        return replace(
            self,
            candidates=[replace(one, corners_px=_taken(above, one.corners_px)) for one in self.candidates],
            hints=tuple(replace(one, corners_px=_taken(above, one.corners_px)) for one in self.hints),
        )


class CardFinder:
    """Finds the cards in pictures; holds the networks."""

    def __init__(self) -> None:
        self._votes = VoteNet()
        self._edges = EdgeNet()

    def find(
        self, picture_bgr: Image, calibration: Calibration | None = None, *, least: float = SURE_ENOUGH
    ) -> tuple[Outline, ...]:
        """Outline every card in a picture that is at least so sure, best seen first.

        With a calibration its lens and plane are used.
        """
        proposed = self._look(picture_bgr, calibration)
        found = ((candidate, candidate.sureness) for candidate in proposed.candidates)
        outlines = tuple(
            Outline(corners_px=candidate.corners_px, score=sure, visible=candidate.visible)
            for candidate, sure in found
            if sure >= least and candidate.is_another
        )
        return outlines + tuple(hint for hint in proposed.hints if hint.score >= least)

    def propose(self, picture_bgr: Image, calibration: Calibration | None = None) -> list[Candidate]:
        """Propose what may be cards, strongest first, each with what speaks for it."""
        return self._look(picture_bgr, calibration).candidates

    def _look(self, picture_bgr: Image, calibration: Calibration | None) -> Proposed:
        """Look at a picture as it is and, where its table lies aslant, as from straight above."""
        size_px = (picture_bgr.shape[1], picture_bgr.shape[0])
        if calibration:
            known = SurveyedTable(view=calibration.view)
            if slant_deg(known, size_px) > ASLANT_DEG:
                return self._from_above(picture_bgr, known, is_known=True)
            return self._propose(picture_bgr, LONG_SIDE_PX, known)
        plain = self._propose(picture_bgr, LONG_SIDE_PX, None)
        looks, guessed = [plain], _aslant(plain, size_px)
        while guessed is not None and len(looks) <= MOST_LOOKS:
            found = self._from_above(picture_bgr, guessed, is_known=False)
            guessed = found.table if found.sureness > plain.sureness else None
            looks.append(found)
        return max(looks, key=lambda look: look.sureness)

    def _from_above(self, picture: Image, table: Table, *, is_known: bool) -> Proposed:
        """Propose what may be cards on a table aslant, and how it lies if that turns out to be otherwise."""
        above = see_from_above(picture, table)
        wide = LONG_SIDE_PX / max(picture.shape[:2])  # of the net's pixels to one of the picture's
        found = self._propose(above.picture, wide * max(above.picture.shape[:2]), above if is_known else None)
        seen, size_px = found.table, (above.picture.shape[1], above.picture.shape[0])
        is_above = is_known or seen is None or slant_deg(seen, size_px) < ABOVE_DEG
        better_known = None if is_above or seen is None else BetterKnown(above=above, seen=seen)
        return replace(found.seen_through(above), table=better_known)

    def _propose(self, picture: Image, long_side_px: float, known: Table | None) -> Proposed:
        """Propose what may be cards in a picture of which the net sees the long side as so long; and their table."""
        scales: list[list[Rough]] = []
        finest: Votes | None = None
        for votes in self._votes.cast(picture, long_side_px):
            finest = finest or votes
            roughs = gather(votes)
            is_enough = are_plain(roughs)
            scales.append(roughs if scales else look_closer(self._votes, picture, votes, roughs))
            if is_enough:
                break
        proposed = propose_cards(self._edges, picture, distinct(scales), known)
        return replace(proposed, hints=hints_at_corners(self._edges, picture, proposed, finest)) if finest else proposed


def hints_at_corners(edges: EdgeNet, picture: Image, proposed: Proposed, votes: Votes) -> tuple[Outline, ...]:
    """Suppose covered cards by their corners, where cells show cards that none of the likely ones explains."""
    likely = [one for one in proposed.candidates if one.is_another and one.sureness >= SURE_ENOUGH]
    if proposed.table is None or not likely:
        return ()
    quads = [np.array(one.corners_px) for one in likely]
    sure = [quad for quad, one in zip(quads, likely, strict=True) if one.sureness >= EXPLAINS]
    grown = [quad.mean(0) + GROWN * (quad - quad.mean(0)) for quad in sure]
    cells_px = votes.at_px[(votes.chance > SHOWS_CARD) & ~are_within(votes.at_px, grown)].astype(float)
    area_px2 = float(np.median([cv2.contourArea(quad.astype(np.float32)) for quad in quads]))
    if len(cells_px) * votes.cell_px2 < LEAST_UNEXPLAINED * area_px2:
        return ()
    supposed = find_index_corners(picture, proposed.table, cells_px, np.array(sure).reshape(-1, 4, 2))
    if not len(supposed):
        return ()
    laid = lay_supposed(edges, picture, supposed, proposed.table)
    shown = [float(are_within(cells_px, [quad]).sum() * votes.cell_px2 / area_px2) for quad in laid]
    return tuple(
        Outline(corners_px=_corners(quad), score=HINT, visible=min(share, 1.0))
        for quad, share in zip(laid, shown, strict=True)
        if share > LEAST_OWN
    )


def are_within(points_px: NDArray[np.floating], quads: Iterable[Array]) -> NDArray[np.bool_]:
    """Tell which points (N, 2) lie within any of some convex quads, clockwise."""
    within = np.zeros(len(points_px), bool)
    for quad in quads:
        run = np.roll(quad, -1, 0) - quad
        away = points_px[:, None] - quad
        within |= (run[:, 0] * away[..., 1] - run[:, 1] * away[..., 0] >= 0).all(1)
    return within


def _aslant(plain: Proposed, size_px: tuple[int, int]) -> Table | None:
    """Give the table if it seems to be aslant, one as is usual where too few cards tell of it; None if it is not."""
    table, sure = plain.table, plain.sureness
    if table is None or sure < FEW:
        is_doubtful = table is None or sure < 1.0 or slant_deg(table, size_px) > PERHAPS_ASLANT_DEG
        return supposed_table(size_px) if is_doubtful else None
    return table if slant_deg(table, size_px) > ASLANT_DEG else None


def _taken(above: Overhead, corners_px: tuple[Point, ...]) -> tuple[Point, Point, Point, Point]:
    return _corners(above.to_picture(np.array(corners_px)))


def _corners(quad: Array) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d


def distinct(scales: Iterable[list[Rough]]) -> list[Rough]:
    """Keep, of what was found at several scales, each card once; that others agree with it speaks for it."""
    kept: list[tuple[int, Rough]] = []
    ranked = sorted(((i, rough) for i, scale in enumerate(scales) for rough in scale), key=lambda p: -p[1].score)
    for i, rough in ranked:
        for place, (j, other) in enumerate(kept):
            if overlap(rough.quad_px, other.quad_px) >= (SAME_ROUGH if i == j else SAME_BETWEEN_SCALES):
                if i != j:
                    kept[place] = (j, replace(other, agreed=max(other.agreed, rough.score)))
                break
        else:
            kept.append((i, rough))
    return [rough for _, rough in kept]


def are_plain(roughs: list[Rough]) -> bool:
    """Tell whether several cards, none much larger, are seen so well that a coarser scale can't tell more."""
    well = [rough.area_px2 for rough in roughs if rough.score * rough.visible > PLAIN and rough.half_px < PLAIN_HALF_PX]
    return len(well) >= 3 and max(well) < LARGER * float(np.median(well))


def overlap(first: Array, second: Array) -> float:
    """Tell which share of two convex quads' union both cover."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    if (a.max(0) < b.min(0)).any() or (b.max(0) < a.min(0)).any():
        return 0.0
    both, _ = cv2.intersectConvexConvex(a, b)
    return float(both / max(cv2.contourArea(a) + cv2.contourArea(b) - both, 1e-6))


def propose_cards(edges: EdgeNet, picture: Image, roughs: list[Rough], known: Table | None) -> Proposed:
    """Measure rough outlines to sub-pixel and lay them on one table; what is far from a card's size is dropped.

    The table comes with them, None if nothing lies on it.
    """
    if not roughs:
        return Proposed(candidates=[], table=known)
    quads = np.array([rough.quad_px for rough in roughs])
    trust = np.array([rough.trust for rough in roughs])
    is_whole = np.array([rough.visible > WHOLE for rough in roughs])
    table, quads, misfit = lay_roughly(quads, trust, is_whole, (picture.shape[1], picture.shape[0]), known)
    fit = np.nonzero(misfit < MOST_MISFIT)[0]
    if not len(fit):
        return Proposed(candidates=[], table=known)
    laid = lay_cards(edges, picture, quads[fit], trust[fit], (table, known is not None))
    candidates = _weighed([roughs[i] for i in fit], laid, (picture.shape[1], picture.shape[0]))
    return Proposed(candidates=candidates, table=laid.table)


def _weighed(roughs: list[Rough], laid: Laid, size_px: tuple[int, int]) -> list[Candidate]:
    """Gather what speaks for each, strongest first, with how much of it a stronger one covers alike."""
    weighed = weigh(roughs, laid.corners_px, laid.edges, draw_owners(roughs, size_px))
    candidates: list[Candidate] = []
    for i in np.argsort(-(weighed @ TRUST[1:-1])):
        if weighed[i, OWN] < LEAST_OWN:
            continue
        quad = laid.corners_px[i]
        alike = max((overlap(quad, np.array(other.corners_px)) for other in candidates), default=0.0)
        candidate = Candidate(
            corners_px=_corners(quad),
            evidence=(*weighed[i].tolist(), alike),
            visible=roughs[i].visible,
        )
        candidates.append(candidate)
    return candidates
