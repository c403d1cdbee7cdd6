"""Cards found in a picture, as it was taken and, where its table lies aslant, as it is seen from straight above."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linesies.calibration import Calibration
from linesies.vision.cards.card import Outline
from linesies.vision.cards.find.candidate import CANDIDATES, CardCandidate, ProposedCards
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.hints import hints_at_corners
from linesies.vision.cards.find.joining import join_tellings
from linesies.vision.cards.find.look import LOOK, TableLook
from linesies.vision.cards.find.net import LONG_SIDE_PX, VoteNet, Votes
from linesies.vision.cards.find.overhead import (
    SLANT,
    Overhead,
    see_from_above,
    slant_deg,
    supposed_tables,
    unknown_from_above,
)
from linesies.vision.cards.find.overlap import share_in_picture
from linesies.vision.cards.find.plane import GuessedTable, SurveyedTable, Table, Unknown, unknown_as_taken
from linesies.vision.cards.find.proposing import Names, names_worth, propose_cards, unread
from linesies.vision.cards.find.scales import agreement, are_plain, distinct
from linesies.vision.cards.find.votes import Rough, gather
from linesies.vision.cards.find.votes_closer import look_closer
from linesies.vision.picture.layout import Image, size_of

FINER = 2  # an octave: at `LONG_SIDE_PX` the cards of a whole table are as small as the net was taught to see any


class Gathered(NamedTuple):
    """What votes make of a picture: rough cards of all scales, and the votes of the finest."""

    roughs: list[Rough]
    votes: Votes


class CardFinder:
    """Finds the cards in pictures; holds the networks. Where ways to see a picture differ, `names` help to choose."""

    def __init__(self, *, names: Names = unread) -> None:
        self._votes = VoteNet()
        self._edges = EdgeNet()
        self._names = names

    def find(
        self, picture_bgr: Image, calibration: Calibration | None = None, *, least: float | None = None
    ) -> tuple[Outline, ...]:
        """Outline every card in a picture that is at least so sure (None: surely one), best seen first.

        With a calibration its lens and plane are used. What a look from above has beyond the picture's end is none.
        """
        proposed = self.tell(picture_bgr, calibration)
        least = CANDIDATES.sure_enough if least is None else least
        found = ((candidate, candidate.sureness) for candidate in proposed.candidates)
        outlines = tuple(
            candidate.outlined(sure) for candidate, sure in found if sure >= least and candidate.is_another
        )
        hints = tuple(hint for hint in proposed.hints if hint.score >= least)
        size_px = size_of(picture_bgr)
        return tuple(one for one in outlines + hints if share_in_picture(one.quad_px, size_px) >= CANDIDATES.least_own)

    def tell(self, picture_bgr: Image, calibration: Calibration | None = None) -> ProposedCards:
        """Tell all that may be a card in a picture, and how surely it is one; with mere hints."""
        look = self._look(picture_bgr, calibration)
        other = self._gathered(look.picture, look.other_long_side_px)
        if calibration is None and look.explained_of(other.votes) < SLANT.explained:
            finer = self._searched(picture_bgr, zoom=FINER)
            if self._worth(finer) > self._worth(look):
                look, other = finer, self._gathered(finer.picture, finer.other_long_side_px)
        return self._finished(look, other)

    def propose(self, picture_bgr: Image, calibration: Calibration | None = None) -> list[CardCandidate]:
        """Propose what may be cards as one telling has it, strongest first, each with what speaks for it."""
        return self._look(picture_bgr, calibration).as_taken.candidates

    def _look(self, picture_bgr: Image, calibration: Calibration | None) -> TableLook:
        """Look at a picture as it is and, where its table lies aslant, as from straight above."""
        size_px = size_of(picture_bgr)
        if calibration:
            known = SurveyedTable(view=calibration.view)
            if slant_deg(known, size_px) <= SLANT.aslant_deg:
                return self._look_at(picture_bgr, size_px, 1, known)
            above = see_from_above(picture_bgr, known)
            return self._from_above(picture_bgr, above, 1, above)
        return self._searched(picture_bgr, zoom=1)

    def _searched(self, picture: Image, zoom: int) -> TableLook:
        """Look at a picture as it is and, where its table seems to lie aslant, as from straight above."""
        plain = self._look_at(picture, size_of(picture), zoom, unknown_as_taken(size_of(picture)))
        tables = self._aslant(plain)
        if not tables:
            return plain
        looks, least = (self._settled(picture, table, zoom) for table in tables), self._worth(plain)
        return next((look for look in looks if self._worth(look) > least), plain)

    def _worth(self, look: TableLook) -> float:
        """Tell what a look is worth, the names that are read in it counted."""
        return look.worth + names_worth(look.picture, look.proposed, self._names) if look.worth else 0.0

    def _settled(self, picture: Image, table: GuessedTable, zoom: int) -> TableLook:
        """Look from above at a table that may lie so, and again as it turns out to lie, until it is seen from above."""
        looks: list[TableLook] = []
        size_px, guessed = size_of(picture), table
        while len(looks) < SLANT.most_looks:
            above = see_from_above(picture, guessed)
            known = unknown_from_above(above, guessed, size_px)
            looks.append(self._from_above(picture, above, zoom, known))
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

    def _finished(self, look: TableLook, other: Gathered) -> ProposedCards:
        """Join other tellings where not all is told surely, add corners in sight, tell it as the picture was taken."""
        if not look.is_plain or look.explained_of(other.votes) < LOOK.plain:
            ways = (other.roughs, *self._mirrored(look))
            look = replace(look, proposed=join_tellings([look.proposed, *(self._proposed(look, way) for way in ways)]))
        hints = look.proposed.hints + hints_at_corners(self._edges, look.picture, look.proposed, look.votes)
        return replace(look, proposed=replace(look.proposed, hints=hints)).as_taken

    def _mirrored(self, look: TableLook) -> Iterator[list[Rough]]:
        """Gather the votes of both scales for a look's picture turned left to right: other cards are lost there."""
        turned, width_px = np.ascontiguousarray(look.picture[:, ::-1]), look.picture.shape[1]
        for long_side_px in (look.long_side_px, look.other_long_side_px):
            yield [rough.mirrored(width_px) for rough in self._gathered(turned, long_side_px).roughs]

    def _proposed(self, look: TableLook, roughs: list[Rough]) -> ProposedCards:
        """Propose what may be cards in a look's picture by other votes for it."""
        return propose_cards(self._edges, look.picture, roughs, look.known, self._names)

    def _from_above(self, picture: Image, above: Overhead, zoom: int, known: Table | Unknown) -> TableLook:
        """Propose what may be cards on a table aslant, in a picture that shows it from straight above."""
        return replace(self._look_at(above.picture, size_of(picture), zoom, known), above=above)

    def _look_at(self, picture: Image, taken_px: tuple[int, int], zoom: int, known: Table | Unknown) -> TableLook:
        """Propose what may be cards in a picture, taken in such a size or made of one that was, seen so much closer."""
        one_px = LONG_SIDE_PX / max(taken_px) * max(picture.shape[:2])
        gathered = self._gathered(picture, zoom * one_px)
        return TableLook(
            picture=picture,
            taken_px=taken_px,
            proposed=propose_cards(self._edges, picture, gathered.roughs, known, self._names),
            votes=gathered.votes,
            known=known,
            long_side_px=zoom * one_px,
            other_long_side_px=FINER * one_px if zoom == 1 else one_px,
        )

    def _gathered(self, picture: Image, long_side_px: float) -> Gathered:
        """Gather the votes of all scales, of crowded cards from closer; with them the finest."""
        casts = self._votes.cast(picture, long_side_px)
        finest = next(casts)
        first = roughs = gather(finest)
        coarser = []
        while not are_plain(roughs) and (votes := next(casts, None)) is not None:
            roughs = gather(votes)
            coarser.append(roughs)
        return Gathered(distinct([look_closer(self._votes, picture, finest, first), *coarser]), finest)
