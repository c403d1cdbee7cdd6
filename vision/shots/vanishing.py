"""Caps that went by themselves into light that blinds, where nobody sees them come to rest."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.arrivals import ARRIVAL, Whereabouts, assign
from linesies.vision.shots.blinding import BESIDE_RADII, is_blinded
from linesies.vision.shots.border import BORDER, is_struck
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.ends import Ends, InSight
from linesies.vision.shots.flights import FLIGHT, has_flown, is_carried, is_mostly_free, stopping_s
from linesies.vision.shots.measurer import unmeasured
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.scene_state import SCENE_TUNING, SceneState
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.track import Track
from linesies.vision.shots.tracks import track_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class VanishingTuning(Tuning):
    """When a cap that is seen no more has gone into light that blinds, and how its way goes on there."""

    unseen_s: float = tuned(
        1.0,
        title="for which it must be missed",
        unit="s",
        low=0.3,
        high=5,
        source="by what it says: what comes to rest in glare is known 0.7 s later (Patience, ClosingTuning.clear_s)",
    )
    last_s: float = tuned(
        0.05,
        title="of its sightings, by which it is reckoned how fast it went at last",
        unit="s",
        low=0.01,
        high=0.3,
        source="sampling: three frames of 60 a second, in which a cap of 1 m/s slows by a tenth",
    )


VANISHING = VanishingTuning()
STEPS_A_RADIUS = 2  # in which light that blinds is looked for along a way
TURNS = 16  # in which it is looked for about a cap


def vanish(state: SceneState, seen: InSight, where: Whereabouts, scenery: Scenery, view: SmallView) -> Ends:
    """Find the caps that went into light that blinds, beside those whose ways ended in sight."""
    found = _vanished(state, seen, where, scenery, view) if scenery.is_blinded else []
    return Ends(arrivals=seen.arrivals, gone=(*seen.gone, *found))


def _vanished(
    state: SceneState, seen: InSight, where: Whereabouts, scenery: Scenery, view: SmallView
) -> list[Movement]:
    starts_s = seen.set_off_s(state)
    known = seen.players(state) | where.on_their_way
    left = [cap for cap in state.missed if cap.has_left and cap.player not in known]
    left = [cap for cap in left if state.t_s - (cap.missed_s or 0.0) > VANISHING.unseen_s]
    coming = assign(list(where.free), left, state)
    found = []
    for cap in (one for one in left if one.player not in coming):
        is_alone = not starts_s or (cap.missed_s or 0.0) <= min(starts_s) - SCENE_TUNING.together_s
        track = track_of(cap, state, view)
        m = _flown_in(cap, track, state, scenery, view, is_alone=is_alone)
        if m is None and not is_alone:
            m = _struck_in(cap, track, state, scenery, view, is_struck=is_struck(cap, seen.arrivals, state))
        found += [] if m is None else [m]
    return found


def _flown_in(
    cap: CapState, track: Track, state: SceneState, scenery: Scenery, view: SmallView, *, is_alone: bool
) -> Movement | None:
    """Find the way of a cap that was last seen going into light that blinds, to where friction or its rim stops it.

    None where it was not seen going by itself, or not up to that light. One that left `is_alone` must have
    been seen so on most of its way: a hand may have taken it there.
    """
    is_free = is_mostly_free(track) if is_alone else has_flown(track)
    if not is_free or is_carried(track) or state.t_s - track.t_end_s < ARRIVAL.unseen_s:
        return None
    at_mm = _last_hidden_mm(_ahead_mm(track), lambda xy_mm: is_blinded(cap, xy_mm[None], scenery, view))
    return None if at_mm is None else _into_light(cap, track, at_mm, view)


def _last_hidden_mm(ahead_mm: Array, is_hidden: Callable[[Array], bool]) -> Array | None:
    """Find the last of some points ahead (N, 2) before what goes there is seen again; None where it is seen soon."""
    at_mm = None
    for number, xy_mm in enumerate(ahead_mm):
        if is_hidden(xy_mm):
            at_mm = xy_mm
        elif at_mm is not None or number >= BESIDE_RADII * STEPS_A_RADIUS:
            break
    return at_mm


def _struck_in(
    cap: CapState, track: Track, state: SceneState, scenery: Scenery, view: SmallView, *, is_struck: bool
) -> Movement | None:
    """Find the way of a cap that lay by light that blinds and was gone at once, to the nearest point of that.

    None when it may have been taken up by a hand, which covers it first, unless another cap that came to its place has
    struck it.
    """
    if cap.place is None or not (is_struck or state.left_at_once(cap)):
        return None
    turns = np.linspace(0, 2 * np.pi, TURNS, endpoint=False)
    for radii in np.arange(1, BORDER.nearest_radii + 1):
        away_mm = radii * cap.cap.diameter_mm / 2 * np.column_stack([np.cos(turns), np.sin(turns)])
        hidden_mm = [xy for xy in cap.place.xy_mm + away_mm if is_blinded(cap, xy[None], scenery, view)]
        if hidden_mm:
            return _into_light(cap, track, hidden_mm[0], view)
    return None


def _into_light(cap: CapState, track: Track, xy_mm: Array, view: SmallView) -> Movement:
    """Say of a cap that it went out of sight into light that blinds, where it may lie about a point (2,)."""
    left_mm = float(np.hypot(*(xy_mm - track.xy_mm[-1])))
    stop_s = track.t_end_s + stopping_s(left_mm)
    way = replace(
        track,
        t_s=np.append(track.t_s, stop_s),
        xy_mm=np.vstack([track.xy_mm, xy_mm]),
        is_free=np.append(track.is_free, False),
    )
    return Movement(
        call=unmeasured(cap.cap, xy_mm, view),
        from_mm=None if cap.place is None else cap.place.xy_mm,
        track=way if left_mm > 0 else track,
        cause=MovementCause.VANISHED,
        is_measured=False,
    )


def _ahead_mm(track: Track) -> Array:
    """Lay points (N, 2) from where a cap was last seen on to where friction stops it."""
    last = track.t_s >= track.t_end_s - VANISHING.last_s
    first = min(int(np.flatnonzero(last)[0]), len(track.t_s) - 2)
    took_s = max(track.t_end_s - float(track.t_s[first]), 1e-6)
    way_mm = track.xy_mm[-1] - track.xy_mm[first]
    far_mm = float(np.hypot(*way_mm))
    left_mm = (far_mm / took_s) ** 2 / (2 * FLIGHT.friction_mm_s2)
    steps_mm = np.arange(0.0, left_mm + 1e-9, track.radius_mm / STEPS_A_RADIUS)
    return np.asarray(track.xy_mm[-1] + steps_mm[:, None] * way_mm / max(far_mm, 1e-9), float)
