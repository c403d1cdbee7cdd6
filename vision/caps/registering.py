"""How a picture lies on that of the empty board: poles sway, cameras are nudged, and pictures move with them.

A fraction of a pixel is minded where a cap is measured. More than that, and the picture is brought back. A picture that
shows no known ground tells nothing: a cap seen in it would lie anywhere.
"""

from dataclasses import dataclass

from linesies.calibration import Calibration
from linesies.calibration.drawing import corners_mm
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.colouring import grey_of
from linesies.vision.picture.displacement import Displacement
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.layout import Image
from linesies.vision.values import Judgement

BY_TRIAL = "by hand, on public scenes shifted and turned by 0.5 to 60 pixels, 2026-11"


@dataclass(frozen=True)
class RegisteringTuning(Tuning):
    """How far beside the empty picture one may lie."""

    most_minded_px: float = tuned(
        1.0,
        title="by which a picture may be displaced and is judged as it is",
        unit="px",
        low=0,
        high=4,
        source=BY_TRIAL,
    )
    most_brought_back_px: float = tuned(
        4.0,
        title="by which one may be displaced and is brought back; or a camera moved, if no ground is known again",
        unit="px",
        low=2,
        high=60,
        source=BY_TRIAL,
    )


REGISTERING = RegisteringTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """How a picture lies on the empty one: displaced by so much; None where no ground is known again.

    One that `is_trusted` then is taken to lie as the empty one: the ground has no texture, or its paint lies there.
    """

    displacement: Displacement | None
    is_trusted: bool

    @property
    def is_near(self) -> bool:
        """Whether the picture may be judged as it is."""
        return self._is_within(REGISTERING.most_minded_px)

    @property
    def is_lost(self) -> bool:
        """Whether it cannot be brought back either."""
        return not self._is_within(REGISTERING.most_brought_back_px)

    def brought_back(self, picture_bgr: Image) -> Image:
        """Lay a picture (H, W, 3) where the empty one lies, but for what is minded where a cap is measured."""
        return picture_bgr if self.displacement is None or self.is_near else self.displacement.undone(picture_bgr)

    def _is_within(self, most_px: float) -> bool:
        return self.is_trusted if self.displacement is None else self.displacement.most <= most_px


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Photo:
    """A picture (H, W, 3) as the camera took it."""

    bgr: Image


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LaidPicture:
    """A picture (H, W, 3) laid on the empty one."""

    bgr: Image


def align(picture_bgr: Image, landmarks: Landmarks, *, moved_px: float | None) -> Alignment:
    """Find how a picture (H, W, 3) lies on the empty one, to which it may have been moved already, by its paint.

    A fence's shadow that wanders hides all grain of the ground, and the paint alone is trusted. But of a camera moved
    far some grain must be known again: a picture that was cropped or stretched shows paint as well.
    """
    is_laid = moved_px is not None and moved_px <= REGISTERING.most_brought_back_px
    found = landmarks.find(grey_of(picture_bgr))
    return Alignment(displacement=found, is_trusted=is_laid or not landmarks.can_tell)


def lay(photo: Photo, alignment: Alignment, calibration: Calibration) -> LaidPicture | Judgement:
    """Lay a picture on the empty one; the way ends where that cannot be done: nothing of the board is seen."""
    if alignment.is_lost:
        whole = tuple((float(x), float(y)) for x, y in corners_mm(calibration.board))
        return Judgement(caps=(), unknown=(), not_seen_mm=(whole,), is_registered=False)
    return LaidPicture(bgr=alignment.brought_back(photo.bgr))
