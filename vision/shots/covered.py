"""Where hands have been: what has changed by itself was moved by something else.

Nothing new lies on the ground unless a hand brought it there, or it came by itself. A hand that puts a cap down lies
over the ground about it, in whatever light and in however many pieces it is seen.
"""

from dataclasses import dataclass
from math import inf

import cv2
import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.masks import Mask
from linesies.vision.shots.flights import FLIGHT
from linesies.vision.shots.place import Place, Surroundings


@dataclass(frozen=True)
class CoveredTuning(Tuning):
    """Whether a hand was in a place."""

    hand_share: float = tuned(
        0.25,
        title="of the ground about a cap, what a hand has covered that laid it there",
        unit="1",
        low=0.05,
        high=0.9,
        source="0.45 to 1.0 of 15 caps laid by hand on the public films, 0.32 and 0.40 of two drawn ones held at the "
        "fingertips (`tests/test_watch_shots.py`); 0.1 to 0.57 of 76 that went by themselves, 0.23 in the middle, most "
        "where others moved beside them; 2026-11-30",
    )


COVERED = CoveredTuning()


class Covered:
    """Remembers when each part of the small picture last showed what neither ground nor resting caps explain."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._last_s = np.full(shape, -inf)
        self._leftover = np.zeros(shape, np.uint8)
        self._seen_s = -inf

    def see(self, leftover: Mask | None, t_s: float) -> None:
        """Note what of a picture is unexplained; None: what was so in the last."""
        self._leftover = self._leftover if leftover is None else leftover
        if not 0 <= t_s - self._seen_s <= FLIGHT.quickest_hand_s:  # meanwhile a hand may have come and gone
            self._last_s[:] = t_s
        x, y, width, height = cv2.boundingRect(self._leftover)
        window = (slice(y, y + height), slice(x, x + width))
        self._last_s[window][self._leftover[window] > 0] = t_s
        self._seen_s = t_s

    def has_been_handled(self, place: Place, after_s: float) -> bool:
        """Tell whether a hand may have been in a place after a time: it was covered, or not looked at."""
        about = Surroundings.of(place)
        last_s = self._last_s[about.rows, about.columns]
        ring = about.ring[: last_s.shape[0], : last_s.shape[1]]
        return bool(np.count_nonzero(last_s[ring] > after_s) >= COVERED.hand_share * np.count_nonzero(ring))
