"""Proposing cards: rough outlines measured to sub-pixel and laid on one table, each with what speaks for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import Outline
from linesies.vision.cards.find.candidate import (
    CANDIDATES,
    LEVEL_SET,
    CardCandidate,
    ProposedCards,
    as_corners,
)
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.evidence import OWN, CardGrid, draw_owners, ends_in_sight, weigh
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.find.plane import PLANE, Table, Unknown
from linesies.vision.cards.find.plane_pose import poses_of, quads_of
from linesies.vision.cards.find.sides import SIDES, LaidCards, Voted, lay_cards, lay_roughly
from linesies.vision.cards.find.trust import TRUST
from linesies.vision.cards.find.votes import Rough
from linesies.vision.picture.layout import Image, size_of

Names = Callable[[Image, Sequence[Outline]], float]  # how many of outlined cards are surely named in a picture
MOST_NAMED = 3  # cards at most that are read to choose a size: more take longer and choose alike
NAMES_SET = "by hand: training/worlds.py (89000, 89100), where tiles were taken for cards; one card beside three tiles"


def unread(_picture: Image, _outlines: Sequence[Outline]) -> float:
    """Name no cards: who finds them need not read them."""
    return 0.0


@dataclass(frozen=True)
class ProposingTuning(Tuning):
    """When votes tell a card's shape, and when a table is supposed to be level."""

    whole: float = tuned(
        0.8,
        title="of a card, what must be seen for its voted shape to be believed",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("54c53e3"),
    )
    most_misfit: float = tuned(
        0.8, title="of voted sides on the table, as logarithms", unit="1", low=0.1, high=3, source=by_hand_in("17e35d0")
    )
    settled: float = tuned(
        0.8,
        title="mean sureness of the likely outlines, below which the table is also supposed to be level",
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
    named: float = tuned(
        4.0,
        title="worth of a name that is surely read: tiles and papers of another size than the cards' have none",
        unit="cards",
        low=0,
        high=9,
        source=NAMES_SET,
    )
    tried: float = tuned(
        0.6,
        title="sureness of what is of another size, from which names are looked for in it",
        unit="1",
        low=0.1,
        high=9,
        source=NAMES_SET,
    )


PROPOSING = ProposingTuning()


def propose_cards(
    edges: EdgeNet, picture: Image, roughs: list[Rough], known: Table | Unknown, names: Names = unread
) -> ProposedCards:
    """Measure rough outlines to sub-pixel and lay them on one table; what is far from a card's size is dropped.

    The table comes with them, None if nothing lies on it. A paper, tiles or a heap may be taken for the cards that tell
    the size: where something is of another size, that is tried too, and `names` asked of both. So is, where they are
    told doubtfully, a level table.
    """
    proposed = _proposed(edges, picture, roughs, known)
    if not isinstance(known, Unknown) or proposed.table is None:
        return proposed
    others = [rough for rough in roughs if _is_of_another_size(rough, proposed.table)]
    speaks = sum(rough.score for rough in others)
    if speaks > PROPOSING.tried:
        worth = proposed.sureness + names_worth(picture, proposed, names)
        if speaks * (1 + PROPOSING.named) > worth:
            rival = _proposed(edges, picture, others, known)
            proposed = rival if rival.sureness + names_worth(picture, rival, names) > worth else proposed
    if known.guess_level is None or proposed.sureness >= PROPOSING.settled * proposed.likely:
        return proposed
    quads, trust = np.array([rough.quad_px for rough in roughs]), np.array([rough.trust for rough in roughs])
    start = known.guess_level(quads, trust, SIDES.rough_spread)
    level = _proposed_from(start, edges, picture, roughs, known)
    return level if level.firm > max(proposed.firm + PROPOSING.better, PROPOSING.enough) else proposed


def names_worth(picture: Image, proposed: ProposedCards, names: Names) -> float:
    """Tell what the names are worth that are surely read on the likeliest cards."""
    likely = [one.outlined(one.sureness) for one in proposed.candidates if one.is_another]
    asked = [one for one in likely if one.score >= CANDIDATES.sure_enough][:MOST_NAMED]
    return PROPOSING.named * names(picture, asked)


def _proposed_from(start: Table, edges: EdgeNet, picture: Image, roughs: list[Rough], known: Unknown) -> ProposedCards:
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
) -> ProposedCards:
    """Lay rough outlines on one table, the first that is guessed unless it is known; votes are laid on a `start`."""
    nothing = ProposedCards(candidates=[], table=None if isinstance(known, Unknown) else known)
    if not roughs:
        return nothing
    quads = np.array([rough.quad_px for rough in roughs])
    trust = np.array([rough.trust for rough in roughs])
    is_whole = np.array([rough.visible > PROPOSING.whole for rough in roughs])
    table, quads, misfit = lay_roughly(quads, trust, is_whole, start or known)
    fit = np.nonzero(misfit < PROPOSING.most_misfit)[0]
    if not len(fit):
        return nothing
    kept = [roughs[i] for i in fit]
    owners = draw_owners(kept, size_of(picture))
    voted = Voted(quads_px=quads[fit], trust=trust[fit], owners=owners, cells_px=[rough.cells_px for rough in kept])
    laid = lay_cards(edges, picture, voted, (table, known))
    candidates = _weighed(kept, laid, owners)
    return ProposedCards(candidates=candidates, table=laid.table)


def _weighed(roughs: list[Rough], laid: LaidCards, owners: CardGrid) -> list[CardCandidate]:
    """Gather what speaks for each, strongest first, with how much of it a stronger one covers alike."""
    weighed = weigh(roughs, laid.corners_px, laid.edges, owners)
    candidates: dict[int, CardCandidate] = {}
    _, *seen_worth, _ = TRUST.weights
    for i in np.argsort(-(weighed @ np.array(seen_worth))):
        if weighed[i, OWN] < CANDIDATES.least_own:
            continue
        quad = laid.corners_px[i]
        alike = max((overlap(quad, np.array(other.corners_px)) for other in candidates.values()), default=0.0)
        candidates[int(i)] = CardCandidate(
            corners_px=as_corners(quad),
            evidence=(*weighed[i].tolist(), alike),
            visible=roughs[i].visible,
        )
    return _with_ends_seen(candidates, laid, owners)


def _with_ends_seen(candidates: dict[int, CardCandidate], laid: LaidCards, owners: CardGrid) -> list[CardCandidate]:
    """Tell of numbered candidates how much is in sight of where their indices may be: likely ones hide others."""
    numbers = np.array(list(candidates), np.intp)
    told = [i for i, one in candidates.items() if one.is_another and one.sureness >= CANDIDATES.sure_enough]
    ends = ends_in_sight(laid.corners_px[numbers], owners, numbers, told)
    return [
        replace(one, ends_seen=(first, second))
        for one, (first, second) in zip(candidates.values(), ends.tolist(), strict=True)
    ]
