"""Caps that hardly moved, beside those that did: pushed, touched by a hand, or perhaps not moved at all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.caps.cap import KnownCap
from linesies.vision.picture.frame import Frame
from linesies.vision.shots.blinding import in_glare
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.closing import Closed
from linesies.vision.shots.discs import BeforeAfter, DiscChange
from linesies.vision.shots.measurer import Measurer, unmeasured
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.place import PLACE, Place
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery


@dataclass(frozen=True)
class StirringTuning(Tuning):
    """What is told of a cap that lies nearly where it lay."""

    clear_move_mm: float = tuned(
        1.7, title="least shift that nobody doubts", unit="mm", low=0.5, high=10, source=ON_FILMS
    )
    handled_s: float = tuned(
        0.1, title="out of sight, from which a hand was over a cap", unit="s", low=0.02, high=1, source=ON_FILMS
    )
    most_astray_mm: float = tuned(
        4.0,
        title="how far the fit of a cap that hardly moved may lie from where its disc was followed to",
        unit="mm",
        low=1,
        high=20,
        source=by_hand_in("f4c9dcb"),
    )
    later_s: float = tuned(
        0.3,
        title="after all have come to rest, in which one that was pushed is missed",
        unit="s",
        low=0.05,
        high=2,
        source="set by hand on a public film in glare, in which the judge was waited for until a hand took another cap",
    )


STIRRING = StirringTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """What has become of the caps: which moved, where they lie now (None: out of the picture), and which did not."""

    moved: tuple[Movement, ...]
    t_end_s: float
    places: Mapping[str, Place | None]
    unmoved: tuple[str, ...]
    displaced: tuple[str, ...]
    frames: tuple[Frame, ...]  # that show it


def stir(state: SceneState, closed: Closed, scenery: Scenery, measurer: Measurer) -> Settled | None:
    """Add the caps that hardly moved to those whose ways have ended.

    Of those of which nothing is known yet, and that may be in their places. Where nothing else has moved, nothing can
    have pushed them: a hand that is over one is seen to come and go. What hides one only after all others have come to
    rest is such a hand too.
    """
    then, moved = closed.then, list(closed.moved)
    if then is None:
        return None
    displaced = [player for player in displaced_by(moved, state) if state.caps[player].is_missed]
    known = {*(m.player for m in moved), *closed.unmoved, *displaced}
    last_s = closed.t_end_s + STIRRING.later_s
    for cap in state.placed if moved else []:
        if cap.player not in known and cap.left_s is None and (cap.missed_s or 0.0) <= last_s:
            slight = _stirred(cap, moved, then, measurer, state)
            moved += [] if slight is None else [slight]
    places = {m.player: None if m.has_left_view else measurer.view.place_of(m.call) for m in moved if not m.is_slight}
    return Settled(
        moved=tuple(
            replace(in_glare(m, state.caps[m.player], scenery, measurer.view), history=state.caps[m.player].history)
            for m in moved
        ),
        t_end_s=closed.t_end_s,
        places=places,
        unmoved=closed.unmoved,
        displaced=tuple(displaced),
        frames=then.after,
    )


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
    return dist(m.call.xy_mm, place.xy_mm) < reach_mm


def _stirred(
    cap: CapState, moved: list[Movement], then: BeforeAfter, measurer: Measurer, state: SceneState
) -> Movement | None:
    """Measure a cap that lies nearly where it lay, beside those that `moved` and all others that lie there.

    None unless it did move.
    """
    place = cap.place
    if place is None:
        return None
    change = DiscChange(place=place, moved=tuple(moved), then=then, view=measurer.view)
    way_mm = change.way_mm
    if is_slight := way_mm is not None and not way_mm.any():
        way_mm = change.slight_way_mm
    if way_mm is None or not way_mm.any():
        return None
    x, y = np.array(place.xy_mm) + way_mm
    listed = {one.player: one for one in measurer.view.caps}
    lie_mm = {player: np.array(one.xy_mm) for player, one in state.lain_in.items()}
    lie_mm |= {m.player: np.array(m.call.xy_mm) for m in moved}
    beside = tuple((listed[player], xy_mm) for player, xy_mm in lie_mm.items() if player != cap.player)
    call = measurer.call_near(KnownCap(cap=cap.cap, near_mm=np.array([x, y]), beside=beside), then.picture)
    astray_mm = float(np.hypot(call.xy_mm[0] - x, call.xy_mm[1] - y))
    if astray_mm > STIRRING.most_astray_mm:  # it fitted a neighbour, or a shadow
        call = unmeasured(cap.cap, np.array([x, y]), measurer.view)
    return Movement(
        call=replace(call, xy_mm=(float(x), float(y))) if is_slight else call,
        from_mm=place.xy_mm,
        past_mm=cap.past_mm,
        track=None,
        cause=MovementCause.NUDGED if is_slight else _cause_nearby(cap),
        is_clear=not is_slight and bool(np.hypot(*way_mm) >= STIRRING.clear_move_mm),
    )


def _cause_nearby(cap: CapState) -> MovementCause:
    """Say what moved a cap that lies nearly where it lay."""
    return MovementCause.TOUCHED if cap.away_s > STIRRING.handled_s else MovementCause.STIRRED
