"""Every frame registered to the ground: where the last one lay, and where it was going, say where to look."""

from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.displacement import Displacement, none_of
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.layout import Image
from linesies.vision.picture.small_picture import SmallPlanes

SWEPT = "training/swaying.py, on simulated streets 7201 to 7204 filmed by a pole that sways and is knocked"


@dataclass(frozen=True)
class RegistrationTuning(Tuning):
    """When a hanging camera's frames are looked at closely."""

    goes_on: float = tuned(
        0.7,
        title="share of a step from frame to frame that the next is supposed to make again",
        unit="1",
        low=0,
        high=1,
        source=f"{SWEPT}: 0.25 to 0.98 serve as well",
    )
    leap_small_px: float = tuned(
        3.0,
        title="longest step that is supposed to go on, in the small picture: longer is a knock",
        unit="px",
        low=0.5,
        high=20,
        source=f"{SWEPT}: 4.2 serves as well, 2.1 and 6 worse",
    )


REGISTRATION = RegistrationTuning()

LONG_STILL, STILL_EVERY = 30, 4  # frames without displacement, after which one of so many is looked at
WAKING_SMALL = (
    0.12  # by which a camera that has hung still for so long must seem displaced: hands and shadows pull less
)


class Registration:
    """Remembers the ground's landmarks, and how the last picture lay against them."""

    def __init__(self, ground: Image) -> None:
        """Choose the landmarks of the calibrated small picture's luma (h, w)."""
        self._landmarks = Landmarks(ground)
        self._last = none_of(self._landmarks.size)
        self._velocity = np.zeros_like(self._last.coefficients)
        self._still_frames = 0
        self.is_due = False  # something new was shown that was not looked at

    @property
    def can_see(self) -> bool:
        """Whether the ground has texture enough to be registered to."""
        return self._landmarks.can_tell

    def see(self, planes: SmallPlanes) -> Displacement | None:
        """Register the next small picture; None where too little of the ground is recognised.

        While the camera hangs still, only every fourth is looked at, and but in part.
        """
        self._still_frames += 1
        is_asleep = self._still_frames > LONG_STILL
        self.is_due = bool(is_asleep and self._still_frames % STILL_EVERY)
        if self.is_due:
            return self._last
        if is_asleep and self._landmarks.lies_within(WAKING_SMALL, planes):
            return self._last
        found = self._landmarks.find(planes.luma, self._last.coefficients + self._velocity)
        if found is None or not found.is_negligible:
            self._still_frames = 0
        self._velocity[:] = 0.0
        if found is not None:
            step = found.coefficients - self._last.coefficients
            self._velocity = (
                REGISTRATION.goes_on * step if np.abs(step).max() < REGISTRATION.leap_small_px else self._velocity
            )
            self._last = found
        return found
