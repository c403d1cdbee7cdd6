"""Is there a cap, and where is its middle? By what the nets see of what is cut out round a place.

What looks like a cap and is none, such as a red leaf or a coin, is among their lessons.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cuts import Cuts, Places
from linesies.vision.caps.looks import LOG_ODDS, OFFSET, Seen
from linesies.vision.caps.net import OFFSET_MM

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RecognisingTuning(Tuning):
    """Which of the places that were seen are looked at again, and which are one."""

    most_second_looks: int = tuned(
        20, title="places at most that are looked at again", unit="1", low=4, high=200, source=by_hand_in("cb280b0")
    )
    worth_a_second_look: float = tuned(
        -4.0,
        title="log odds of a cap from which a place is looked at again",
        unit="nat",
        low=-10,
        high=2,
        source=by_hand_in("cb280b0"),
    )
    same_mm: float = tuned(
        14.0,
        title="places nearer than this are one: no two caps' middles are",
        unit="mm",
        low=4,
        high=25,
        source=by_hand_in("cb280b0"),
    )


RECOGNISING = RecognisingTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recognised:
    """What the nets say of N cuts: log odds of a cap (N,), and its middle on the board (N, 2) in mm."""

    log_odds: Array
    xy_mm: Array


def recognise(cuts: Cuts, seen: Seen) -> Recognised:
    """Tell what was seen of cuts, none or more, by all nets that looked and both ways."""
    return _read(cuts, seen.told.mean(axis=(0, 1)))


def _read(cuts: Cuts, told: Array) -> Recognised:
    moved = (cuts.turns @ (OFFSET_MM * told[:, OFFSET, None]))[..., 0]
    return Recognised(log_odds=told[:, LOG_ODDS], xy_mm=cuts.xy_mm + moved)


def come_closer(recognised: Recognised) -> Places:
    """Look once more, with what may be a cap in the middle, the likeliest first."""
    worth = recognised.log_odds > RECOGNISING.worth_a_second_look
    kept: list[Array] = []
    for i in np.argsort(-recognised.log_odds):
        if worth[i] and all(np.hypot(*(recognised.xy_mm[i] - other)) > RECOGNISING.same_mm / 2 for other in kept):
            kept.append(recognised.xy_mm[i])
    return Places(xy_mm=np.array(kept[: RECOGNISING.most_second_looks], float).reshape(-1, 2))
