"""Caps that come to rest are measured, one a frame, while it is seen whether they stay."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cap import Cap
from linesies.vision.shots.arrival import Arrival
from linesies.vision.shots.arrivals import Arrived
from linesies.vision.shots.cap_state import Measurement
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.scene_state import SceneState

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Calls on caps that have come to rest, made before it is sure that they stay."""

    calls: Mapping[str, Measurement]


def measure(state: SceneState, arrived: Arrived, latest: LatestFrames, measurer: Measurer) -> Measured | None:
    """Measure the first of those that come to rest of which no call was made there yet."""
    for arrival in arrived.coming:
        cap = state.caps[arrival.player]
        if cap.measured_at(arrival.xy_small) is None:
            others = beside(arrival, arrived.coming, state)
            call = measurer.call_at(cap.cap, arrival.xy_small, latest.mean_bgr(), others)
            return Measured(calls={arrival.player: Measurement(xy_small=arrival.xy_small, call=call)})
    return None


def beside(arrival: Arrival, arrivals: Iterable[Arrival], state: SceneState) -> list[tuple[Cap, Array]]:
    """List all other caps with where they are in the small picture: those in their places, and who else arrived."""
    places = {player: place.centre_small for player, place in state.lain_in.items()}
    places |= {other.player: other.xy_small for other in arrivals}
    return [(state.caps[p].cap, np.array(xy_small)) for p, xy_small in places.items() if p != arrival.player]
