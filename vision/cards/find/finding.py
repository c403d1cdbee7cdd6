"""Cards found in a picture, as it was taken and, where its table lies aslant, as it is seen from straight above."""

from dataclasses import replace

from linesies.calibration import Calibration
from linesies.vision.cards.card import Outline
from linesies.vision.cards.find.candidate import CANDIDATES, CardCandidate, ProposedCards
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.hints import hints_at_corners
from linesies.vision.cards.find.look import TableLook
from linesies.vision.cards.find.net import LONG_SIDE_PX, VoteNet, Votes
from linesies.vision.cards.find.overhead import (
    SLANT,
    Overhead,
    see_from_above,
    slant_deg,
    supposed_tables,
    unknown_from_above,
)
from linesies.vision.cards.find.plane import GuessedTable, SurveyedTable, Table, Unknown, unknown_as_taken
from linesies.vision.cards.find.proposing import propose_cards
from linesies.vision.cards.find.scales import agreement, are_plain, distinct
from linesies.vision.cards.find.votes import gather
from linesies.vision.cards.find.votes_closer import look_closer
from linesies.vision.picture.layout import Image, size_of


class CardFinder:
    """Finds the cards in pictures; holds the networks."""

    def __init__(self) -> None:
        self._votes = VoteNet()
        self._edges = EdgeNet()

    def find(
        self, picture_bgr: Image, calibration: Calibration | None = None, *, least: float = CANDIDATES.sure_enough
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

    def propose(self, picture_bgr: Image, calibration: Calibration | None = None) -> list[CardCandidate]:
        """Propose what may be cards, strongest first, each with what speaks for it."""
        return self._look(picture_bgr, calibration).candidates

    def _look(self, picture_bgr: Image, calibration: Calibration | None) -> ProposedCards:
        """Look at a picture as it is and, where its table lies aslant, as from straight above."""
        size_px = size_of(picture_bgr)
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

    def _settled(self, picture: Image, table: GuessedTable) -> TableLook:
        """Look from above at a table that may lie so, and again as it turns out to lie, until it is seen from above."""
        looks: list[TableLook] = []
        size_px, guessed = size_of(picture), table
        while len(looks) < SLANT.most_looks:
            above = see_from_above(picture, guessed)
            looks.append(self._from_above(picture, above, unknown_from_above(above, guessed, size_px)))
            better = looks[-1].better_known
            if better is None:
                break
            guessed = better
        return max(looks, key=lambda look: look.worth)

    def _aslant(self, plain: TableLook) -> list[GuessedTable]:
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

    def _agreement(self, plain: TableLook, table: GuessedTable | None) -> float:
        """Tell how much the votes for the cards of a picture agree, as it was taken or on a table from above."""
        if table is None:
            return agreement(gather(plain.votes))
        small = plain.small
        above = see_from_above(small, table.in_picture_of(size_of(small)))
        return agreement(gather(next(self._votes.cast(above.picture, float(max(above.picture.shape[:2]))))))

    def _with_hints(self, look: TableLook) -> ProposedCards:
        """Add the corners in sight to what a look proposes, and tell it all as the picture was taken."""
        hints = hints_at_corners(self._edges, look.picture, look.proposed, look.votes)
        proposed = replace(look.proposed, hints=hints)
        return proposed.seen_through(look.above) if look.above else proposed

    def _plain(self, picture: Image, known: Table | Unknown) -> TableLook:
        """Propose what may be cards in a picture as taken."""
        proposed, votes = self._propose(picture, LONG_SIDE_PX, known)
        return TableLook(picture=picture, taken_px=size_of(picture), proposed=proposed, votes=votes)

    def _from_above(self, picture: Image, above: Overhead, known: Table | Unknown) -> TableLook:
        """Propose what may be cards on a table aslant, in a picture that shows it from straight above."""
        proposed, votes = self._propose(above.picture, _long_side_px(picture, above), known)
        return TableLook(picture=above.picture, taken_px=size_of(picture), proposed=proposed, votes=votes, above=above)

    def _propose(self, picture: Image, long_side_px: float, known: Table | Unknown) -> tuple[ProposedCards, Votes]:
        """Propose what may be cards in a picture whose long side the net sees as so long; with it its finest votes."""
        casts = self._votes.cast(picture, long_side_px)
        finest = next(casts)
        roughs = gather(finest)
        scales = [look_closer(self._votes, picture, finest, roughs)]
        while not are_plain(roughs) and (votes := next(casts, None)) is not None:
            roughs = gather(votes)
            scales.append(roughs)
        return propose_cards(self._edges, picture, distinct(scales), known), finest


def _long_side_px(picture: Image, above: Overhead) -> float:
    """Tell as how long the net is to see the long side of a picture from above, to see cards as large as without it."""
    return LONG_SIDE_PX / max(picture.shape[:2]) * max(above.picture.shape[:2])
