"""Is there a cap? A small net looks at what is cut out round a place, and tells where the cap's middle truly is.

Trained by `training/caps`; no weight is set by hand. What looks like a cap and is none, such as a red leaf or a coin,
is among its lessons.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cuts import Cuts, Places
from linesies.vision.caps.net import ask, ask_both_ways

Array = NDArray[np.float64]

OFFSET_MM = 10.0  # of offsets


@dataclass(frozen=True)
class RecognisingTuning(Tuning):
    """Which of the places that the net saw are looked at again, and which are one."""

    most_second_looks: int = tuned(
        20, title="places at most that are looked at again", unit="1", low=4, high=200, source=by_hand_in("cb280b0")
    )
    worth_mirroring: float = tuned(
        -7.0,
        title="log odds of a cap, as it is seen, from which a place is first looked at mirrored too",
        unit="nat",
        low=-20,
        high=-4,
        source="by hand, on 3544 places of 18 public scenes and three simulated: four in ten lie below, none of which "
        "came over -5.2 by both looks, where -4 is worth a second one, 2026-11",
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
    """What the net says of N cuts: log odds of a cap (N,), and its middle on the board (N, 2) in mm."""

    log_odds: Array
    xy_mm: Array


def glance(cuts: Cuts) -> Recognised:
    """Look at cuts as `recognise` does, but mirrored only at what may be worth a second look."""
    if not len(cuts.planes):
        return _read(cuts, np.zeros((0, 3)))
    told = ask("sighting", cuts.planes, leans=cuts.leans)
    worth = np.flatnonzero(told[:, 0] > RECOGNISING.worth_mirroring)
    if len(worth):
        mirrored = ask("sighting", np.ascontiguousarray(cuts.planes[worth, ..., ::-1]), leans=cuts.leans[worth])
        told[worth] = _together(told[worth], mirrored)
    return _read(cuts, told)


def recognise(cuts: Cuts) -> Recognised:
    """Look at cuts, none or more, as they are and mirrored."""
    if not len(cuts.planes):
        return _read(cuts, np.zeros((0, 3)))
    return _read(cuts, _together(*ask_both_ways("sighting", cuts.planes, leans=cuts.leans)))


def _together(plain: Array, mirrored: Array) -> Array:
    return np.asarray((plain + mirrored * (1, -1, 1)) / 2, float)


def _read(cuts: Cuts, told: Array) -> Recognised:
    moved = (cuts.turns @ (OFFSET_MM * told[:, 1:, None]))[..., 0]
    return Recognised(log_odds=told[:, 0], xy_mm=cuts.xy_mm + moved)


def come_closer(recognised: Recognised) -> Places:
    """Look once more, with what may be a cap in the middle, the likeliest first."""
    worth = recognised.log_odds > RECOGNISING.worth_a_second_look
    kept: list[Array] = []
    for i in np.argsort(-recognised.log_odds):
        if worth[i] and all(np.hypot(*(recognised.xy_mm[i] - other)) > RECOGNISING.same_mm / 2 for other in kept):
            kept.append(recognised.xy_mm[i])
    return Places(xy_mm=np.array(kept[: RECOGNISING.most_second_looks], float).reshape(-1, 2))
