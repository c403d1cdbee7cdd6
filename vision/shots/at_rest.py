"""The scene at rest: the ground follows the light, and now and then the calm scene is looked over.

A shadow or a hand may once have been taken for a cap that was put down. Nothing is missed then, so nothing would be
looked for: what looks just like a cap that is thought to lie elsewhere is shown to the judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import dist

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.rain import without_rain
from linesies.vision.shots.blobs import find_blobs, is_clear_as
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.looking import Lit
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.place import Place
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.search import Search
from linesies.vision.values import Call


@dataclass(frozen=True)
class RestTuning(Tuning):
    """How often the scene at rest is taken anew."""

    renew_every_s: float = tuned(
        1.0,
        title="from one picture of the scene at rest to the next, and from one look over it",
        unit="s",
        low=0.2,
        high=10,
        source=by_hand_in("9d3b1db"),
    )


REST = RestTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rested:
    """Every cap that lies on the board is in its place; now and then the frames that show those in `alone` so.

    `otherwise` are places of lookalikes that look otherwise than at first, and will.
    """

    frames: tuple[Frame, ...]
    alone: tuple[Place, ...]
    otherwise: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookedOver:
    """Which caps seem to lie elsewhere and how the search for each stands, and where some do lie."""

    strays: Mapping[str, Search]
    places: Mapping[str, Place]


def rest(state: SceneState, latest: LatestFrames) -> Rested | None:
    """See that no cap is missed, and now and then beside which no hand is: that hides a part of one, or shades it."""
    if state.missed:
        return None
    changed = (one.place for one in state.lookalikes if state.is_calm and one.looks_otherwise_for_good(state.t_s))
    frames = latest.newest
    alone = _alone(state, frames[0].t_s) if latest.begins(REST.renew_every_s) else ()
    return Rested(frames=frames, alone=tuple(alone), otherwise=tuple(changed))


def _alone(state: SceneState, since_s: float) -> Iterable[Place]:
    """Find the places of caps beside which nothing was seen since a time."""
    for cap in state.placed:
        if cap.place is not None and cap.history is not None and not cap.history.had_beside(since_s):
            yield cap.place


def look_over(
    state: SceneState,
    lit: Lit,
    scenery: Scenery,
    latest: LatestFrames,
    inspection: Inspection,
    measurer: Measurer,
) -> LookedOver | None:
    """Find the caps that the judge, twice asked, sees elsewhere than where they are thought to lie."""
    if state.missed:
        return None
    if latest.begins(REST.renew_every_s):
        seeming = _seeming_astray(state, lit, scenery)
        strays = {cap.player: cap.stray or Search.begun(state.t_s) for cap in seeming}
    else:
        strays = {cap.player: cap.stray for cap in state.caps.values() if cap.stray is not None}
    is_due = any(search.is_due(state.t_s) for search in strays.values())
    judged = inspection.calls(measurer) if is_due else None
    if judged is None:
        return LookedOver(strays=strays, places={})
    astray = {player: call for player, call in judged.items() if _is_astray(call, state.caps[player].place)}
    places: dict[str, Place] = {}
    for player, search in strays.items():
        strays[player], call = search.after(astray.get(player), state.t_s)
        if call is not None and (place := measurer.view.place_of(call)) is not None:
            places[player] = place
    return LookedOver(strays=strays, places=places)


def _seeming_astray(state: SceneState, lit: Lit, scenery: Scenery) -> list[CapState]:
    """List the caps that unexplained blobs of a calm scene look just like."""
    background = scenery.background
    leftover, _ = background.leftover(lit.small)
    blobs = find_blobs(lit.small, background.bare, without_rain(leftover), scenery.paint, 0.0)
    return [
        cap
        for cap in state.placed
        if any(blob.is_free and is_clear_as(cap.column, blob.misfit, blob.fill) for blob in blobs)
    ]


def _is_astray(call: Call, place: Place | None) -> bool:
    if place is None:
        return False
    return dist(call.xy_mm, place.xy_mm) > call.diameter_mm
