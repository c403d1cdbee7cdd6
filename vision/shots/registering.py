"""How the next frame lies against the calibrated ground, and the frame brought back to where it should lie."""

from dataclasses import dataclass

from linesies.calibration import Calibration
from linesies.vision.picture.displacement import Displacement, none_of
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.knocks import Knocks
from linesies.vision.picture.lean import Lean
from linesies.vision.picture.registration import Registration
from linesies.vision.picture.small_picture import look_at, look_at_bgr
from linesies.vision.picture.steadied import steadied
from linesies.vision.shots.cap_state import ScenePhase
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.told import Ended
from linesies.vision.values import CameraMoved


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Registered:
    """A frame's small picture as it was taken, and how it lies beside the calibrated ground."""

    small: Image
    displacement: Displacement


@dataclass(frozen=True, slots=True, kw_only=True)
class Knocked(Ended):
    """The picture does not fit the calibration: said once, and nothing after it until it fits again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steady:
    """A frame and its small picture as they would look had the camera not moved."""

    frame: Frame
    small: Image


class Registrar:
    """Remembers the calibrated ground, how the last picture lay on it, and whether the camera was knocked."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._registration: Registration | None = None
        self._knocks = Knocks()
        self._lean = Lean()

    def see(self, frame: Frame) -> tuple[Registered, float | None]:
        """Find how a frame lies, and since when the camera has been knocked, if it is.

        Where no ground is recognised, the frame is taken to lie as the one before.
        """
        small = look_at(frame)
        if self._registration is None:
            self._registration = Registration(look_at_bgr(self._calibration.empty_bgr, frame.layout))
            self._displacement = none_of((small.shape[1], small.shape[0]))
        if self._registration.can_see:
            found = self._registration.see(small)
            self._knocks.see(found, frame.t_s)
            self._lean.see(found, frame.t_s)
            self._displacement = found or self._displacement
        return Registered(small=small, displacement=self._displacement), self._knocks.moved_since_s

    @property
    def leant_small(self) -> float:
        """How far the camera has leaned since it was calibrated, in small pixels."""
        return self._lean.small


def register(frame: Frame, registrar: Registrar, state: SceneState) -> Registered | Knocked:
    """Find how a frame lies on the calibrated ground; the way ends where the camera was knocked."""
    registered, moved_s = registrar.see(frame)
    if moved_s is None:
        return registered
    return Knocked(events=() if state.phase is ScenePhase.KNOCKED else (CameraMoved(t_s=moved_s),))


def steady(frame: Frame, registered: Registered) -> Steady:
    """Show the frame as it would look had the camera not moved."""
    displacement = registered.displacement
    return Steady(frame=steadied(frame, displacement), small=displacement.undone_small(registered.small))
