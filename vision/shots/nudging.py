"""Caps that a finger moved a little: their places look as before, though they lie elsewhere by a part of a radius."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import dist

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.arrival import Arrival, arrival_of
from linesies.vision.shots.cap_state import Measurement
from linesies.vision.shots.handling import HANDLING
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import Place
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.values import Call


@dataclass(frozen=True)
class NudgingTuning(Tuning):
    """When it is looked for caps that a finger nudged."""

    look_every_s: float = tuned(
        0.25, title="from one look to the next", unit="s", low=0.05, high=2, source=by_hand_in("1471d32")
    )
    beside_s: float = tuned(
        1.5,
        title="ago something was beside a cap that may have been nudged",
        unit="s",
        low=0.3,
        high=5,
        source=by_hand_in("1471d32"),
    )
    alone_s: float = tuned(
        0.1,
        title="ago nothing was any more: beside a finger that takes aim a cap is measured wrongly",
        unit="s",
        low=0,
        high=1,
        source=by_hand_in("6a33074"),
    )


NUDGING = NudgingTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nudged:
    """The caps that were nudged and lie still, with their calls."""

    arrivals: tuple[Arrival, ...] = ()
    measured: Mapping[str, Measurement]


def nudge(state: SceneState, latest: LatestFrames, measurer: Measurer) -> Nudged:
    """Find the caps that were nudged, of those beside which something was seen just now."""
    if state.missed or not latest.begins(NUDGING.look_every_s):
        return Nudged(measured={})
    moved = [cap.player for cap in state.placed if cap.history and _may_be_nudged(cap.history, state.t_s)]
    if not moved:
        return Nudged(measured={})
    picture = latest.mean_bgr()
    calls = [call for player in moved if (call := measurer.again(player, state.placed, picture))]
    away = [call for call in calls if _is_elsewhere(call, state.caps[str(call.player)].place)]
    arrivals = tuple(_nudged(arrival_of(call, state, measurer.view), state) for call in away)
    measured = {a.player: Measurement(xy_small=a.xy_small, call=call) for a, call in zip(arrivals, away, strict=True)}
    return Nudged(arrivals=arrivals, measured=measured)


def _nudged(arrival: Arrival, state: SceneState) -> Arrival:
    """Say since when the cap lies so, which its place shows: it has never been missed there."""
    history = state.caps[arrival.player].history
    return arrival if history is None else replace(arrival, since_s=history.lies_so_since_s(state.t_s))


def _is_elsewhere(call: Call, place: Place | None) -> bool:
    """Tell whether a cap was measured farther from its place than people put it back, yet partly in it.

    Farther, its place would look bare: what was measured there is another cap, or a shadow.
    """
    if place is None:
        return False
    return HANDLING.put_back_mm < dist(call.xy_mm, place.xy_mm) < call.diameter_mm / 2


def _may_be_nudged(history: PlaceHistory, t_s: float) -> bool:
    is_left_alone = history.had_beside(t_s - NUDGING.beside_s) and not history.had_beside(t_s - NUDGING.alone_s)
    return is_left_alone and history.lies_otherwise(t_s)
