"""What speaks for a supposed card: its votes, where they lie, and the edges that ought to be seen of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.find.edges import side_frames, side_scales
from linesies.vision.cards.find.votes import Rough

Array = NDArray[np.float64]

BARE = -1  # the number of no card
OWN, SHOWN = 1, 4  # which of what `weigh` tells is the share of an outline that shows its own card, and of its edges


@dataclass(frozen=True)
class EvidenceTuning(Tuning):
    """Where a card is asked whether it is itself that is seen there."""

    inside_mm: float = tuned(
        3.0,
        title="within a side, where its card's own cells ought to be seen",
        unit="mm",
        low=0.5,
        high=15,
        source=by_hand_in("17e35d0"),
    )
    finest_px: float = tuned(
        2.0,
        title="step of the finest drawing of which card is seen where",
        unit="px",
        low=1,
        high=10,
        source=by_hand_in("17e35d0"),
    )
    index_near_mm: float = tuned(
        2.0, title="from a card's edge across, where its index begins", unit="mm", low=0.5, high=10, source=BY_HAND
    )
    index_far_mm: float = tuned(
        10.0,
        title="across, where it ends",
        unit="mm",
        low=4,
        high=30,
        source="print: indices of the decks that were looked at begin 0.8 to 10 mm from the edge",
    )
    index_top_mm: float = tuned(
        3.0, title="from a card's edge down, where its index begins", unit="mm", low=0.5, high=10, source=BY_HAND
    )
    index_bottom_mm: float = tuned(
        18.0,
        title="down, where it ends: there most print one, and all a part of it",
        unit="mm",
        low=8,
        high=40,
        source="print: ranks are 4 to 15 mm tall, below index_top_mm",
    )


EVIDENCE = EvidenceTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardGrid:
    """Which card each place of the picture shows, by its number: `grid` in steps of `step_px`."""

    grid: NDArray[np.int32]
    step_px: float

    def at(self, points_px: Array) -> NDArray[np.int32]:
        """Tell whose points (..., 2) are."""
        rows, columns = self.grid.shape
        at = np.maximum((points_px + 0.5) / self.step_px, 0).astype(int)
        return np.asarray(self.grid[np.minimum(at[..., 1], rows - 1), np.minimum(at[..., 0], columns - 1)])

    def are_in_picture(self, points_px: Array) -> NDArray[np.bool_]:
        """Tell which points (..., 2) the picture shows."""
        high = self.step_px * np.array(self.grid.shape[::-1])
        return np.asarray(((points_px >= 0) & (points_px < high)).all(-1))

    def shares(self, quad_px: Array, number: int) -> tuple[float, float]:
        """Tell which share of a quad is seen as its card's own, and which share of that card's own lies outside."""
        mask = np.zeros(self.grid.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(((quad_px + 0.5) / self.step_px - 0.5) * 16).astype(np.int32), 1, shift=4)
        is_own = self.grid == number
        own = int(is_own[mask > 0].sum())
        return own / max(int(mask.sum()), 1), 1 - own / max(int(is_own.sum()), 1)


def draw_owners(roughs: Sequence[Rough], size_px: tuple[int, int]) -> CardGrid:
    """Draw which of one or more rough cards each place of the picture shows; cells of finer scales lie on top."""
    step_px = max(EVIDENCE.finest_px, min(rough.cell_px for rough in roughs) / 2)
    grid = np.full((int(size_px[1] / step_px) + 1, int(size_px[0] / step_px) + 1), BARE, np.int32)
    for number in sorted(range(len(roughs)), key=lambda k: -roughs[k].cell_px):
        cell_px = roughs[number].cell_px
        low = np.rint((roughs[number].cells_px + 0.5 - cell_px / 2) / step_px).astype(int)
        for x, y in np.ndindex((max(1, round(cell_px / step_px)),) * 2):
            at = np.clip(low + np.array([x, y]), 0, (grid.shape[1] - 1, grid.shape[0] - 1))
            grid[at[:, 1], at[:, 0]] = number
    return CardGrid(grid=grid, step_px=step_px)


def weigh(roughs: Sequence[Rough], quads_px: Array, edges: Array, owners: CardGrid) -> Array:
    """Tell what speaks for and against each card (N, 6): how sure its votes are, its shares, its edges, its scatter.

    `edges` (N, 4, samples) says how surely each sample of its sides shows its edge. They count twice: as a share of
    those that no other card hides, and of all.
    """
    is_seen = are_in_sight(quads_px, owners, np.arange(len(quads_px)))
    shown = np.where(is_seen, edges, 0).sum((1, 2))
    return np.column_stack(
        [
            [rough.score for rough in roughs],
            [owners.shares(quad, number) for number, quad in enumerate(quads_px)],
            shown / np.maximum(is_seen.sum((1, 2)), 1),
            shown / edges[0].size,
            [rough.scatter for rough in roughs],
        ]
    )


def are_in_sight(quads_px: Array, owners: CardGrid, numbers: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which samples of the sides of cards with such numbers (N,) no other card, nor the picture's end, hides.

    They are told as (N, 4, samples).
    """
    points, _, _ = side_frames(quads_px)
    return np.asarray(owners.are_in_picture(points) & are_uncovered(quads_px, owners, numbers))


def are_uncovered(quads_px: Array, owners: CardGrid, numbers: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell over which samples of the sides of cards with such numbers (N,) no other card lies: (N, 4, samples)."""
    points, normal, _ = side_frames(quads_px)
    inward = (EVIDENCE.inside_mm * side_scales(quads_px))[:, None, None, None] * normal[:, :, None]
    owner = owners.at(points - inward)
    return np.asarray((owner == BARE) | (owner == numbers[:, None, None]))


def ends_in_sight(quads_px: Array, owners: CardGrid, numbers: NDArray[np.intp], hiding: Sequence[int]) -> Array:
    """Tell how much of where the two indices of cards may be the picture shows, and none of some other cards hides.

    The cards have such numbers (N,), as have those that may hide them; told for both ends (N, 2).
    """
    across_mm = np.linspace(EVIDENCE.index_near_mm, EVIDENCE.index_far_mm, 5)
    down_mm = np.linspace(EVIDENCE.index_top_mm, EVIDENCE.index_bottom_mm, 6)
    across, down = (step.ravel() for step in np.meshgrid(across_mm / CARD_MM[0], down_mm / CARD_MM[1]))
    parts = np.column_stack([(1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down])
    points = parts @ np.stack([quads_px, np.roll(quads_px, 2, 1)], 1)
    owner = owners.at(points)
    is_hidden = np.isin(owner, list(hiding)) & (owner != numbers[:, None, None])
    return np.asarray((owners.are_in_picture(points) & ~is_hidden).mean(-1))
