"""Who has come to rest: measured one a frame while it is seen whether they stay, and where all known caps lie then."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.arrivals import Arrival, arrivals_of, is_seen_on_its_way, settled_of
from linesies.vision.shots.cap_state import Measurement, StillSince
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.movement import MovementFinder
from linesies.vision.shots.neighbours import beside, covered_by
from linesies.vision.shots.nudging import Nudged
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.still_blobs import Still, Stills

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ArrivingTuning(Tuning):
    """When a cap that comes to rest is measured, and when one has left."""

    early_s: float = tuned(
        0.15, title="before a cap counts as settled, it is measured", unit="s", low=0, high=0.5, source=BY_HAND
    )
    lost_s: float = tuned(
        0.4,
        title="for which a flying cap must be out of sight to have left the view",
        unit="s",
        low=0.1,
        high=3,
        source=BY_HAND,
    )
    at_rest_radii: float = tuned(
        0.5,
        title="about where a cap came to rest, what is seen is that cap, in radii",
        unit="1",
        low=0.1,
        high=2,
        source=BY_HAND,
    )


ARRIVING = ArrivingTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """For how long a cap must keep still to have come to rest."""

    settled_s: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrived:
    """The caps that have come to rest, where they keep still, whose places they cover, and calls made on the way."""

    arrivals: tuple[Arrival, ...] = ()
    stills: Mapping[str, StillSince]
    covered: tuple[str, ...] = ()
    measured: Mapping[str, Measurement]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Whereabouts:
    """Where known caps lie (centres (2,) and radii in the small picture), what keeps still, who is still on the way."""

    taken: tuple[tuple[Array, float], ...]
    settled: tuple[Still, ...]
    on_their_way: frozenset[str]

    def is_taken(self, xy_small: Array) -> bool:
        """Tell whether a known cap lies at a point (2,)."""
        return any(is_within(xy_small, disc) for disc in self.taken)


def arrive(
    state: SceneState, nudged: Nudged, stills: Stills, latest: LatestFrames, finder: MovementFinder, patience: Patience
) -> Arrived:
    """Find the caps that came to rest elsewhere; where none is missed, those that were nudged."""
    if nudged.arrivals or not stills.now or state.t_s < state.hold_s:
        return Arrived(arrivals=nudged.arrivals, stills={}, measured=nudged.measured)
    coming = arrivals_of(stills.now, state, settled_s=patience.settled_s - ARRIVING.early_s)
    measured = {}
    for arrival in coming:
        cap = state.caps[arrival.player]
        if cap.measured_at(arrival.xy_small) is None:
            others = beside(arrival, coming, state)
            call = finder.call_at(cap.cap, arrival.xy_small, latest.mean_bgr(), others)
            measured[arrival.player] = Measurement(xy_small=arrival.xy_small, call=call)
            break
    arrivals = arrivals_of(stills.now, state, settled_s=patience.settled_s) if coming else []
    return Arrived(
        arrivals=tuple(arrivals),
        stills={arrival.player: _still_since(arrival, stills.radius_small) for arrival in arrivals},
        covered=tuple(covered_by(arrivals, state)),
        measured=measured,
    )


def whereabouts(state: SceneState, arrived: Arrived, stills: Stills, patience: Patience) -> Whereabouts:
    """Tell where no cap needs to be looked for, and which need not be, for they are seen on their way."""
    resting = [
        (cap.place.centre_small, cap.place.radius_small) for cap in state.placed if cap.place and not cap.is_missed
    ]
    settled = settled_of(stills.now, state.t_s, patience.settled_s)
    since_s = state.t_s - max(patience.settled_s, ARRIVING.lost_s)
    left = (cap for cap in state.caps.values() if cap.has_left)
    return Whereabouts(
        taken=(*resting, *((arrival.xy_small, stills.radius_small) for arrival in arrived.arrivals)),
        settled=tuple(settled),
        on_their_way=frozenset(cap.player for cap in left if is_seen_on_its_way(cap, state, since_s, settled)),
    )


def is_within(xy_small: Array, disc: tuple[Array, float]) -> bool:
    """Tell whether a point (2,) lies in a disc."""
    return bool(np.hypot(*(xy_small - disc[0])) < disc[1])


def _still_since(arrival: Arrival, radius_small: float) -> StillSince:
    x, y = map(float, arrival.xy_small)
    return StillSince(xy_small=(x, y), reach_small=ARRIVING.at_rest_radii * radius_small, since_s=arrival.since_s)
