"""A cap at rest in a new place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.shots.flights import stopping_s
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.tracks import End, track_of
from linesies.vision.values import Call


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrival:
    """A cap at rest in a new place (small picture), since when; `is_clear` when it looks just like that cap."""

    player: str
    xy_small: NDArray[np.float64]
    since_s: float
    is_clear: bool = False


def arrival_of(call: Call, state: SceneState, view: SmallView) -> Arrival:
    """Take a cap that was found for arrived: since it was last seen on its way, or since it was missed."""
    cap = state.caps[str(call.player)]
    if cap.place is None:
        track = track_of(cap, state, view, End(t_s=state.t_s, xy_mm=call.xy_mm), back_s=state.t_s - state.told_s)
        since_s = track.t_end_s
    else:
        track = track_of(cap, state, view)
        way_mm = float(np.hypot(*(np.array(call.xy_mm) - cap.place.xy_mm)))
        soonest_s = track.t_start_s + stopping_s(way_mm)
        unseen_s = min(state.t_s, soonest_s) if state.left_at_once(cap) else state.t_s
        since_s = track.t_end_s if len(track.t_s) > 1 else unseen_s
    xy_small = view.to_small(cap.cap, np.array([call.xy_mm]))[0]
    return Arrival(player=cap.player, xy_small=xy_small, since_s=since_s)
