"""Hints: cards that are covered but for a corner, supposed where cells show cards that no likely one explains."""

from dataclasses import dataclass

import cv2
import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import Outline
from linesies.vision.cards.find.candidate import CANDIDATES, ProposedCards, as_corners
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.index_corners import find_index_corners
from linesies.vision.cards.find.net import Votes
from linesies.vision.cards.find.overlap import are_within
from linesies.vision.cards.find.sides import lay_supposed
from linesies.vision.picture.frame import Image


@dataclass(frozen=True)
class HintTuning(Tuning):
    """When a corner may be a card's."""

    least_unexplained: float = tuned(
        0.12,
        title="of a card's area: less is the rim of a known one",
        unit="1",
        low=0.01,
        high=0.6,
        source=by_hand_in("eaedd13"),
    )
    shows_card: float = tuned(
        0.5, title="chance of a cell that must be explained", unit="1", low=0.1, high=0.95, source=BY_HAND
    )


HINTS = HintTuning()


def hints_at_corners(edges: EdgeNet, picture: Image, proposed: ProposedCards, votes: Votes) -> tuple[Outline, ...]:
    """Suppose covered cards by their corners, where cells show cards that none of the likely ones explains."""
    likely = [one for one in proposed.candidates if one.is_another and one.sureness >= CANDIDATES.sure_enough]
    if proposed.table is None or not likely:
        return ()
    quads = [np.array(one.corners_px) for one in likely]
    sure = [quad for quad, one in zip(quads, likely, strict=True) if one.sureness >= CANDIDATES.explains]
    is_unexplained = (votes.chance > HINTS.shows_card) & ~are_within(votes.at_px, proposed.sure_quads)
    cells_px = votes.at_px[is_unexplained].astype(float)
    area_px2 = float(np.median([cv2.contourArea(quad.astype(np.float32)) for quad in quads]))
    if len(cells_px) * votes.cell_px2 < HINTS.least_unexplained * area_px2:
        return ()
    supposed = find_index_corners(picture, proposed.table, cells_px, np.array(sure).reshape(-1, 4, 2))
    if not len(supposed):
        return ()
    laid = lay_supposed(edges, picture, supposed, proposed.table)
    shown = [float(are_within(cells_px, [quad]).sum() * votes.cell_px2 / area_px2) for quad in laid]
    return tuple(
        Outline(corners_px=as_corners(quad), score=CANDIDATES.hinted, visible=min(share, 1.0), is_hint=True)
        for quad, share in zip(laid, shown, strict=True)
        if share > CANDIDATES.least_own
    )
