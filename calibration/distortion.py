"""A lens's bend in OpenCV's model, and its inverse by Newton's method.

Our own, because OpenCV's iterated inverse has another name in each major version and its plain one stops early.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Terms = tuple[float, ...]
Of = TypeVar("Of", float, Array)  # one point, or many
ROUNDS = 20  # Newton's; four or five do for real lenses
CLOSE = 1e-12
LONGEST_STEP = 0.3  # keeps a step within the lens's fold
LEAST_DET = 1e-3
FEW = 8  # points that plain numbers undo sooner than arrays: one in a tenth of the time


def bend(ideal: Array, distortion: Array) -> Array:
    """Bend ideal points (N, 2) on the plane at depth 1 as the lens does; k1 k2 p1 p2 [k3 [k4 k5 k6]]."""
    return np.column_stack(_bent(ideal[:, 0], ideal[:, 1], _padded(distortion)))


def unbend(bent: Array, distortion: Array) -> Array:
    """Find the ideal points (N, 2) that the lens bends into these; beyond the lens's fold the nearest it reaches."""
    k = _padded(distortion)
    if len(bent) <= FEW and not any(k[5:]):  # whose bend is no quotient, so that nothing is divided by nothing
        return np.array([_unbent(x, y, k) for x, y in bent.tolist()], float).reshape(-1, 2)
    ideal = np.array(bent, float)
    for _ in range(ROUNDS):
        x, y = ideal[:, 0], ideal[:, 1]
        miss = np.column_stack(_bent(x, y, k)) - bent
        if not miss.size or np.abs(miss).max() < CLOSE:
            break
        slopes = _slopes(x, y, k)
        det = _det(slopes)
        step = _step(miss[:, 0], miss[:, 1], slopes, np.where(np.abs(det) < LEAST_DET, LEAST_DET, det))
        ideal = ideal - np.clip(np.column_stack(step), -LONGEST_STEP, LONGEST_STEP)
    return ideal


def _unbent(bent_x: float, bent_y: float, k: Terms) -> tuple[float, float]:
    """Find likewise the ideal point of one."""
    x, y = bent_x, bent_y
    for _ in range(ROUNDS):
        reached_x, reached_y = _bent(x, y, k)
        miss_x, miss_y = reached_x - bent_x, reached_y - bent_y
        if max(abs(miss_x), abs(miss_y)) < CLOSE:
            break
        slopes = _slopes(x, y, k)
        det = _det(slopes)
        step_x, step_y = _step(miss_x, miss_y, slopes, LEAST_DET if abs(det) < LEAST_DET else det)
        x -= min(max(step_x, -LONGEST_STEP), LONGEST_STEP)
        y -= min(max(step_y, -LONGEST_STEP), LONGEST_STEP)
    return x, y


def _padded(distortion: Array) -> Terms:
    """Give all eight terms, as plain numbers: those multiply arrays in half the time."""
    given = np.ravel(distortion).tolist()
    return (*given, *(0.0,) * (8 - len(given)))


def _bent(x: Of, y: Of, k: Terms) -> tuple[Of, Of]:
    k1, k2, p1, p2, k3, k4, k5, k6 = k
    x2, y2, xy = x * x, y * y, 2 * x * y
    r2 = x2 + y2
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    if k4 or k5 or k6:
        radial = radial / (1 + r2 * (k4 + r2 * (k5 + r2 * k6)))
    return x * radial + p1 * xy + p2 * (r2 + 2 * x2), y * radial + p1 * (r2 + 2 * y2) + p2 * xy


def _slopes(x: Of, y: Of, k: Terms) -> tuple[Of, Of, Of]:
    """Give the derivatives dx'/dx, dx'/dy, which is dy'/dx too, and dy'/dy of bent points."""
    k1, k2, p1, p2, k3, k4, k5, k6 = k
    r2 = x * x + y * y
    below = 1 + r2 * (k4 + r2 * (k5 + r2 * k6))
    radial = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / below
    slope = (
        (k1 + r2 * (2 * k2 + 3 * k3 * r2)) - radial * (k4 + r2 * (2 * k5 + 3 * k6 * r2))
    ) / below  # d radial / d r2
    return (
        radial + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x,
        2 * x * y * slope + 2 * p1 * x + 2 * p2 * y,
        radial + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x,
    )


def _det(slopes: tuple[Of, Of, Of]) -> Of:
    a, b, d = slopes
    return a * d - b * b


def _step(miss_x: Of, miss_y: Of, slopes: tuple[Of, Of, Of], det: Of) -> tuple[Of, Of]:
    a, b, d = slopes
    return (d * miss_x - b * miss_y) / det, (a * miss_y - b * miss_x) / det
