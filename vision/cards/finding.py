"""Cards found in a picture: votes gathered, sides measured, and only what proves to be a card told."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Calibration
from vision.cards.card import Outline
from vision.cards.edges import EdgeNet
from vision.cards.finding_sides import Laid, lay_cards, lay_roughly
from vision.cards.net import VoteNet
from vision.cards.plane import SurveyedTable
from vision.cards.votes import Rough, gather
from vision.frame import Image

Array = NDArray[np.float64]

ROUGH_MISFIT = 0.3  # of sides on the table, as logarithms: votes are good to a tenth,
FINE_MISFIT = 0.12  # measured sides to a hundredth, but cards curl
SAME_CARD = 0.82  # two outlines that overlap more are one card
SAME_ROUGH = 0.9
SAME_BETWEEN_SCALES = 0.5


class CardFinder:
    """Finds the cards in pictures; holds the networks."""

    def __init__(self) -> None:
        self._votes = VoteNet()
        self._edges = EdgeNet()

    def find(self, picture_bgr: Image, calibration: Calibration | None = None) -> tuple[Outline, ...]:
        """Outline every card in a picture, best seen first; with a calibration its lens and plane are used."""
        roughs = distinct([gather(votes) for votes in self._votes.cast(picture_bgr)])
        return outline_cards(self._edges, picture_bgr, roughs, calibration)


def distinct(scales: list[list[Rough]]) -> list[Rough]:
    """Keep, of what was found at several scales, each card once."""
    kept: list[tuple[int, Rough]] = []
    ranked = sorted(((i, rough) for i, scale in enumerate(scales) for rough in scale), key=lambda p: -p[1].score)
    for i, rough in ranked:
        limits = ((SAME_ROUGH if i == j else SAME_BETWEEN_SCALES, other.quad_px) for j, other in kept)
        if all(overlap(rough.quad_px, quad) < limit for limit, quad in limits):
            kept.append((i, rough))
    return [rough for _, rough in kept]


def overlap(first: Array, second: Array) -> float:
    """Tell which share of two convex quads' union both cover."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    if (a.max(0) < b.min(0)).any() or (b.max(0) < a.min(0)).any():
        return 0.0
    both, _ = cv2.intersectConvexConvex(a, b)
    return float(both / max(cv2.contourArea(a) + cv2.contourArea(b) - both, 1e-6))


def outline_cards(
    edges: EdgeNet, picture: Image, roughs: list[Rough], calibration: Calibration | None
) -> tuple[Outline, ...]:
    """Measure rough outlines to sub-pixel and lay them on one table; what is no card's size there is dropped."""
    if not roughs:
        return ()
    quads = np.array([rough.quad_px for rough in roughs])
    trust = np.array([rough.score * rough.visible**2 for rough in roughs])
    known = SurveyedTable(view=calibration.view) if calibration else None
    table, misfit = lay_roughly(quads, trust, (picture.shape[1], picture.shape[0]), known)
    fit = np.nonzero(misfit < ROUGH_MISFIT)[0]
    if not len(fit):
        return ()
    laid = lay_cards(edges, picture, quads[fit], trust[fit], (table, known is not None))
    return _single(_sure_ones([roughs[i] for i in fit], laid))


def _sure_ones(roughs: list[Rough], laid: Laid) -> list[Outline]:
    outlines = []
    for rough, corners, support, misfit in zip(roughs, laid.corners_px, laid.support, laid.misfit, strict=True):
        if misfit < FINE_MISFIT:
            score = rough.score * min(1.0, 0.4 + float(support.mean()))
            outlines.append(Outline(corners_px=tuple(map(tuple, corners.tolist())), score=score, visible=rough.visible))
    return outlines


def _single(outlines: list[Outline]) -> tuple[Outline, ...]:
    kept: list[Outline] = []
    for outline in sorted(outlines, key=lambda o: -o.visible * o.score):
        if all(overlap(outline.quad_px, other.quad_px) < SAME_CARD for other in kept):
            kept.append(outline)
    return tuple(kept)
