"""Caps that lay by the picture's border and were knocked over it at once."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.arrival import Arrival
from linesies.vision.shots.arrivals import Arrived, Whereabouts, covered_by
from linesies.vision.shots.cap_state import PHASES, CapState
from linesies.vision.shots.ends import InSight
from linesies.vision.shots.leaving import Gone
from linesies.vision.shots.missing import Searched
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.movement import out_of_view
from linesies.vision.shots.place import PLACE, Place
from linesies.vision.shots.scene_state import SCENE_TUNING, SceneState
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.track import Track
from linesies.vision.shots.tracks import track_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BorderTuning(Tuning):
    """Which caps can have left the picture without being seen on their way."""

    struck_s: float = tuned(
        0.5,
        title="in which a cap slides on from where it struck another",
        unit="s",
        low=0.05,
        high=3,
        source="physics: a cap of 1 m/s comes to rest in 0.5 s (FlightTuning.friction_mm_s2)",
    )
    nearest_radii: float = tuned(
        5.0,
        title="how near the border a cap lay that can leave unseen, in radii",
        unit="1",
        low=0.5,
        high=15,
        source=BY_HAND,
    )
    gone_diameters: float = tuned(
        4.0,
        title="how far from its place a cap is seen that has not left over the border, in diameters",
        unit="1",
        low=1,
        high=20,
        source=by_hand_in("0679fce"),
    )


BORDER = BorderTuning()


def over_border(
    state: SceneState, arrived: Arrived, gone: Gone, sought: Searched, where: Whereabouts, view: SmallView
) -> InSight:
    """Find the caps that lay by the picture's border and were knocked out of it by those that are to be told of.

    These have arrived just now, or are known to have moved.
    """
    ends = InSight(arrivals=(*arrived.arrivals, *sought.arrivals), gone=gone.moved)
    starts_s = ends.set_off_s(state)
    if not starts_s:  # alone, a cap was rather taken up by a hand, as one that was gone before
        return ends
    places = [view.to_mm(state.caps[a.player].cap, np.array([a.xy_small])) for a in ends.arrivals]
    places += [np.array([m.call.xy_mm]) for m in ends.moved(state) if not m.has_left_view]
    taken_mm = np.vstack([np.empty((0, 2)), *places])
    known = ends.players(state) | where.on_their_way
    left = [cap for cap in state.missed if cap.has_left and cap.player not in known]
    found = [
        knocked_over(cap, state, view, is_struck=is_struck(cap, ends.arrivals, state), taken_mm=taken_mm)
        for cap in left
        if cap.missed_s is not None and cap.missed_s > min(starts_s) - SCENE_TUNING.together_s
    ]
    return replace(ends, gone=(*gone.moved, *(one for one in found if one is not None)))


def is_struck(cap: CapState, arrivals: Iterable[Arrival], state: SceneState) -> bool:
    """Tell whether another cap came to rest where this one lay just before."""
    left_s = cap.missed_s or 0.0
    return cap.player in covered_by([a for a in arrivals if a.since_s - left_s < BORDER.struck_s], state)


def knocked_over(
    cap: CapState, state: SceneState, view: SmallView, *, is_struck: bool, taken_mm: Array
) -> Movement | None:
    """Find the way of a cap that lay by the picture's border and was gone at once, out of the nearest side.

    None when it may have been taken up by a hand, which covers it first, unless another cap that came to its place
    has struck it; and when it was seen elsewhere since, but for where others lie now: `taken_mm` (N, 2).
    """
    if cap.place is None or cap.left_s is None:
        return None
    there_s = cap.last_there_s or 0.0
    seen_mm = track_of(cap, state, view).xy_mm
    is_own = (np.hypot(*(seen_mm[:, None] - taken_mm[None]).T) > cap.cap.diameter_mm).all(axis=0)
    gone_mm = float(np.hypot(*(seen_mm[is_own] - cap.place.xy_mm).T).max(initial=0.0))
    seen_px = _seen_px(cap.place, view)
    way_px, room_px = _to_border_px(seen_px, view)
    if (
        (cap.left_s - there_s > PHASES.abrupt_s and not is_struck)
        or gone_mm > BORDER.gone_diameters * cap.cap.diameter_mm
        or room_px > BORDER.nearest_radii * cap.place.radius_px
    ):
        return None
    out_px = seen_px + way_px * (1 + 2 * cap.place.radius_px / max(room_px, 1.0))
    out_mm = view.calibration.view.px_to_mm(out_px[None], PLACE.seen_height * cap.cap.height_mm)[0]
    track = Track(
        player=cap.player,
        radius_mm=cap.cap.diameter_mm / 2,
        t_s=np.array([there_s, min(cap.left_s, there_s + PHASES.abrupt_s)]),
        xy_mm=np.vstack([cap.place.xy_mm, out_mm]),
        is_free=np.zeros(2, bool),
    )
    return out_of_view(cap, track, view)


def _seen_px(place: Place, view: SmallView) -> Array:
    """Where the middle of a cap that lies in a place is seen (2,)."""
    return view.calibration.view.mm_to_px(np.array([place.xy_mm]), PLACE.seen_height * place.cap.height_mm)[0]


def _to_border_px(seen_px: Array, view: SmallView) -> tuple[Array, float]:
    """Find the shortest way (2,) from a point of the picture (2,) to its border, and its length."""
    width, height = view.calibration.view.lens.size_px
    ways_px = [(-seen_px[0], 0), (width - seen_px[0], 0), (0, -seen_px[1]), (0, height - seen_px[1])]
    way_px = min(np.array(ways_px), key=lambda way: float(np.hypot(*way)))
    return way_px, float(np.hypot(*way_px))
