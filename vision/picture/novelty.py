"""Where does a picture show anything that was not there when that place was last looked at? Most show nothing new."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Image
from linesies.vision.picture.glance import COARSE
from linesies.vision.picture.layout import EVERYWHERE, Window

SAME_LEVELS = 1  # of that mean: a cap that creeps by a tenth of a small pixel changes more at its edge
NOISE_LEVELS = 2  # by which single coarse pixels stray by chance, 60 a frame of a simulated camera of 2304x1296
FEWEST = 3  # such pixels among nine that are no chance (four such places a frame there): a cap's edge spans as many
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
        changed = _without_noise(cv2.max(apart[0], cv2.max(apart[1], apart[2])))
        for seen, now in zip(self._seen, coarse, strict=True):
            cv2.copyTo(now, changed, seen)
        return changed

    def forget(self) -> None:
        """Have the whole next picture looked at, whatever it shows."""
        self._seen = None


def _without_noise(apart: Image) -> Mask:
    """Mark what is far enough apart, but for what hardly is and lies alone: that waits for its neighbours."""
    changed = cv2.compare(apart, SAME_LEVELS, cv2.CMP_GT)
    is_many = cv2.compare(cv2.blur(changed, (3, 3), borderType=cv2.BORDER_CONSTANT), 255 * FEWEST // 9 - 1, cv2.CMP_GT)
    is_clear = cv2.max(is_many, cv2.compare(apart, NOISE_LEVELS, cv2.CMP_GT))
    return cv2.min(changed, cv2.dilate(is_clear, np.ones((3, 3), np.uint8)))


def small_window(changed: Mask, shape: tuple[int, ...]) -> Window:
    """Choose the window of a small picture (h, w) that holds the marked coarse pixels and those about them."""
    if changed.all():
        return EVERYWHERE
    left, top, width, height = cv2.boundingRect(changed)
    ends = ((top, top + height, shape[0]), (left, left + width, shape[1]))
    rows, columns = (
        slice(max(first - 1, 0) * COARSE, side if (last + 2) * COARSE > side else (last + 1) * COARSE)
        for first, last, side in ends
    )
    return rows, columns


def coarse_window(rows: slice, columns: slice) -> tuple[slice, slice]:
    """Tell which coarse pixels a window of the small picture touches."""
    first, last = (slice(one.start // COARSE, -(-one.stop // COARSE)) for one in (rows, columns))
    return first, last
