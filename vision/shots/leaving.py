"""Caps that have flown or rolled out of the picture, or onto paint of their own colour."""

from dataclasses import dataclass

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.arrivals import ARRIVAL, Arrived, Whereabouts, assign
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.fading import faded
from linesies.vision.shots.flights import is_leaving, is_rolling
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.movement import out_of_view
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.tracks import track_of
from linesies.vision.values import Call


@dataclass(frozen=True)
class LeavingTuning(Tuning):
    """When it is asked whether a cap has left the view, or lies on paint of its own colour."""

    faded_s: float = tuned(
        0.9,
        title="for which it must be missed to be sought on paint of its own colour",
        unit="s",
        low=0.2,
        high=10,
        source=by_hand_in("634d959"),
    )
    search_every_s: float = tuned(
        0.1,
        title="from one search for caps that have left the view to the next",
        unit="s",
        low=0.02,
        high=1,
        source=by_hand_in("9d3b1db"),
    )


LEAVING = LeavingTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gone:
    """The caps that have flown out of the picture, or onto paint of their own colour."""

    moved: tuple[Movement, ...] = ()


def leave(state: SceneState, arrived: Arrived, where: Whereabouts, latest: LatestFrames, measurer: Measurer) -> Gone:
    """Find the caps that have flown out of the picture, or onto paint of their own colour."""
    known = {arrival.player for arrival in arrived.arrivals}
    left = [cap for cap in state.missed if cap.has_left and cap.player not in known]
    if not left or not (known or latest.begins(LEAVING.search_every_s)):
        return Gone()
    coming = assign(list(where.free), left, state)
    unseen = [cap for cap in left if cap.player not in coming and cap.player not in where.on_their_way]
    found = []
    for cap in unseen:
        moved = _left_view(cap, state, measurer.view)
        if moved is None and not coming and state.t_s - (cap.missed_s or 0.0) > LEAVING.faded_s:
            moved = faded(cap, where.settled, state, latest.mean_bgr(), measurer)
            moved = None if moved is not None and _is_known(moved.call, where, measurer.view) else moved
        if moved is not None and moved.track is not None and state.t_s - moved.track.t_end_s >= ARRIVAL.unseen_s:
            found.append(moved)
    return Gone(moved=tuple(found))


def _left_view(cap: CapState, state: SceneState, view: SmallView) -> Movement | None:
    """Find the way of a cap that was last seen flying or rolling out of the picture; None when it was not."""
    track = track_of(cap, state, view)
    if not is_leaving(track, cap.cap, view.calibration.view):
        track = track_of(cap, state, view, is_any_colour=True)
        if not is_leaving(track, cap.cap, view.calibration.view) or not is_rolling(track):
            return None
    return out_of_view(cap, track, view)


def _is_known(call: Call, where: Whereabouts, view: SmallView) -> bool:
    """Tell whether what was found is a cap that is known already, or its shadow."""
    place = view.place_of(call)
    return place is None or where.is_taken(place.centre_small)
