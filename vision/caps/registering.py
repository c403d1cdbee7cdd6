"""How a picture lies on that of the empty board: poles sway, and pictures move with them."""

from linesies.calibration import Calibration
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.veil import Clear
from linesies.vision.picture.colouring import grey_of
from linesies.vision.picture.landmarks import Landmarks


def register(clear: Clear, calibration: Calibration, landmarks: Landmarks) -> BeforeAndNow:
    """Find how a picture lies on the empty one."""
    displacement = landmarks.find(grey_of(clear.bgr))
    return BeforeAndNow(now=clear.bgr, empty=calibration.empty_bgr, displacement=displacement)
