"""Is there a cap? A small net looks at what is cut out round a place, and tells where the cap's middle truly is.

Trained by `training/caps`; no weight is set by hand. What looks like a cap and is none, such as a red leaf or a coin,
is among its lessons.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cuts import Cuts, Places
from linesies.vision.caps.net import ask

Array = NDArray[np.float64]

OFFSET_MM = 10.0  # of offsets
WORTH_A_SECOND_LOOK = -4.0  # log odds
MOST_SECOND_LOOKS = 20
SAME_MM = 14.0  # places nearer than this are one: no two caps' middles are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recognised:
    """What the net says of N cuts: log odds of a cap (N,), and its middle on the board (N, 2) in mm."""

    log_odds: Array
    xy_mm: Array


def recognise(cuts: Cuts) -> Recognised:
    """Look at cuts, none or more, as they are and mirrored."""
    planes, leans = cuts.planes, cuts.leans
    if not len(planes):
        return Recognised(log_odds=np.zeros(0), xy_mm=np.zeros((0, 2)))
    plain, mirrored = (ask("sighting", one, leans=leans) for one in (planes, np.ascontiguousarray(planes[..., ::-1])))
    told = (plain + mirrored * (1, -1, 1)) / 2
    offsets_mm = OFFSET_MM * told[:, 1:]
    moved = [xy + turn @ off for xy, turn, off in zip(cuts.xy_mm, cuts.turns, offsets_mm, strict=True)]
    return Recognised(log_odds=told[:, 0], xy_mm=np.array(moved, float))


def come_closer(recognised: Recognised) -> Places:
    """Look once more, with what may be a cap in the middle, the likeliest first."""
    worth = recognised.log_odds > WORTH_A_SECOND_LOOK
    kept: list[Array] = []
    for i in np.argsort(-recognised.log_odds):
        if worth[i] and all(np.hypot(*(recognised.xy_mm[i] - other)) > SAME_MM / 2 for other in kept):
            kept.append(recognised.xy_mm[i])
    return Places(xy_mm=np.array(kept[:MOST_SECOND_LOOKS], float).reshape(-1, 2))
