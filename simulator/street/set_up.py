"""What a simulated camera is calibrated with: somebody's taps on the corners, and a picture before anybody plays."""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, View

TAP_PX = 4.0  # standard deviation of a finger
AVERAGED_NOISE = 0.6  # of 255, what is left of the camera's noise after a few frames


def rough_taps(board: Board, view: View, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Tap the board's outer corners as a finger does, clockwise from its first, in whole pixels."""
    width, height = board.size_mm
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    seen = view.mm_to_px(corners) + rng.normal(0, TAP_PX, (4, 2))
    return [(float(round(x)), float(round(y))) for x, y in seen]


def averaged(picture_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Add what is left of the camera's noise after a few frames were averaged."""
    noise = rng.standard_normal(picture_bgr.shape, np.float32) * AVERAGED_NOISE
    return np.clip(picture_bgr + noise + 0.5, 0, 255).astype(np.uint8)
