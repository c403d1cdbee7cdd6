"""Caps beside caps: who lies where another lay, and who lies where nothing else can."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cap import Cap
from linesies.vision.shots.arrivals import Arrival
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.place import PLACE, Place
from linesies.vision.shots.scene_state import SceneState

Array = NDArray[np.float64]


def beside(arrival: Arrival, arrivals: Iterable[Arrival], state: SceneState) -> list[tuple[Cap, Array]]:
    """List all other caps with where they are in the small picture: those in their places, and who else arrived."""
    places = {cap.player: cap.place.centre_small for cap in state.placed if cap.place and not cap.is_missed}
    places |= {other.player: other.xy_small for other in arrivals}
    return [(state.caps[p].cap, np.array(xy_small)) for p, xy_small in places.items() if p != arrival.player]


def covered_by(arrivals: Iterable[Arrival], state: SceneState) -> list[str]:
    """List whose old places others seem to have come to rest in: they are not there any more."""
    arrived = {arrival.player: arrival.xy_small for arrival in arrivals}
    return [
        cap.player
        for cap in state.placed
        if cap.place is not None
        and cap.player not in arrived
        and any(cap.place.is_within(xy, radii=2 * PLACE.overlap) for xy in arrived.values())
    ]


def displaced_by(moved: Iterable[Movement], state: SceneState) -> list[str]:
    """List whose caps can't lie any more where they lay, for others lie there now."""
    found = list(moved)
    known = {m.player for m in found}
    lying = [m for m in found if m.is_measured and not m.has_left_view]
    return [
        cap.player
        for cap in state.placed
        if cap.place is not None and cap.player not in known and any(_is_over(m, cap.place) for m in lying)
    ]


def _is_over(m: Movement, place: Place) -> bool:
    reach_mm = PLACE.overlap * (m.call.diameter_mm + place.cap.diameter_mm) / 2
    return float(np.hypot(m.call.xy_mm[0] - place.xy_mm[0], m.call.xy_mm[1] - place.xy_mm[1])) < reach_mm
