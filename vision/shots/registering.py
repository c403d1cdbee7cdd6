"""How the next frame lies against the calibrated ground, and the frame brought back to where it should lie."""

from dataclasses import dataclass
from functools import cached_property

import cv2

from linesies.calibration import Calibration
from linesies.vision.picture.displacement import Displacement, none_of
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.glance import glance_at
from linesies.vision.picture.knocks import Knocks
from linesies.vision.picture.layout import EVERYWHERE, Image, Layout, Window
from linesies.vision.picture.lean import Lean
from linesies.vision.picture.novelty import Mask, Novelty, coarse_window, small_window
from linesies.vision.picture.registration import Registration
from linesies.vision.picture.small_picture import SmallPlanes, look_at_bgr
from linesies.vision.picture.steadied import steadied
from linesies.vision.shots.cap_state import ScenePhase
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.told import FrameDone
from linesies.vision.values import CameraMoved


@dataclass(frozen=True, kw_only=True, eq=False)
class Noticed:
    """The planes of a frame's small picture as it was taken, and where (coarsely) it shows anything new."""

    planes: SmallPlanes
    changed: Mask

    @property
    def is_new(self) -> bool:
        """Whether anything is to be looked at: else all is as it was last seen."""
        return self.share > 0.0

    @cached_property
    def share(self) -> float:
        """The share of the picture that is to be looked at."""
        return cv2.countNonZero(self.changed) / self.changed.size

    @cached_property
    def window(self) -> Window:
        """The window of the small picture that holds what is to be looked at, and the coarse pixels about that."""
        return small_window(self.changed, self.planes.shape)

    def touches(self, rows: slice, columns: slice) -> bool:
        """Tell whether a window of the small picture is to be looked at."""
        return self.is_new and cv2.countNonZero(self.changed[coarse_window(rows, columns)]) > 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Registered:
    """How a frame lies beside the calibrated ground."""

    displacement: Displacement


@dataclass(frozen=True, slots=True, kw_only=True)
class Knocked(FrameDone):
    """The picture does not fit the calibration: said once, and nothing after it until it fits again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steady:
    """A frame as it would look had the camera not moved."""

    frame: Frame
    planes: SmallPlanes  # of the small picture as it was taken
    displacement: Displacement

    def small(self, window: Window = EVERYWHERE) -> Image:
        """Make its small picture, or a window of that."""
        return self.displacement.undone_small(self.planes, window)


class Registrar:
    """Remembers the calibrated ground, how the last picture lay on it, and whether the camera was knocked."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._registration: Registration | None = None
        self._found: Displacement | None = None
        self._knocks = Knocks()
        self._lean = Lean()

    def begin_again(self) -> None:
        """Hear that time may begin anew."""
        self._knocks.begin_again()

    def see(self, frame: Frame, noticed: Noticed) -> tuple[Registered, float | None]:
        """Find how a frame lies, and since when the camera has been knocked, if it is.

        Where no ground is recognised, the frame is taken to lie as the one before; one that shows nothing new does.
        """
        if self._registration is None:
            self._registration = Registration(ground_luma(self._calibration, frame.layout))
            height, width = noticed.planes.shape
            self._displacement = none_of((width, height))
        if self._registration.can_see:
            if noticed.is_new or self._registration.is_due:
                self._found = self._registration.see(noticed.planes)
            self._knocks.see(self._found, frame.t_s)
            self._lean.see(self._found, frame.t_s)
            self._displacement = self._found or self._displacement
        return Registered(displacement=self._displacement), self._knocks.moved_since_s

    @property
    def leant_small(self) -> float:
        """How far the camera has leaned since it was calibrated, in small pixels."""
        return self._lean.small


def ground_luma(calibration: Calibration, layout: Layout) -> Image:
    """Make the luma (h, w) of the calibrated ground's small picture, as a source of that layout shows it."""
    return look_at_bgr(calibration.empty_bgr, layout)[:, :, 0].copy()


def notice(frame: Frame, novelty: Novelty) -> Noticed:
    """See where a frame shows anything that was not seen there before."""
    glance = glance_at(frame)
    return Noticed(planes=glance.planes, changed=novelty.see(glance.coarse))


def register(frame: Frame, noticed: Noticed, registrar: Registrar, state: SceneState) -> Registered | Knocked:
    """Find how a frame lies on the calibrated ground; the way ends where the camera was knocked."""
    registered, moved_s = registrar.see(frame, noticed)
    if moved_s is None:
        return registered
    return Knocked(events=() if state.phase is ScenePhase.KNOCKED else (CameraMoved(t_s=moved_s),))


def steady(frame: Frame, noticed: Noticed, registered: Registered) -> Steady:
    """Show the frame as it would look had the camera not moved."""
    displacement = registered.displacement
    return Steady(frame=steadied(frame, displacement), planes=noticed.planes, displacement=displacement)
