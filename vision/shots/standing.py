"""Where does a camera stand whose film begins? Somebody may have touched it since the board was calibrated."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

import numpy as np

from linesies.calibration import Calibration, follow
from linesies.vision.picture.displacement import Displacement
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.knocks import CALIBRATED, Stretch
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.small_picture import small_planes
from linesies.vision.shots.registering import ground_luma

LOOKED_AT_S = 1.5  # in which a pole that sways shows how far
FEWEST = 5  # pictures that show it


def where_it_stands(frames: Iterable[Frame], calibration: Calibration) -> Calibration:
    """Look at a source's first moments, and give the calibration of where the camera stands.

    It is the one given, unless the picture lies elsewhere all the while and the board is found in it.
    """
    landmarks, lies = None, []
    for frame in takewhile(lambda frame: frame.t_s <= LOOKED_AT_S, frames):
        landmarks = landmarks or Landmarks(ground_luma(calibration, frame.layout))
        if not landmarks.can_tell:
            return calibration
        lies.append((frame.t_s, landmarks.find(small_planes(frame).luma)))
    if len(lies) < FEWEST or _lies_as_calibrated(lies):
        return calibration
    found = follow(calibration, frame.bgr)
    return found if isinstance(found, Calibration) else calibration


def _lies_as_calibrated(lies: Sequence[tuple[float, Displacement | None]]) -> bool:
    """Tell whether most pictures show the ground, and where it should be, but for the sway."""
    places = [(t_s, one.at_corners) for t_s, one in lies if one is not None]
    if 2 * len(places) < len(lies):
        return False
    return not Stretch.of(places).is_elsewhere(CALIBRATED, np.zeros((5, 2)))
