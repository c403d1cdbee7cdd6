"""Cards as stiff rectangles on a table: where they lie, fitted to the sides that are seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.find.plane import Table

Array = NDArray[np.float64]

OUTWARD = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], float)
CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2  # of a card, in its width and length


@dataclass(frozen=True)
class PoseTuning(Tuning):
    """How firmly a card is held to where it was supposed while its sides are fitted."""

    held_mm2: float = tuned(
        0.05,
        title="by its place, beside points that weigh 1",
        unit="1/mm2",
        low=0,
        high=5,
        source=by_hand_in("2e89f4b"),
    )
    held_turn: float = tuned(50.0, title="by its turn", unit="1/rad2", low=0, high=5000, source=by_hand_in("2e89f4b"))
    steps: int = tuned(6, title="steps of the fit", unit="1", low=1, high=30, source=by_hand_in("2e89f4b"))


POSES = PoseTuning()


def poses_of(table: Table, quads_px: Array) -> Array:
    """Lay quads (N, 4, 2) on the table: their middles and turns (N, 3) as mm, mm, radians."""
    corners = table.to_mm(quads_px.reshape(-1, 2)).reshape(-1, 4, 2)
    along = corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]
    across = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]
    run = along + np.stack([-across[:, 1], across[:, 0]], 1)  # down the card, and across it turned a quarter
    return np.column_stack([corners.mean(1), np.arctan2(-run[:, 0], run[:, 1])])


def quads_of(table: Table, poses: Array) -> Array:
    """See cards that lie at `poses` (N, 3): quads (N, 4, 2)."""
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turn = np.stack([np.stack([c, -s], 1), np.stack([s, c], 1)], 1)
    corners = poses[:, None, :2] + np.einsum("nij,kj->nki", turn, CORNERS * table.card_mm)
    return table.to_px(corners.reshape(-1, 2)).reshape(-1, 4, 2)


def moved_poses(poses: Array, moves: Array) -> Array:
    """Move each of N poses (N, 3) by each of M moves (M, 3), across and along the card, mm, and turned: (N, M, 3)."""
    c, s = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    x, y = c * moves[:, 0] - s * moves[:, 1], s * moves[:, 0] + c * moves[:, 1]
    return poses[:, None] + np.stack([x, y, np.broadcast_to(moves[:, 2], x.shape)], -1)


def fit_poses(table: Table, poses: Array, points_px: Array, weights: Array, *, spread_mm: float = 1.0) -> Array:
    """Move poses (N, 3) so that the sides go through points (N, 4, S, 2) of theirs, as far as those weigh (N, 4, S)."""
    points = table.to_mm(points_px.reshape(-1, 2)).reshape(points_px.shape)
    half_mm = np.array([*table.card_mm[::-1], *table.card_mm[::-1]]) / 2  # from the middle to side k
    held = np.diag([POSES.held_mm2, POSES.held_mm2, POSES.held_turn])
    for _ in range(POSES.steps):
        c, s = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
        outward = np.stack([c * OUTWARD[:, 0] - s * OUTWARD[:, 1], s * OUTWARD[:, 0] + c * OUTWARD[:, 1]], -1)
        away = points - poses[:, None, None, :2]
        fault = np.einsum("nksi,nki->nks", away, outward) - half_mm[:, None]
        turning = -away[..., 0] * outward[..., None, 1] + away[..., 1] * outward[..., None, 0]
        slope = np.stack([*np.broadcast_arrays(*(-np.moveaxis(outward, -1, 0)[..., None]), turning)], -1)
        weight = weights / (1 + (fault / spread_mm) ** 2)
        normal = np.einsum("nks,nksi,nksj->nij", weight, slope, slope) + held
        step = np.linalg.solve(normal, np.einsum("nks,nksi,nks->ni", weight, slope, fault)[..., None])[..., 0]
        poses = poses - step
    return poses
