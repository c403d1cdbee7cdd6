"""Caps that cannot be followed to where they lie: out of the view, on paint of their own colour, or lost from sight."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.arrivals import Arrival, assign
from linesies.vision.shots.arriving import Arrived
from linesies.vision.shots.cap_state import CapState, Measurement
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.movement import MovementFinder
from linesies.vision.shots.neighbours import covered_by
from linesies.vision.shots.scene_state import SCENE_TUNING, SceneState
from linesies.vision.shots.search import Search
from linesies.vision.shots.still_blobs import Stills
from linesies.vision.shots.whereabouts import WHEREABOUTS, Whereabouts
from linesies.vision.values import Call

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MissingTuning(Tuning):
    """For how long a cap must be missed until more is supposed."""

    faded_s: float = tuned(
        0.9, title="to be sought on paint of its own colour", unit="s", low=0.2, high=10, source=BY_HAND
    )
    taken_s: float = tuned(
        5.0,
        title="for which its place must be bare to count as taken from the board",
        unit="s",
        low=1,
        high=60,
        source=BY_HAND,
    )
    struck_s: float = tuned(
        0.5, title="in which a cap slides on from where it struck another", unit="s", low=0.05, high=3, source=BY_HAND
    )


MISSING = MissingTuning()

SEARCH_EVERY = 6  # frames between two searches for caps that have left the view


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gone:
    """The caps that have flown out of the picture, or onto paint of their own colour."""

    moved: tuple[Movement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sought:
    """How the search for each lost cap stands, and which were found at rest somewhere, with their calls."""

    searches: Mapping[str, Search]
    arrivals: tuple[Arrival, ...] = ()
    measured: Mapping[str, Measurement]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ends:
    """All caps whose ways are known to have ended: those at rest, and those that have left the view."""

    arrivals: tuple[Arrival, ...]
    gone: tuple[Movement, ...]

    def __bool__(self) -> bool:
        return bool(self.arrivals or self.gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenUp:
    """The caps that people have taken from the board."""

    players: tuple[str, ...]


def leave(
    state: SceneState,
    arrived: Arrived,
    where: Whereabouts,
    stills: Stills,
    latest: LatestFrames,
    finder: MovementFinder,
) -> Gone:
    """Find the caps that have flown out of the picture, or onto paint of their own colour."""
    known = {arrival.player for arrival in arrived.arrivals}
    left = [cap for cap in state.missed if cap.has_left and cap.player not in known]
    if not left or (latest.last.number % SEARCH_EVERY and not known):
        return Gone()
    free = [still for still in stills.now if not where.is_taken(np.array(still.anchor_small))]
    coming = assign(free, left, state)
    unseen = [cap for cap in left if cap.player not in coming and cap.player not in where.on_their_way]
    found = []
    for cap in unseen:
        moved = finder.left_view(cap, state)
        if moved is None and not coming and state.t_s - (cap.missed_s or 0.0) > MISSING.faded_s:
            settled = [still for still in free if any(still is one for one in where.settled)]
            moved = finder.faded(cap, settled, state, latest.mean_bgr())
            moved = None if moved is not None and _is_taken(moved.call, where, finder) else moved
        if moved is not None and moved.track is not None and state.t_s - moved.track.t_end_s >= WHEREABOUTS.lost_s:
            found.append(moved)
    return Gone(moved=tuple(found))


def search(
    state: SceneState, arrived: Arrived, gone: Gone, where: Whereabouts, inspection: Inspection, finder: MovementFinder
) -> Sought:
    """Find the caps that were lost from sight and lie at rest somewhere."""
    t_s = state.t_s
    known = {arrival.player for arrival in arrived.arrivals} | {m.player for m in gone.moved}
    lost = [cap for cap in state.missed if cap.has_left and cap.player not in where.on_their_way]
    lost += [cap for cap in state.caps.values() if cap.place is None and not cap.is_news]
    searches = {cap.player: cap.search or Search.begun(t_s) for cap in lost if cap.player not in known}
    if arrived.arrivals:
        searches = {player: search.hurried(t_s) for player, search in searches.items()}
    if not (state.is_calm and any(search.is_due(t_s) for search in searches.values())):
        return Sought(searches=searches, measured={})
    judged = inspection.calls(finder)
    if judged is None:
        return Sought(searches=searches, measured={})
    calls = {
        player: call
        for player, call in judged.items()
        if (place := finder.place_of(call)) is not None
        and inspection.is_still_at(place)
        and not where.is_taken(place.centre_small)
    }
    found = []
    measured = {}
    for player, before in searches.items():
        searches[player], call = before.after(calls.get(player), t_s)
        if call is not None:
            arrival = finder.arrival_of(call, state)
            found.append(arrival)
            measured[player] = Measurement(xy_small=arrival.xy_small, call=call)
    return Sought(searches=searches, arrivals=tuple(found), measured=measured)


def over_border(
    state: SceneState, arrived: Arrived, gone: Gone, sought: Sought, where: Whereabouts, finder: MovementFinder
) -> Ends:
    """Find the caps that lay by the picture's border and were knocked out of it by those that are to be told of.

    These have arrived just now, or are known to have moved.
    """
    arrivals = (*arrived.arrivals, *sought.arrivals)
    moved = [*gone.moved, *(m for shot in state.shots for m in shot.moved)]
    starts_s = [state.caps[arrival.player].missed_s or 0.0 for arrival in arrivals]
    starts_s += [m.track.t_start_s for m in moved if m.is_flown and m.track is not None]
    if not starts_s:  # alone, a cap was rather taken up by a hand, as one that was gone before
        return Ends(arrivals=arrivals, gone=gone.moved)
    known = {arrival.player for arrival in arrivals} | {m.player for m in moved} | where.on_their_way
    places = [finder.to_mm(state.caps[a.player].cap, np.array([a.xy_small])) for a in arrivals]
    places += [np.array([m.call.xy_mm]) for m in moved if not m.has_left_view]
    taken_mm = np.vstack([np.empty((0, 2)), *places])
    left = [cap for cap in state.missed if cap.has_left and cap.player not in known]
    found = [
        finder.over_border(cap, state, is_struck=_is_struck(cap, arrivals, state), taken_mm=taken_mm)
        for cap in left
        if cap.missed_s is not None and cap.missed_s > min(starts_s) - SCENE_TUNING.together_s
    ]
    return Ends(arrivals=arrivals, gone=(*gone.moved, *(one for one in found if one is not None)))


def take_up(state: SceneState, ends: Ends, where: Whereabouts, stills: Stills) -> TakenUp | None:
    """Find the caps that have long left their places and lie nowhere: people have taken them from the board."""
    bare = [cap for cap in state.missed if cap.bare_s is not None and cap.bare_s <= state.t_s - MISSING.taken_s]
    if ends or not (bare and state.is_calm):
        return None
    coming = assign(stills.now, state.missed, state)
    players = [
        cap.player
        for cap in bare
        if cap.player not in coming and cap.player not in where.on_their_way and not cap.has_glimpsed(state.t_s)
    ]
    return TakenUp(players=tuple(players)) if players else None


def _is_taken(call: Call, where: Whereabouts, finder: MovementFinder) -> bool:
    """Tell whether what was found is a cap that is known already, or its shadow."""
    place = finder.place_of(call)
    return place is None or where.is_taken(place.centre_small)


def _is_struck(cap: CapState, arrivals: Iterable[Arrival], state: SceneState) -> bool:
    """Tell whether another cap came to rest where this one lay just before."""
    left_s = cap.missed_s or 0.0
    return cap.player in covered_by([a for a in arrivals if a.since_s - left_s < MISSING.struck_s], state)
