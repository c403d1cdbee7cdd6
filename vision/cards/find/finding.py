"""Cards found in a picture: votes gathered, sides measured, and only what proves to be a card told."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import Outline, Point
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.evidence import OWN, SHOWN, CardGrid, draw_owners, ends_in_sight, weigh
from linesies.vision.cards.find.index_corners import find_index_corners
from linesies.vision.cards.find.net import LONG_SIDE_PX, VoteNet, Votes
from linesies.vision.cards.find.overhead import (
    SLANT,
    Overhead,
    SeenFromAbove,
    see_from_above,
    slant_deg,
    supposed_tables,
    unknown_from_above,
)
from linesies.vision.cards.find.overlap import are_within, overlap
from linesies.vision.cards.find.plane import PLANE, GuessedTable, SurveyedTable, Table, Unknown, unknown_as_taken
from linesies.vision.cards.find.plane_pose import poses_of, quads_of
from linesies.vision.cards.find.sides import SIDES, LaidCards, Voted, lay_cards, lay_roughly, lay_supposed
from linesies.vision.cards.find.trust import TRUST
from linesies.vision.cards.find.votes import Rough, gather
from linesies.vision.cards.find.votes_closer import look_closer
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]
LEVEL_SET = "by hand, on the world `covered` of training/worlds.py (seeds 32000, 36000)"


@dataclass(frozen=True)
class FindingTuning(Tuning):
    """Which outlines are cards, and which are one and the same."""

    whole: float = tuned(
        0.8,
        title="of a card, what must be seen for its voted shape to be believed",
        unit="1",
        low=0.3,
        high=1,
        source=BY_HAND,
    )
    most_misfit: float = tuned(
        0.8, title="of voted sides on the table, as logarithms", unit="1", low=0.1, high=3, source=BY_HAND
    )
    same_card: float = tuned(
        0.82, title="overlap from which on two outlines are one card", unit="1", low=0.3, high=1, source=BY_HAND
    )
    sure_enough: float = tuned(
        0.4,
        title="sureness of a card, since readers refuse what turns out to be none",
        unit="1",
        low=0.05,
        high=0.95,
        source=BY_HAND,
    )
    least_own: float = tuned(
        0.1, title="of an outline, what must show its own card", unit="1", low=0.01, high=0.6, source=BY_HAND
    )
    hint: float = tuned(
        0.2, title="sureness of a corner's card before it is read", unit="1", low=0.01, high=0.9, source=BY_HAND
    )
    explains: float = tuned(
        0.75, title="sureness of a card whose cells need no other", unit="1", low=0.2, high=1, source=BY_HAND
    )
    least_unexplained: float = tuned(
        0.12, title="of a card's area: less is the rim of a known one", unit="1", low=0.01, high=0.6, source=BY_HAND
    )
    possible: float = tuned(
        0.1,
        title="sureness of an outline that counts where tables are weighed",
        unit="1",
        low=0.01,
        high=0.9,
        source=LEVEL_SET,
    )
    settled: float = tuned(
        0.8,
        title="mean sureness of those, below which the table is also supposed to be level",
        unit="1",
        low=0.1,
        high=1,
        source=LEVEL_SET,
    )
    better: float = tuned(
        0.5, title="sure cards by which a level table must tell more", unit="1", low=0, high=5, source=LEVEL_SET
    )
    enough: float = tuned(
        2.0, title="sure cards above which a level table is believed", unit="1", low=0, high=9, source=LEVEL_SET
    )
    larger: float = tuned(
        2.5,
        title="times larger than most, from which a coarser scale is worth a look",
        unit="1",
        low=1.2,
        high=10,
        source=BY_HAND,
    )


FINDING = FindingTuning()

SAME_UNLESS_SHOWN, SHOWN_WORTH = (
    0.42,
    4.0,
)  # so are those that overlap so much, and more by what is seen of the weaker's edges
SAME_ROUGH, SAME_BETWEEN_SCALES = (
    0.9,
    0.5,
)  # overlap from which on two votes of one scale mean one card, and of two scales
PLAIN, PLAIN_HALF_PX = 0.8, 40.0  # score and half length of a card that is seen well
SHOWS_CARD, GROWN = 0.5, 1.08  # chance of a cell that must be explained; by how much outlines may fall short of it
CONSTANT, *_EVIDENCE = TRUST.weights
EVIDENCE = np.array(_EVIDENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What may be a card: its corners, what speaks for it (as `OutlineTrust` weighs it), and how much of it is seen.

    `ends_seen` tells the same of where its two indices may be.
    """

    corners_px: tuple[Point, Point, Point, Point]
    evidence: tuple[float, ...]
    visible: float
    ends_seen: tuple[float, float] = (1.0, 1.0)

    @property
    def alike(self) -> float:
        """How much of it, and no more, a stronger candidate covers too."""
        return self.evidence[-1]

    @property
    def is_another(self) -> bool:
        """Tell whether it is another card than the stronger ones: it must show edges of its own where one covers it."""
        return self.alike < min(FINDING.same_card, SAME_UNLESS_SHOWN + SHOWN_WORTH * self.evidence[SHOWN])

    @property
    def sureness(self) -> float:
        """How surely it is a card."""
        return float(1 / (1 + np.exp(-CONSTANT - np.dot(EVIDENCE, self.evidence))))


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
        return sum(one.sureness for one in self.candidates if one.is_another and one.sureness >= FINDING.sure_enough)

    @property
    def likely(self) -> int:
        """How many may be cards: those that would be read."""
        return sum(one.is_another and one.sureness >= FINDING.possible for one in self.candidates)

    @property
    def sure(self) -> list[Candidate]:
        """Those that need no other explanation."""
        return [one for one in self.candidates if one.is_another and one.sureness >= FINDING.explains]

    @property
    def firm(self) -> float:
        """How much speaks for the sure ones alone: doubtful ones may be laid anywhere, on any table."""
        return sum(one.sureness for one in self.sure)

    @property
    def sure_quads(self) -> list[Array]:
        """Outline the sure ones a little larger: outlines may fall short."""
        quads = (np.array(one.corners_px) for one in self.sure)
        return [quad.mean(0) + GROWN * (quad - quad.mean(0)) for quad in quads]

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
        self, picture_bgr: Image, calibration: Calibration | None = None, *, least: float = FINDING.sure_enough
    ) -> tuple[Outline, ...]:
        """Outline every card in a picture that is at least so sure, best seen first.

        With a calibration its lens and plane are used.
        """
        proposed = self._look(picture_bgr, calibration)
        found = ((candidate, candidate.sureness) for candidate in proposed.candidates)
        outlines = tuple(
            Outline(
                corners_px=candidate.corners_px, score=sure, visible=candidate.visible, ends_seen=candidate.ends_seen
            )
            for candidate, sure in found
            if sure >= least and candidate.is_another
        )
        return outlines + tuple(hint for hint in proposed.hints if hint.score >= least)

    def propose(self, picture_bgr: Image, calibration: Calibration | None = None) -> list[Candidate]:
        """Propose what may be cards, strongest first, each with what speaks for it."""
        return self._look(picture_bgr, calibration).candidates

    def _look(self, picture_bgr: Image, calibration: Calibration | None) -> Proposed:
        """Look at a picture as it is and, where its table lies aslant, as from straight above."""
        size_px = _size_px(picture_bgr)
        if calibration:
            known = SurveyedTable(view=calibration.view)
            if slant_deg(known, size_px) <= SLANT.aslant_deg:
                return self._with_hints(self._plain(picture_bgr, known))
            above = see_from_above(picture_bgr, known)
            return self._with_hints(self._from_above(picture_bgr, above, above))
        plain = self._plain(picture_bgr, unknown_as_taken(size_px))
        looks = [plain]
        for table in self._aslant(plain):
            looks.append(self._settled(picture_bgr, table))
            if looks[-1].worth > plain.worth:
                break
        return self._with_hints(max(looks, key=lambda look: look.worth))

    def _settled(self, picture: Image, table: GuessedTable) -> "_Look":
        """Look from above at a table that may lie so, and again as it turns out to lie, until it is seen from above."""
        looks: list[_Look] = []
        size_px, guessed = _size_px(picture), table
        while len(looks) < SLANT.most_looks:
            above = see_from_above(picture, guessed)
            looks.append(self._from_above(picture, above, unknown_from_above(above, guessed, size_px)))
            better = looks[-1].better_known
            if better is None:
                break
            guessed = better
        return max(looks, key=lambda look: look.worth)

    def _aslant(self, plain: "_Look") -> list[GuessedTable]:
        """Tell how the table may lie if it seems to be aslant, likeliest first.

        A few sure ones that are seen whole tell it, unless by them it lies between straight and aslant. Where they do
        not, and what is told explains too little of what is seen, votes from above tell: on tables that are supposed to
        lie so and so they agree the better the nearer that is to the truth.
        """
        size_px = plain.taken_px
        told = plain.proposed.table if isinstance(plain.proposed.table, GuessedTable) else None
        slant = 0.0 if told is None else slant_deg(told, size_px)
        is_between = SLANT.perhaps_deg < slant <= SLANT.aslant_deg
        if plain.explained >= SLANT.explained or (plain.sure_and_whole >= SLANT.tell and not is_between):
            return [told] if told is not None and slant > SLANT.aslant_deg else []
        tables = [*([told] if told is not None and slant > SLANT.perhaps_deg else []), *supposed_tables(size_px)]
        agreed = [(self._agreement(plain, table), table) for table in tables]
        as_taken = self._agreement(plain, None)
        better = sorted((one for one in agreed if one[0] > as_taken), key=lambda one: -one[0])
        return [table for _, table in better[: SLANT.most_ways]]

    def _agreement(self, plain: "_Look", table: GuessedTable | None) -> float:
        """Tell how much the votes for the cards of a picture agree, as it was taken or on a table from above."""
        if table is None:
            return agreement(gather(plain.votes))
        small = plain.small
        above = see_from_above(small, table.in_picture_of(_size_px(small)))
        return agreement(gather(next(self._votes.cast(above.picture, float(max(above.picture.shape[:2]))))))

    def _with_hints(self, look: "_Look") -> Proposed:
        """Add the corners in sight to what a look proposes, and tell it all as the picture was taken."""
        hints = hints_at_corners(self._edges, look.picture, look.proposed, look.votes)
        proposed = replace(look.proposed, hints=hints)
        return proposed.seen_through(look.above) if look.above else proposed

    def _plain(self, picture: Image, known: Table | Unknown) -> "_Look":
        """Propose what may be cards in a picture as taken."""
        proposed, votes = self._propose(picture, LONG_SIDE_PX, known)
        return _Look(picture=picture, taken_px=_size_px(picture), proposed=proposed, votes=votes)

    def _from_above(self, picture: Image, above: Overhead, known: Table | Unknown) -> "_Look":
        """Propose what may be cards on a table aslant, in a picture that shows it from straight above."""
        proposed, votes = self._propose(above.picture, _long_side_px(picture, above), known)
        return _Look(picture=above.picture, taken_px=_size_px(picture), proposed=proposed, votes=votes, above=above)

    def _propose(self, picture: Image, long_side_px: float, known: Table | Unknown) -> tuple[Proposed, Votes]:
        """Propose what may be cards in a picture whose long side the net sees as so long; with it its finest votes."""
        casts = self._votes.cast(picture, long_side_px)
        finest = next(casts)
        roughs = gather(finest)
        scales = [look_closer(self._votes, picture, finest, roughs)]
        while not are_plain(roughs) and (votes := next(casts, None)) is not None:
            roughs = gather(votes)
            scales.append(roughs)
        return propose_cards(self._edges, picture, distinct(scales), known), finest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Look:
    """What was proposed in a picture, and its votes; `above` tells how that lies if it is one from straight above.

    `taken_px` is the size of the picture as taken.
    """

    picture: Image
    taken_px: tuple[int, int]
    proposed: Proposed
    votes: Votes
    above: Overhead | None = None

    @property
    def small(self) -> Image:
        """Shrink the picture to what the net sees of it."""
        height, width = self.picture.shape[:2]
        less = min(1.0, LONG_SIDE_PX / max(height, width))
        sides = max(1, round(less * width)), max(1, round(less * height))
        return cv2.resize(self.picture, sides, interpolation=cv2.INTER_AREA)

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
        seen, size_px = self.proposed.table, _size_px(self.picture)
        return seen.better if isinstance(seen, SeenFromAbove) and slant_deg(seen, size_px) >= SLANT.above_deg else None

    @property
    def explained(self) -> float:
        """Which share of the cells that show cards lies on surely told ones; all of it where there are none."""
        cells_px = self.votes.at_px[self.votes.chance > SHOWS_CARD]
        return float(are_within(cells_px, self.proposed.sure_quads).mean()) if len(cells_px) else 1.0

    @property
    def sure_and_whole(self) -> int:
        """How many cards are told surely of which all is seen: they tell how their table lies."""
        return sum(one.visible > FINDING.whole for one in self.proposed.sure)


def _size_px(picture: Image) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def _long_side_px(picture: Image, above: Overhead) -> float:
    """Tell as how long the net is to see the long side of a picture from above, to see cards as large as without it."""
    return LONG_SIDE_PX / max(picture.shape[:2]) * max(above.picture.shape[:2])


def agreement(roughs: Iterable[Rough]) -> float:
    """Tell how much the votes agree that make rough cards, summed over those."""
    return sum(rough.score**2 * rough.visible / (1 + rough.scatter**2) for rough in roughs)


def hints_at_corners(edges: EdgeNet, picture: Image, proposed: Proposed, votes: Votes) -> tuple[Outline, ...]:
    """Suppose covered cards by their corners, where cells show cards that none of the likely ones explains."""
    likely = [one for one in proposed.candidates if one.is_another and one.sureness >= FINDING.sure_enough]
    if proposed.table is None or not likely:
        return ()
    quads = [np.array(one.corners_px) for one in likely]
    sure = [quad for quad, one in zip(quads, likely, strict=True) if one.sureness >= FINDING.explains]
    grown = [quad.mean(0) + GROWN * (quad - quad.mean(0)) for quad in sure]
    cells_px = votes.at_px[(votes.chance > SHOWS_CARD) & ~are_within(votes.at_px, grown)].astype(float)
    area_px2 = float(np.median([cv2.contourArea(quad.astype(np.float32)) for quad in quads]))
    if len(cells_px) * votes.cell_px2 < FINDING.least_unexplained * area_px2:
        return ()
    supposed = find_index_corners(picture, proposed.table, cells_px, np.array(sure).reshape(-1, 4, 2))
    if not len(supposed):
        return ()
    laid = lay_supposed(edges, picture, supposed, proposed.table)
    shown = [float(are_within(cells_px, [quad]).sum() * votes.cell_px2 / area_px2) for quad in laid]
    return tuple(
        Outline(corners_px=_corners(quad), score=FINDING.hint, visible=min(share, 1.0))
        for quad, share in zip(laid, shown, strict=True)
        if share > FINDING.least_own
    )


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
    return len(well) >= 3 and max(well) < FINDING.larger * float(np.median(well))


def propose_cards(edges: EdgeNet, picture: Image, roughs: list[Rough], known: Table | Unknown) -> Proposed:
    """Measure rough outlines to sub-pixel and lay them on one table; what is far from a card's size is dropped.

    The table comes with them, None if nothing lies on it. A paper or a heap may be taken for the one card that tells
    the size: where much is of another size, that is tried too. So is, where they are told doubtfully, a level table.
    """
    proposed = _proposed(edges, picture, roughs, known)
    if not isinstance(known, Unknown) or proposed.table is None:
        return proposed
    others = [rough for rough in roughs if _is_of_another_size(rough, proposed.table)]
    if sum(rough.score for rough in others) > proposed.sureness:
        proposed = max(proposed, _proposed(edges, picture, others, known), key=lambda one: one.sureness)
    if known.guess_level is None or proposed.sureness >= FINDING.settled * proposed.likely:
        return proposed
    quads, trust = np.array([rough.quad_px for rough in roughs]), np.array([rough.trust for rough in roughs])
    start = known.guess_level(quads, trust, SIDES.rough_spread)
    level = _proposed_from(start, edges, picture, roughs, known)
    return level if level.firm > max(proposed.firm + FINDING.better, FINDING.enough) else proposed


def _proposed_from(start: Table, edges: EdgeNet, picture: Image, roughs: list[Rough], known: Unknown) -> Proposed:
    """Suppose that the table lies as at the start, then as the cards' sides told it from there: the better of both.

    Votes for covered cards are so far off that a tilt is read into them; their sides, once near, tell the true one.
    What is seen whole among covered cards may well be a paper, so for the start it counts no more than they do.
    """
    first = _proposed(edges, picture, roughs, known, start)
    return max(first, _proposed(edges, picture, roughs, known, first.table), key=lambda one: one.firm)


def _is_of_another_size(rough: Rough, table: Table) -> bool:
    """Tell whether votes say that a card is much smaller or larger than one that lies there on a table."""
    stiff = quads_of(table, poses_of(table, rough.quad_px[None].astype(float)))[0]
    return abs(float(np.log(rough.area_px2 / max(cv2.contourArea(stiff.astype(np.float32)), 1.0)))) > PLANE.alike


def _proposed(
    edges: EdgeNet, picture: Image, roughs: list[Rough], known: Table | Unknown, start: Table | None = None
) -> Proposed:
    """Lay rough outlines on one table, the first that is guessed unless it is known; votes are laid on a `start`."""
    nothing = Proposed(candidates=[], table=None if isinstance(known, Unknown) else known)
    if not roughs:
        return nothing
    quads = np.array([rough.quad_px for rough in roughs])
    trust = np.array([rough.trust for rough in roughs])
    is_whole = np.array([rough.visible > FINDING.whole for rough in roughs])
    table, quads, misfit = lay_roughly(quads, trust, is_whole, start or known)
    fit = np.nonzero(misfit < FINDING.most_misfit)[0]
    if not len(fit):
        return nothing
    kept = [roughs[i] for i in fit]
    owners = draw_owners(kept, _size_px(picture))
    voted = Voted(quads_px=quads[fit], trust=trust[fit], owners=owners, cells_px=[rough.cells_px for rough in kept])
    laid = lay_cards(edges, picture, voted, (table, known))
    candidates = _weighed(kept, laid, owners)
    return Proposed(candidates=candidates, table=laid.table)


def _weighed(roughs: list[Rough], laid: LaidCards, owners: CardGrid) -> list[Candidate]:
    """Gather what speaks for each, strongest first, with how much of it a stronger one covers alike."""
    weighed = weigh(roughs, laid.corners_px, laid.edges, owners)
    candidates: dict[int, Candidate] = {}
    for i in np.argsort(-(weighed @ EVIDENCE[:-1])):
        if weighed[i, OWN] < FINDING.least_own:
            continue
        quad = laid.corners_px[i]
        alike = max((overlap(quad, np.array(other.corners_px)) for other in candidates.values()), default=0.0)
        candidates[int(i)] = Candidate(
            corners_px=_corners(quad),
            evidence=(*weighed[i].tolist(), alike),
            visible=roughs[i].visible,
        )
    return _with_ends_seen(candidates, laid, owners)


def _with_ends_seen(candidates: dict[int, Candidate], laid: LaidCards, owners: CardGrid) -> list[Candidate]:
    """Tell of numbered candidates how much is in sight of where their indices may be: likely ones hide others."""
    numbers = np.array(list(candidates), np.intp)
    told = [i for i, one in candidates.items() if one.is_another and one.sureness >= FINDING.sure_enough]
    ends = ends_in_sight(laid.corners_px[numbers], owners, numbers, told)
    return [
        replace(one, ends_seen=(first, second))
        for one, (first, second) in zip(candidates.values(), ends.tolist(), strict=True)
    ]
