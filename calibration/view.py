"""Where the camera stands: pixels to millimetres on the board's plane, or at any height above it, and back.

The board's frame has x to the right, y down the board and z *into* the ground, so that a point
`height_mm` above the ground has z = -height_mm. A point p is seen at K * (R p + t), bent by the lens.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.lens import Lens

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """A lens at a pose: `rotation` (3, 3) and `translation_mm` (3,) take board points into the camera's frame."""

    lens: Lens
    rotation: Array
    translation_mm: Array

    @property
    def camera_mm(self) -> Array:
        """The camera's place (3,) in the board's frame; z is negative above the ground."""
        return np.asarray(-self.rotation.T @ self.translation_mm, float)

    @property
    def camera_height_mm(self) -> float:
        """How high the camera hangs over the board's plane."""
        return float(abs(self.camera_mm[2]))

    @property
    def tilt_deg(self) -> float:
        """The angle between looking straight down and where the camera looks."""
        return float(np.degrees(np.arccos(np.clip(abs(self.rotation[2, 2]), -1.0, 1.0))))

    def mm_to_px(self, xy_mm: Array, height_mm: Array | float = 0.0) -> Array:
        """Project board points (N, 2), `height_mm` above the ground, into the picture: (N, 2)."""
        xy = np.asarray(xy_mm, float).reshape(-1, 2)
        if not len(xy):
            return xy
        points = np.empty((len(xy), 3))
        points[:, :2], points[:, 2] = xy, -np.asarray(height_mm, float)
        seen = points @ self.rotation.T + self.translation_mm
        return self.lens.distort(seen[:, :2] / seen[:, 2:])

    def px_to_mm(self, xy_px: Array, height_mm: Array | float = 0.0) -> Array:
        """Find the board points (N, 2) that lie `height_mm` above the ground under picture points (N, 2)."""
        ideal = self.lens.undistort(xy_px)
        rays = np.column_stack([ideal, np.ones(len(ideal))]) @ self.rotation
        camera = self.camera_mm
        reach = (-np.asarray(height_mm, float) - camera[2]) / rays[:, 2]
        return np.asarray(camera[:2] + reach[:, None] * rays[:, :2], float)

    def px_per_mm(self, xy_mm: Array) -> float:
        """How many pixels a millimetre spans at a board point (2,): focal length over depth."""
        point = np.array([xy_mm[0], xy_mm[1], 0.0])
        depth = float((self.rotation @ point + self.translation_mm)[2])
        return float(self.lens.camera_matrix[0, 0]) / depth

    def is_in_picture(self, xy_mm: Array) -> bool:
        """Tell whether the board point (2,) is seen at all."""
        point = np.array([xy_mm[0], xy_mm[1], 0.0])
        if (self.rotation @ point + self.translation_mm)[2] <= 0:
            return False
        x, y = self.mm_to_px(np.asarray(xy_mm, float)[None])[0]
        width, height = self.lens.size_px
        return bool(-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5)
