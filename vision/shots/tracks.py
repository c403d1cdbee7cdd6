"""One cap through time: from the place that it left to the place where it came to rest.

Told afterwards, when both ends are known: of all chains of blobs between them the one that looks most like this cap
and makes the fewest detours.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.shots.blobs import Blob
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.latest_frames import USUAL_FRAME_S
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.track import TRACK, Track

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FollowTuning(Tuning):
    """Which blobs are taken for a cap on its way, and what its way may be."""

    fastest_mm_s: float = tuned(
        4500.0, title="fastest that a finger flicks a cap", unit="mm/s", low=1000, high=20000, source=ON_FILMS
    )
    reach_mm: float = tuned(
        25.0,
        title="how far a blob's centre may be off beside a hand or another cap",
        unit="mm",
        low=5,
        high=100,
        source=by_hand_in("cd19fdd"),
    )
    longest_gap_s: float = tuned(
        0.2,
        title="for which a cap may be out of sight within one flight",
        unit="s",
        low=0.02,
        high=1,
        source=by_hand_in("cd19fdd"),
    )
    likely_misfit: float = tuned(
        0.75, title="misfit above which a blob is not this cap", unit="1", low=0.2, high=1, source=by_hand_in("cd19fdd")
    )
    any_colour_doubt: float = tuned(
        0.5,
        title="most doubt of a blob that may be a cap on its edge",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("8ca4dea"),
    )
    fill_doubt: float = tuned(
        0.25, title="doubt of a blob e times as large as the cap", unit="1", low=0, high=1, source=by_hand_in("87175e9")
    )
    detour_cost: float = tuned(
        0.25,
        title="cost of each cap's diameter travelled, in sightings at 60 a second",
        unit="1",
        low=0.01,
        high=2,
        source=by_hand_in("cd19fdd"),
    )
    hidden_cost: float = tuned(
        4.0,
        title="cost of a way between hand and sight, in sightings at 60 a second",
        unit="1",
        low=0.5,
        high=20,
        source=by_hand_in("cd19fdd"),
    )
    at_rest_mm: float = tuned(
        2.5,
        title="within which of its last place a cap has come to rest",
        unit="mm",
        low=0.5,
        high=10,
        source=by_hand_in("2303325"),
    )
    at_rest_radii: float = tuned(
        0.15, title="likewise, of its radius", unit="1", low=0.02, high=0.6, source=by_hand_in("2303325")
    )
    spike_radii: float = tuned(
        0.8,
        title="least length of both ways to a sighting and back that was another's, in radii",
        unit="1",
        low=0.2,
        high=5,
        source=by_hand_in("710575c"),
    )
    spike_cosine: float = tuned(
        -0.7,
        title="cosine between the ways to a sighting and from it below which it was another's",
        unit="1",
        low=-1,
        high=0,
        source=ON_FILMS,
    )
    away_radii: float = tuned(
        0.35, title="from where it lay, from which a cap has set off", unit="1", low=0.1, high=1, source=BY_HAND
    )
    least_fill: float = tuned(
        0.25,
        title="of a cap's area, what it covers at least where it is seen on its way",
        unit="1",
        low=0.05,
        high=0.9,
        source=BY_HAND,
    )
    most_fill: float = tuned(3.0, title="likewise at most", unit="1", low=1, high=10, source=BY_HAND)
    from_nowhere_s: float = tuned(
        0.5,
        title="before it came to rest, in which a cap that lay nowhere was on its way",
        unit="s",
        low=0.1,
        high=5,
        source="physics: a cap of 1 m/s comes to rest in 0.5 s (FlightTuning.friction_mm_s2)",
    )


FOLLOW = FollowTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sightings:
    """Blobs taken for one cap, in order of time: times (N,), places (N, 2), doubts (N,) from 0 to 1, touch or none."""

    t_s: Array
    xy_mm: Array
    doubt: Array
    is_free: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a way: where a cap rested, and the last or first time at which it was seen there."""

    t_s: float
    xy_mm: tuple[float, float]


def track_of(
    cap: CapState,
    state: SceneState,
    view: SmallView,
    end: End | None = None,
    *,
    is_any_colour: bool = False,
    back_s: float | None = None,
) -> Track:
    """Follow a cap from its place to its end, or to where it was last seen.

    One that lay nowhere is followed back from its end, for `back_s` if that is given.
    """
    last_s = float("inf") if end is None else end.t_s
    there_s = state.told_s if cap.last_there_s is None else cap.last_there_s
    nowhere_s = last_s - (FOLLOW.from_nowhere_s if back_s is None else back_s)
    start_s = nowhere_s if cap.place is None else there_s
    blobs = [blob for blob in state.maybe(cap, start_s) if blob.t_s < last_s]
    xy_mm = view.to_mm(cap.cap, np.array([b.xy_small[cap.column] for b in blobs]).reshape(-1, 2))
    sightings = sightings_of(blobs, cap.column, xy_mm, is_any_colour=is_any_colour)
    known = cap.place or end
    assert known is not None, "a cap that lay nowhere is followed back from where it came to rest"
    start = End(t_s=min(start_s, last_s - 1e-3), xy_mm=known.xy_mm)
    diameter_mm = cap.cap.diameter_mm
    track = follow(sightings, start, end, player=cap.player, diameter_mm=diameter_mm, frame_s=state.frame_s)
    return _from_nowhere(track) if cap.place is None else departed(track, bare_s=cap.left_s)


def follow(
    sightings: Sightings,
    start: End,
    end: End | None,
    *,
    player: str,
    diameter_mm: float,
    frame_s: float = USUAL_FRAME_S,
) -> Track:
    """Find the cap's way between its two ends (None: to where it was last seen); unseen, it went straight.

    A sighting counts for as long as a frame lasts: of the same flight a slower camera has fewer.
    """
    last = [] if end is None else [end]
    times = np.concatenate([[start.t_s], sightings.t_s, [e.t_s for e in last]])
    places = np.vstack([start.xy_mm, sightings.xy_mm.reshape(-1, 2), *(e.xy_mm for e in last)])
    gain = np.concatenate([[0.0], (1.0 - sightings.doubt) * frame_s / USUAL_FRAME_S, [0.0] * len(last)])
    best = np.zeros(len(times))
    came_from = np.zeros(len(times), int)
    for i in range(1, len(times)):
        took = times[i] - times[:i]
        way = np.hypot(*(places[:i] - places[i]).T)
        cost = FOLLOW.detour_cost * way / diameter_mm
        is_feasible = (took > 1e-6) & (way <= FOLLOW.fastest_mm_s * took + FOLLOW.reach_mm)
        is_hidden = took > FOLLOW.longest_gap_s
        worth = best[:i] - cost - np.where(is_hidden, FOLLOW.hidden_cost, 0.0)
        worth = np.where(is_feasible, worth, -1e9)
        worth[0] = max(worth[0], best[0] - cost[0] - 2 * FOLLOW.hidden_cost)
        came_from[i] = int(worth.argmax())
        best[i] = worth[came_from[i]] + gain[i]
    chain = [len(times) - 1 if last else int(best.argmax())]
    while chain[-1] > 0:
        chain.append(int(came_from[chain[-1]]))
    chain.reverse()
    is_free = np.array([False, *sightings.is_free, *(False for _ in last)])[chain]
    track = Track(player=player, radius_mm=diameter_mm / 2, t_s=times[chain], xy_mm=places[chain], is_free=is_free)
    return _until_rest(_without_spikes(track))


def _without_spikes(track: Track) -> Track:
    """Leave out sightings from which the way turns back at once: those of another cap."""
    keep = np.ones(len(track.t_s), bool)
    for i in range(1, len(keep) - 1):
        before = int(np.flatnonzero(keep[:i])[-1])
        there, back = track.xy_mm[i] - track.xy_mm[before], track.xy_mm[i + 1] - track.xy_mm[i]
        lengths = np.hypot(*there), np.hypot(*back)
        is_brief = track.t_s[i + 1] - track.t_s[before] < TRACK.longest_step_s
        if (
            is_brief
            and min(lengths) > FOLLOW.spike_radii * track.radius_mm
            and there @ back < FOLLOW.spike_cosine * np.prod(lengths)
        ):
            keep[i] = False
    return replace(track, t_s=track.t_s[keep], xy_mm=track.xy_mm[keep], is_free=track.is_free[keep])


def _until_rest(track: Track) -> Track:
    """Leave out the sightings after the cap had come to rest."""
    from_end_mm = np.hypot(*(track.xy_mm - track.xy_mm[-1]).T)
    moving = np.flatnonzero(from_end_mm > max(FOLLOW.at_rest_mm, FOLLOW.at_rest_radii * track.radius_mm))
    last = min(int(moving[-1]) + 1, len(from_end_mm) - 1) if len(moving) else 0
    if last in (0, len(from_end_mm) - 1):
        return track
    keep = [*range(last), len(from_end_mm) - 1]
    t_s = track.t_s[keep]
    t_s[-1] = track.t_s[last]
    return replace(track, t_s=t_s, xy_mm=track.xy_mm[keep], is_free=track.is_free[keep])


def _from_nowhere(track: Track) -> Track:
    """Begin the way of a cap that lay nowhere where it was seen first."""
    return track if len(track.t_s) <= 2 else track.started(float(track.t_s[1]), track.t_s > track.t_s[1], at=1)


def departed(track: Track, *, bare_s: float | None) -> Track:
    """Move a track's first point to the moment of departure, told by its first steps and by when its place was bare."""
    step = np.hypot(*(track.xy_mm - track.xy_mm[0]).T)
    away = np.flatnonzero(step[:-1] > FOLLOW.away_radii * track.radius_mm)
    if not len(away):
        return track
    first = int(away[0])
    after = min(first + 1, len(step) - 1)
    took = track.t_s[after] - track.t_s[first]
    way = float(np.hypot(*(track.xy_mm[after] - track.xy_mm[first])))
    speed = way / took if took > 0 else 0.0
    t_s = track.t_s[first] - (step[first] / speed if speed > 1 else 0.0)
    latest = track.t_s[first] if bare_s is None else min(bare_s, track.t_s[first])
    t_s = min(max(t_s, track.t_s[0]), latest)
    return track.started(t_s, np.arange(len(step)) >= first)


def sightings_of(blobs: list[Blob], k: int, xy_mm: Array, *, is_any_colour: bool = False) -> Sightings:
    """Take the blobs that may be cap `k`, seen at `xy_mm` (N, 2), in order of time.

    With `is_any_colour` none is left out for its looks: a cap on its edge is small, and shows little of its colour.
    """
    is_free = np.array([blob.is_free for blob in blobs], bool)
    misfit = np.array([blob.misfit[k] for blob in blobs])
    fill = np.array([blob.fill[k] for blob in blobs])
    is_likely = (misfit < FOLLOW.likely_misfit) & (fill > FOLLOW.least_fill) & (fill < FOLLOW.most_fill)
    if is_any_colour:
        is_likely = is_free
        misfit, fill = np.minimum(misfit, FOLLOW.any_colour_doubt), np.ones(len(blobs))
    t_s = np.array([blob.t_s for blob in blobs])
    order = [i for i in np.argsort(t_s, kind="stable") if is_likely[i]]
    doubt = np.clip(misfit + FOLLOW.fill_doubt * np.abs(np.log(np.clip(fill, 0.1, 10.0))), 0.0, 1.0)
    return Sightings(t_s=t_s[order], xy_mm=xy_mm[order], doubt=doubt[order], is_free=is_free[order])
