"""Every frame registered to the ground: where the last one lay, and where it was going, say where to look."""

import numpy as np

from linesies.vision.picture.displacement import Displacement, none_of
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.layout import Image

LONG_STILL, STILL_EVERY = 30, 4  # frames without displacement, after which one of so many is looked at
WAKING_SMALL = (
    0.12  # by which a camera that has hung still for so long must seem displaced: hands and shadows pull less
)
GOES_ON = 0.7  # share of a step from frame to frame that the next is supposed to make again,
LEAP_SMALL = 3.0  # unless it was longer than that: a knock


class Registration:
    """Remembers the ground's landmarks, and how the last picture lay against them."""

    def __init__(self, ground: Image) -> None:
        """Choose the landmarks of the calibrated small picture's luma (h, w)."""
        self._landmarks = Landmarks(ground)
        self._last = none_of(self._landmarks.size)
        self._velocity = np.zeros_like(self._last.coefficients)
        self._still_frames = 0

    @property
    def can_see(self) -> bool:
        """Whether the ground has texture enough to be registered to."""
        return self._landmarks.can_tell

    def see(self, luma: Image) -> Displacement | None:
        """Register the luma (h, w) of the next small picture; None where too little of the ground is recognised.

        While the camera hangs still, only every fourth is looked at, and of that a part.
        """
        self._still_frames += 1
        is_asleep = self._still_frames > LONG_STILL
        if is_asleep and self._still_frames % STILL_EVERY:
            return self._last
        if is_asleep and self._landmarks.lies_within(WAKING_SMALL, luma):
            return self._last
        found = self._landmarks.find(luma, self._last.coefficients + self._velocity)
        if found is None or not found.is_negligible:
            self._still_frames = 0
        self._velocity[:] = 0.0
        if found is not None:
            step = found.coefficients - self._last.coefficients
            self._velocity = GOES_ON * step if np.abs(step).max() < LEAP_SMALL else self._velocity
            self._last = found
        return found
