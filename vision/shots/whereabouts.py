"""Where all known caps lie, and who is still on the way."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.arrivals import is_seen_on_its_way, settled_of
from linesies.vision.shots.arriving import Arrived, Patience
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.still_blobs import Still, Stills

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WhereaboutsTuning(Tuning):
    """When a cap on its way has left."""

    lost_s: float = tuned(
        0.4,
        title="for which a flying cap must be out of sight to have left the view",
        unit="s",
        low=0.1,
        high=3,
        source=BY_HAND,
    )


WHEREABOUTS = WhereaboutsTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Whereabouts:
    """Where known caps lie (centres (2,) and radii in the small picture), what keeps still, who is still on the way."""

    taken: tuple[tuple[Array, float], ...]
    settled: tuple[Still, ...]
    on_their_way: frozenset[str]

    def is_taken(self, xy_small: Array) -> bool:
        """Tell whether a known cap lies at a point (2,)."""
        return any(is_within(xy_small, disc) for disc in self.taken)


def whereabouts(state: SceneState, arrived: Arrived, stills: Stills, patience: Patience) -> Whereabouts:
    """Tell where no cap needs to be looked for, and which need not be, for they are seen on their way."""
    resting = [
        (cap.place.centre_small, cap.place.radius_small) for cap in state.placed if cap.place and not cap.is_missed
    ]
    settled = settled_of(stills.now, state.t_s, patience.settled_s)
    since_s = state.t_s - max(patience.settled_s, WHEREABOUTS.lost_s)
    left = (cap for cap in state.caps.values() if cap.has_left)
    return Whereabouts(
        taken=(*resting, *((arrival.xy_small, stills.radius_small) for arrival in arrived.arrivals)),
        settled=tuple(settled),
        on_their_way=frozenset(cap.player for cap in left if is_seen_on_its_way(cap, state, since_s, settled)),
    )


def is_within(xy_small: Array, disc: tuple[Array, float]) -> bool:
    """Tell whether a point (2,) lies in a disc."""
    return bool(np.hypot(*(xy_small - disc[0])) < disc[1])
