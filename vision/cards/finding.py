"""Cards found in a picture: votes gathered, sides measured, one table under them all."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Calibration
from vision.cards.card import Outline
from vision.cards.corners import Sides, likely_sides, linearised, meet, sharpened
from vision.cards.corners_search import search_moves
from vision.cards.edges import EdgeNet
from vision.cards.net import VoteNet
from vision.cards.plane import SurveyedTable, Table, guess_table, misfits
from vision.cards.plane_pose import fit_poses, poses_of, quads_of
from vision.cards.votes import Rough, gather
from vision.frame import Image

Array = NDArray[np.float64]

FIRM = 0.35  # of a side that must be clearly seen for it to be measured by itself
LOOSE_MM, STIFF_MM = 3.0, 1.2  # by which a card's size may be off on a table that is guessed from votes, from sides
ROUGH_MISFIT = 0.3  # of sides on the table, as logarithms: votes are good to a tenth,
FINE_MISFIT = 0.12  # measured sides to a hundredth, but cards curl
SAME_CARD = 0.82  # two outlines that overlap more are one card


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
        if all(overlap(rough.quad_px, other.quad_px) < (0.9 if i == j else 0.5) for j, other in kept):
            kept.append((i, rough))
    return [rough for _, rough in kept]


def overlap(first: Array, second: Array) -> float:
    """Share of two convex quads' union that both cover."""
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
    size_px = (picture.shape[1], picture.shape[0])
    table: Table = SurveyedTable(view=calibration.view) if calibration else guess_table(quads, trust, size_px, 0.06)
    is_card = np.abs(_misfits(table, quads)).max(1) < ROUGH_MISFIT
    roughs, quads = [r for r, ok in zip(roughs, is_card, strict=True) if ok], quads[is_card]
    if not roughs:
        return ()
    sides = _likely(edges, picture, table, poses_of(table, quads), LOOSE_MM)
    for _ in range(2):
        if calibration is None:
            table = guess_table(meet(sides), trust[is_card, None] * _sureness(sides), size_px)
        sides = _likely(edges, picture, table, _poses(table, sides), LOOSE_MM)
    sides = _likely(edges, picture, table, _poses(table, sides), STIFF_MM)
    corners, support = _measured(picture, table, sides)
    outlines = []
    for rough, quad, fault, firm in zip(roughs, corners, np.abs(_misfits(table, corners)).max(1), support, strict=True):
        if fault < FINE_MISFIT:
            score = rough.score * min(1.0, 0.4 + firm)
            outlines.append(Outline(corners_px=tuple(map(tuple, quad.tolist())), score=score, visible=rough.visible))
    return _single(outlines)


def _misfits(table: Table, quads: Array) -> Array:
    return misfits(table.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2))


def _likely(edges: EdgeNet, picture: Image, table: Table, poses: Array, size_spread_mm: float) -> Sides:
    """Find the likely sides of cards that are supposed to lie at `poses` (N, 3) on the table."""
    supposed = quads_of(table, poses)
    chances = edges.ask(picture, supposed)
    return likely_sides(chances, supposed, search_moves(chances, size_spread_mm))


def _sureness(sides: Sides) -> Array:
    """Tell how surely the lengths of sides and diagonals are known, by what is seen of the sides: (N, 6)."""
    seen = sides.support
    ends = np.minimum(np.roll(seen, 1, 1), np.roll(seen, -1, 1))
    return np.column_stack([ends, seen.min(1), seen.min(1)])


def _poses(table: Table, sides: Sides) -> Array:
    """Lay stiff cards through those of their sides that are seen: (N, 3)."""
    weights = sides.weights * (sides.support > FIRM)[..., None]
    return fit_poses(table, poses_of(table, sides.quads_px), sides.points_px, weights)


def _measured(picture: Image, table: Table, sides: Sides) -> tuple[Array, Array]:
    """Measure sides to sub-pixel; where one isn't seen, the card's others tell where it lies.

    The corners (N, 4, 2), and how much of the four sides is seen (N,).
    """
    sides = sharpened(linearised(picture), sides)
    stiff = quads_of(table, _poses(table, sides))
    return meet(sides.onto(stiff, sides.support <= FIRM)), sides.support.mean(1)


def _single(outlines: list[Outline]) -> tuple[Outline, ...]:
    kept: list[Outline] = []
    for outline in sorted(outlines, key=lambda o: -o.visible * o.score):
        if all(overlap(outline.quad_px, other.quad_px) < SAME_CARD for other in kept):
            kept.append(outline)
    return tuple(kept)
