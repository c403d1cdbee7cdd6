"""Where does a picture show anything that was not there when that place was last looked at? Most show nothing new."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Image
from linesies.vision.picture.glance import COARSE

SAME_LEVELS = 1  # of that mean: a cap that creeps by a tenth of a small pixel changes more at its edge
Mask = NDArray[np.uint8]


class Novelty:
    """Remembers how each place looked when it was last looked at, coarsely: so that what creeps is noticed too."""

    def __init__(self) -> None:
        self._seen: Image | None = None

    def see(self, coarse: Image) -> Mask:
        """Mark (255) the coarse pixels (3, h, w) of a frame that are to be looked at; they count as seen."""
        if self._seen is None:
            self._seen = coarse.copy()
            return np.full(coarse.shape[1:], 255, np.uint8)
        if cv2.norm(self._seen, coarse, cv2.NORM_INF) <= SAME_LEVELS:
            return np.zeros(coarse.shape[1:], np.uint8)
        apart = cv2.absdiff(self._seen, coarse)
        changed = cv2.compare(cv2.max(apart[0], cv2.max(apart[1], apart[2])), SAME_LEVELS, cv2.CMP_GT)
        for seen, now in zip(self._seen, coarse, strict=True):
            cv2.copyTo(now, changed, seen)
        return changed

    def forget(self) -> None:
        """Have the whole next picture looked at, whatever it shows."""
        self._seen = None


def coarse_window(rows: slice, columns: slice) -> tuple[slice, slice]:
    """Tell which coarse pixels a window of the small picture touches."""
    first, last = (slice(one.start // COARSE, -(-one.stop // COARSE)) for one in (rows, columns))
    return first, last
