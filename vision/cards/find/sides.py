"""Rough outlines laid on one table and measured: the table tells how large a card is, the sides where it lies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.grid import on_grid
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.find.corners import Sides, likely_sides, linearised, meet, sharpened
from linesies.vision.cards.find.corners_search import promise, search_moves
from linesies.vision.cards.find.edges import EdgeNet, side_strips
from linesies.vision.cards.find.evidence import CardGrid, are_in_sight, are_uncovered
from linesies.vision.cards.find.overlap import are_within
from linesies.vision.cards.find.plane import Table, Unknown, misfits, size_of_cards
from linesies.vision.cards.find.plane_pose import fit_poses, moved_poses, poses_of, quads_of
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

SUPPOSED_LINES = 4.0  # a pixel: sides are first sought some pixels from where votes suppose them

ON_DRAWN = "set on drawn tables of covered cards (`covered`, seed 21000)"
ON_STILLS = "by hand on the public stills: clear cards lie up to 14 degrees and 12 mm beside their votes there"


@dataclass(frozen=True)
class SidesTuning(Tuning):
    """How far outlines are believed, and from when on a card is moved to where edges are."""

    firm_share: float = tuned(
        0.27,
        title="share of a side that must be clearly seen for it to be measured by itself",
        unit="1",
        low=0.05,
        high=0.9,
        source=by_hand_in("89b6c05"),
    )
    loose_mm: float = tuned(
        5.0,
        title="by which a card's size may be off on a table guessed from votes",
        unit="mm",
        low=1,
        high=20,
        source=by_hand_in("7f1c6f9"),
    )
    stiff_mm: float = tuned(
        1.2, title="the same on a table guessed from sides", unit="mm", low=0.2, high=5, source=by_hand_in("d24230a")
    )
    rough_spread: float = tuned(
        0.06, title="of voted sizes, as logarithms", unit="1", low=0.01, high=0.3, source=by_hand_in("3a2b1f9")
    )
    sides_spread: float = tuned(
        0.02, title="of sizes that sides tell, as logarithms", unit="1", low=0.002, high=0.1, source=BY_HAND
    )
    turn_deg: float = tuned(
        7.0,
        title="from one turn that is tried to the next, of two either way",
        unit="deg",
        low=1,
        high=20,
        source=ON_STILLS,
    )
    aside_mm: float = tuned(
        9.0, title="how far to either side a card is tried", unit="mm", low=1, high=30, source=ON_STILLS
    )
    first_moves: int = tuned(
        4,
        title="moves that promise most, about which the net is asked",
        unit="1",
        low=1,
        high=30,
        source=by_hand_in("3d26f07"),
    )
    then_moves: int = tuned(
        2, title="of those, about which it is asked again", unit="1", low=1, high=30, source=by_hand_in("3d26f07")
    )
    rough_misfit: float = tuned(
        0.15,
        title="up to which the shape of a card that is seen whole is believed",
        unit="1",
        low=0.02,
        high=0.5,
        source=by_hand_in("17e35d0"),
    )
    partly_share: float = tuned(
        0.3,
        title="how much the shape of another says of the table, as a share of what it would if seen whole",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("17e35d0"),
    )
    poor_share: float = tuned(
        0.4,
        title="share of a card's edges in sight that are seen, below which others are sought",
        unit="1",
        low=0.05,
        high=0.9,
        source=by_hand_in("91f59e4"),
    )
    proven_share: float = tuned(
        0.59, title="share of those that proves another place", unit="1", low=0.2, high=1, source=ON_DRAWN
    )
    least_sight_share: float = tuned(
        0.3, title="share of all sides in sight that can tell", unit="1", low=0.05, high=0.9, source=ON_DRAWN
    )
    covers_share: float = tuned(
        0.85,
        title="of the places at which a card is seen that it still must cover: papers are larger",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("4ab551e"),
    )


SIDES = SidesTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Voted:
    """N cards as their votes tell them: quads (N, 4, 2), how far each is trusted (N,), and which place shows which.

    `cells_px` are N times the places (M, 2) at which a card is seen.
    """

    quads_px: Array
    trust: Array
    owners: CardGrid
    cells_px: Sequence[NDArray[np.floating]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LaidCards:
    """N cards as measured on their table: corners (N, 4, 2), how surely their sides are seen (N, 4, S)."""

    corners_px: Array
    edges: Array
    table: Table


def lay_roughly(
    quads: Array, trust: Array, is_whole: NDArray[np.bool_], known: Table | Unknown
) -> tuple[Table, Array, Array]:
    """Find the table under voted quads (N, 4, 2), if it isn't known; where cards lie on it; their misfit (N,).

    Of a card that isn't seen whole only the place and the turn are believed: it is given a card's size.
    """
    table = _guess_roughly(quads, trust, is_whole, known) if isinstance(known, Unknown) else known
    misfit = _misfit(table, quads)
    is_fit = is_whole & (misfit < SIDES.rough_misfit)
    stiff = quads_of(table, poses_of(table, quads))
    return table, np.where(is_fit[:, None, None], quads, stiff), misfit


def _guess_roughly(quads: Array, trust: Array, is_whole: NDArray[np.bool_], unknown: Unknown) -> Table:
    """Guess the table of voted quads, and again by those of them that fit."""
    table = unknown.guess(quads, trust * np.where(is_whole, 1, SIDES.partly_share), SIDES.rough_spread)
    is_fit = is_whole & (_misfit(table, quads) < SIDES.rough_misfit)
    if is_fit.sum() < 2 or (is_fit == is_whole).all():
        return table
    return unknown.guess(quads, trust * np.where(is_fit, 1, SIDES.partly_share), SIDES.rough_spread)


def lay_cards(edges: EdgeNet, picture: Image, voted: Voted, tables: tuple[Table, Table | Unknown]) -> LaidCards:
    """Measure the sides of cards on a rough table, which is guessed better by them unless it is known (`tables`)."""
    table, known = tables
    # Not as stiff cards: the table's tilt is hardly known.
    sides = _likely(edges, picture, voted.quads_px, SIDES.loose_mm)
    if isinstance(known, Unknown):
        table = known.guess(meet(sides), voted.trust[:, None] * _sureness(sides), SIDES.sides_spread)
    else:
        seen_mm = table.to_mm(meet(sides).reshape(-1, 2))
        table = table.with_cards(size_of_cards(seen_mm, voted.trust * _wholeness(sides)))
    sides = _likely(edges, picture, quads_of(table, _poses(table, sides)), SIDES.stiff_mm)
    supposed = _moved_to_edges(edges, picture, voted, sides, table)
    if supposed is not None:
        sides = _likely(edges, picture, supposed, SIDES.stiff_mm)
    sides = sharpened(linearised(picture), sides)
    stiff = quads_of(table, _poses(table, sides))
    corners = meet(sides.onto(stiff, sides.support <= SIDES.firm_share))
    return LaidCards(corners_px=corners, edges=sides.weights, table=table)


def _moved_to_edges(edges: EdgeNet, picture: Image, voted: Voted, sides: Sides, table: Table) -> Array | None:
    """Move cards of whose edges in sight hardly any are seen to where edges are: all as quads (N, 4, 2).

    Sides are only sought some degrees and millimetres from where they are supposed, and votes may be off by more.
    None where no card is moved.
    """
    shown, in_sight = _shown(sides, voted.owners, np.arange(len(sides.quads_px)))
    may_slide = _may_slide(sides, voted.owners)
    poor = np.flatnonzero(((shown < SIDES.poor_share) | may_slide) & (in_sight >= SIDES.least_sight_share))
    before = (shown * in_sight)[poor]
    if not len(poor):
        return None
    moved = moved_poses(poses_of(table, sides.quads_px[poor]), _moves())
    quads = quads_of(table, moved.reshape(-1, 3))
    bare = are_in_sight(quads, voted.owners, np.repeat(poor, moved.shape[1]))
    shown = promise(side_strips(picture, quads), SIDES.stiff_mm, bare).reshape(moved.shape[:2])
    for tries in (SIDES.first_moves, SIDES.then_moves, 1):
        moved = np.take_along_axis(moved, np.argsort(-shown, axis=1)[:, :tries, None], 1)
        laid = _likely(edges, picture, quads_of(table, moved.reshape(-1, 3)), SIDES.stiff_mm)
        seen = _shown(laid, voted.owners, np.repeat(poor, moved.shape[1]))
        shown, in_sight = (part.reshape(moved.shape[:2]) for part in seen)
        moved = _poses(table, laid).reshape(moved.shape)
    quads = quads_of(table, moved[:, 0])
    shares = [are_within(voted.cells_px[card], [quad]).mean() for quad, card in zip(quads, poor.tolist(), strict=True)]
    after = shown[:, 0] * in_sight[:, 0]
    is_proven = (after > SIDES.poor_share) | (
        (shown[:, 0] > SIDES.proven_share) & (in_sight[:, 0] >= SIDES.least_sight_share)
    )
    is_better = is_proven & (after > before) & (np.array(shares) > SIDES.covers_share)
    best = sides.quads_px.copy()
    best[poor[is_better]] = quads[is_better]
    return best if is_better.any() else None


def _shown(sides: Sides, owners: CardGrid, numbers: NDArray[np.intp]) -> tuple[Array, Array]:
    """Tell which share of the edges of cards with such numbers is seen where nothing hides them, and is in sight."""
    in_sight = are_in_sight(sides.quads_px, owners, numbers)
    seen = np.where(in_sight, sides.weights, 0.0).sum((1, 2))
    return np.asarray(seen / np.maximum(in_sight.sum((1, 2)), 1)), np.asarray(in_sight.mean((1, 2)))


def _may_slide(sides: Sides, owners: CardGrid) -> NDArray[np.bool_]:
    """Tell which cards (N,) may lie farther along or across: of two sides across from one another neither is seen."""
    bare = are_uncovered(sides.quads_px, owners, np.arange(len(sides.quads_px)))
    is_missed = (bare.mean(-1) >= SIDES.least_sight_share) & (sides.support < SIDES.poor_share)
    return np.asarray((is_missed & np.roll(is_missed, 2, axis=1)).any(1))


def lay_supposed(edges: EdgeNet, picture: Image, quads: Array, table: Table) -> Array:
    """Lay supposed cards (N, 4, 2) of the table's size by what is seen of their sides."""
    quads = quads_of(table, _poses(table, _likely(edges, picture, quads, SIDES.stiff_mm)))
    sides = sharpened(linearised(picture), _likely(edges, picture, quads, SIDES.stiff_mm))
    return quads_of(table, _poses(table, sides))


def _misfit(table: Table, quads: Array) -> Array:
    return np.asarray(np.abs(misfits(table.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2), *table.card_mm)).max(1))


def _likely(edges: EdgeNet, picture: Image, supposed: Array, size_spread_mm: float) -> Sides:
    """Find the likely sides of cards that are supposed to fill quads (N, 4, 2)."""
    supposed = on_grid(supposed, SUPPOSED_LINES)
    chances = edges.ask(picture, supposed)
    return likely_sides(chances, supposed, search_moves(chances, size_spread_mm))


def _sureness(sides: Sides) -> Array:
    """Tell how surely the lengths of sides and diagonals are known, by what is seen of the sides: (N, 6)."""
    seen = sides.support
    ends = np.minimum(np.roll(seen, 1, 1), np.roll(seen, -1, 1))
    return np.column_stack([ends, seen.min(1), seen.min(1)])


def _wholeness(sides: Sides) -> Array:
    """Tell how surely all four sides of each card are seen: (N,)."""
    return np.where(sides.support.min(1) > SIDES.firm_share, sides.support.min(1), 0.0)


def _poses(table: Table, sides: Sides) -> Array:
    """Lay stiff cards through those of their sides that are seen: (N, 3)."""
    weights = sides.weights * (sides.support > SIDES.firm_share)[..., None]
    return fit_poses(table, poses_of(table, sides.quads_px), sides.points_px, weights)


def _moves() -> Array:
    """List the moves that are tried (N, 3): across the card, along, a turn; aslant, the long side may be mistaken."""
    turns_deg = [side_deg + SIDES.turn_deg * step for side_deg in (0.0, 90.0) for step in (-2, -1, 0, 1, 2)]
    sides_mm = (-SIDES.aside_mm, 0.0, SIDES.aside_mm)
    return np.array([(x, 0.0, np.radians(turn)) for turn in turns_deg for x in sides_mm])
