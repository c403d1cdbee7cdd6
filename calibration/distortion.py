"""A lens's bend in OpenCV's model, and its inverse by Newton's method.

Our own, because OpenCV's iterated inverse has another name in each major version and its plain one stops early.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Terms = tuple[float, ...]
ROUNDS = 20  # Newton's; four or five do for real lenses
CLOSE = 1e-12
LONGEST_STEP = 0.3  # keeps a step within the lens's fold


def bend(ideal: Array, distortion: Array) -> Array:
    """Bend ideal points (N, 2) on the plane at depth 1 as the lens does; k1 k2 p1 p2 [k3 [k4 k5 k6]]."""
    return _bent(ideal, _padded(distortion))


def unbend(bent: Array, distortion: Array) -> Array:
    """Find the ideal points (N, 2) that the lens bends into these; beyond the lens's fold the nearest it reaches."""
    k = _padded(distortion)
    ideal = np.array(bent, float)
    for _ in range(ROUNDS):
        reached, jacobian = _bend(ideal, k)
        miss = reached - bent
        if not miss.size or np.abs(miss).max() < CLOSE:
            break
        a, b, c, d = jacobian
        det = a * d - b * c
        det = np.where(np.abs(det) < 1e-3, 1e-3, det)
        step = np.column_stack([d * miss[:, 0] - b * miss[:, 1], a * miss[:, 1] - c * miss[:, 0]]) / det[:, None]
        ideal = ideal - np.clip(step, -LONGEST_STEP, LONGEST_STEP)
    return ideal


def _padded(distortion: Array) -> Terms:
    """Give all eight terms, as plain numbers: those multiply arrays in half the time."""
    given = np.ravel(distortion).tolist()
    return (*given, *(0.0,) * (8 - len(given)))


def _bent(ideal: Array, k: Terms) -> Array:
    k1, k2, p1, p2, k3, k4, k5, k6 = k
    x, y = ideal[:, 0], ideal[:, 1]
    x2, y2, xy = x * x, y * y, 2 * x * y
    r2 = x2 + y2
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    if k4 or k5 or k6:
        radial /= 1 + r2 * (k4 + r2 * (k5 + r2 * k6))
    bent = np.empty_like(ideal)
    bent[:, 0] = x * radial + p1 * xy + p2 * (r2 + 2 * x2)
    bent[:, 1] = y * radial + p1 * (r2 + 2 * y2) + p2 * xy
    return bent


def _bend(ideal: Array, k: Terms) -> tuple[Array, tuple[Array, Array, Array, Array]]:
    """Bend points and give the derivatives dx'/dx, dx'/dy, dy'/dx, dy'/dy."""
    k1, k2, p1, p2, k3, k4, k5, k6 = k
    x, y = ideal[:, 0], ideal[:, 1]
    r2 = x * x + y * y
    below = 1 + r2 * (k4 + r2 * (k5 + r2 * k6))
    radial = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / below
    slope = (
        (k1 + r2 * (2 * k2 + 3 * k3 * r2)) - radial * (k4 + r2 * (2 * k5 + 3 * k6 * r2))
    ) / below  # d radial / d r2
    mixed = 2 * x * y * slope + 2 * p1 * x + 2 * p2 * y
    return _bent(ideal, k), (
        radial + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x,
        mixed,
        mixed,
        radial + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x,
    )
