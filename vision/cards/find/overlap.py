"""How much two outlines share, and what lies within one."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray


def overlap(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Tell which share of two convex quads' union both cover."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    if (a.max(0) < b.min(0)).any() or (b.max(0) < a.min(0)).any():
        return 0.0
    both, _ = cv2.intersectConvexConvex(a, b)
    return float(both / max(cv2.contourArea(a) + cv2.contourArea(b) - both, 1e-6))


def overlaps(quads: NDArray[np.floating]) -> NDArray[np.float64]:
    """Tell the same of any two of convex quads (N, 4, 2): (N, N)."""
    low, high = quads.min(1), quads.max(1)
    may_meet = ((low[:, None] <= high) & (low <= high[:, None])).all(2)
    shared = np.zeros(may_meet.shape)
    for i, j in np.argwhere(np.triu(may_meet)).tolist():
        shared[i, j] = shared[j, i] = overlap(quads[i], quads[j])
    return shared


def share_in_picture(quad: NDArray[np.floating], size_px: tuple[int, int]) -> float:
    """Tell which share of a convex quad a picture of this size shows."""
    wide, high = size_px
    picture = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - np.float32(0.5)
    both, _ = cv2.intersectConvexConvex(quad.astype(np.float32), picture)
    return float(both / max(cv2.contourArea(quad.astype(np.float32)), 1e-6))


def are_within(points_px: NDArray[np.floating], quads: Iterable[NDArray[np.floating]]) -> NDArray[np.bool_]:
    """Tell which points (N, 2) lie within any of some convex quads, clockwise."""
    within = np.zeros(len(points_px), bool)
    for quad in quads:
        run = np.roll(quad, -1, 0) - quad
        away = points_px[:, None] - quad
        within |= (run[:, 0] * away[..., 1] - run[:, 1] * away[..., 0] >= 0).all(1)
    return within
