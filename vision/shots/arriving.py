"""Who has come to rest: measured one a frame while it is seen whether they stay."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.arrivals import Arrival, arrivals_of
from linesies.vision.shots.cap_state import Measurement, StillSince
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.movement import MovementFinder
from linesies.vision.shots.neighbours import beside, covered_by
from linesies.vision.shots.nudging import Nudged
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.still_blobs import Stills

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ArrivingTuning(Tuning):
    """When a cap that comes to rest is measured, and what is seen of it."""

    early_s: float = tuned(
        0.15, title="before a cap counts as settled, it is measured", unit="s", low=0, high=0.5, source=BY_HAND
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
    reach_small = ARRIVING.at_rest_radii * stills.radius_small
    return Arrived(
        arrivals=tuple(arrivals),
        stills={
            arrival.player: StillSince.of(arrival.xy_small, reach_small=reach_small, since_s=arrival.since_s)
            for arrival in arrivals
        },
        covered=tuple(covered_by(arrivals, state)),
        measured=measured,
    )
