"""All ends are known: what has become of each cap, those included that hardly moved."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.shots.arrivals import Arrival
from linesies.vision.shots.arriving import Patience
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.missing import Ends
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.movement import MovementFinder
from linesies.vision.shots.neighbours import beside, displaced_by
from linesies.vision.shots.place import PLACE, Place
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.stirring import BeforeAfter, stirred, way_of
from linesies.vision.shots.tell import TELL
from linesies.vision.shots.told import Ended


@dataclass(frozen=True)
class ClosingTuning(Tuning):
    """How long a cap that seems to have come to rest is waited for when the judge does not see it there."""

    doubted_s: float = tuned(
        1.2, title="longer than a cap must keep still", unit="s", low=0.2, high=10, source=ON_FILMS
    )
    clear_s: float = tuned(
        0.3, title="likewise, of what looks just like that cap", unit="s", low=0.05, high=5, source=ON_FILMS
    )
    held_s: float = tuned(0.2, title="pause until it is measured anew", unit="s", low=0.05, high=2, source=ON_FILMS)
    later_s: float = tuned(
        0.3,
        title="after all have come to rest, in which one that was pushed is missed",
        unit="s",
        low=0.05,
        high=2,
        source="set by hand on a public film in glare, in which the judge was waited for until a hand took another cap",
    )


TUNING = ClosingTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack(Ended):
    """The judge sees no cap where one seems to have come to rest: something may still be over it until then."""

    until_s: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Closed:
    """What has become of the caps: which moved, where they lie now (None: out of the picture), and which did not."""

    moved: tuple[Movement, ...]
    t_end_s: float
    places: Mapping[str, Place | None]
    unmoved: tuple[str, ...]
    displaced: tuple[str, ...]
    luma: NDArray[np.float32]


def close(
    state: SceneState, ends: Ends, scenery: Scenery, latest: LatestFrames, finder: MovementFinder, patience: Patience
) -> Closed | HeldBack | Ended | None:
    """Find what happened to each cap, once all ends are known."""
    if not ends:
        return None
    if state.is_glimpsed:
        return Ended()
    then = BeforeAfter(luma_before=scenery.luma_at_rest, luma=latest.mean_luma(), picture=latest.mean_bgr())
    story = _Story(state=state, ends=ends, then=then, finder=finder)
    moved, unmoved = list(ends.gone), []
    for arrival in sorted(ends.arrivals, key=lambda a: (story.is_home(a), not a.is_clear)):
        if story.has_stayed(arrival, moved):
            unmoved.append(arrival.player)
            continue
        found = story.arrived(arrival)
        if any(found.is_over(m) for m in moved):
            continue  # a part of that cap, or its shadow
        doubted_s = TUNING.clear_s if arrival.is_clear else TUNING.doubted_s
        if not found.is_measured and state.t_s - arrival.since_s < patience.settled_s + doubted_s:
            return HeldBack(until_s=state.t_s + TUNING.held_s)
        moved.append(found)
    displaced = [player for player in displaced_by(moved, state) if state.caps[player].is_missed]
    moved = story.with_stirred(moved, known={*(m.player for m in moved), *unmoved, *displaced})
    return Closed(
        moved=tuple(replace(m, history=state.caps[m.player].history) for m in moved),
        t_end_s=story.t_end_s,
        places={m.player: None if m.has_left_view else finder.place_of(m.call) for m in moved if not m.is_slight},
        unmoved=tuple(unmoved),
        displaced=tuple(displaced),
        luma=then.luma,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Story:
    """What is known when all ends are: the caps, whose ways have ended, and the pictures before and after."""

    state: SceneState
    ends: Ends
    then: BeforeAfter
    finder: MovementFinder

    @property
    def t_end_s(self) -> float:
        """When the last of the caps came to rest, or was last seen."""
        seen_s = [gone.track.t_end_s for gone in self.ends.gone if gone.track is not None]
        return max([arrival.since_s for arrival in self.ends.arrivals] + seen_s)

    def is_home(self, arrival: Arrival) -> bool:
        """Tell whether a cap has come to rest where it lay: it may not have moved at all."""
        place = self.state.caps[arrival.player].place
        return place is not None and place.is_within(arrival.xy_small, radii=PLACE.near_radii)

    def has_stayed(self, arrival: Arrival, moved: list[Movement]) -> bool:
        """Tell whether a cap that was found in its own place has not moved, beside those that `moved`.

        Alone, nothing can have pushed it: only a hand, and clearly.
        """
        place = self.state.caps[arrival.player].place
        is_nudged = not self.state.caps[arrival.player].is_missed  # and was measured, though its place looks as before
        if place is None or is_nudged or not self.is_home(arrival):
            return False
        is_alone = len(self.ends.arrivals) + len(self.ends.gone) == 1
        way_mm = way_of(place, moved, self.then, self.finder)
        if way_mm is None:
            return is_alone
        return bool(np.hypot(*way_mm) <= (TELL.least_touch_mm if is_alone else 0.0))

    def arrived(self, arrival: Arrival) -> Movement:
        """Find the way of a cap that came to rest, and measure it unless that was done before."""
        cap = self.state.caps[arrival.player]
        call = cap.measured_at(arrival.xy_small)
        if call is None:
            others = beside(arrival, self.ends.arrivals, self.state)
            call = self.finder.call_at(cap.cap, arrival.xy_small, self.then.picture, others)
        return self.finder.arrived(cap, arrival, call, self.state)

    def with_stirred(self, moved: list[Movement], *, known: set[str]) -> list[Movement]:
        """Add the caps that hardly moved, of those of which nothing is `known` and that may be in their places.

        Where nothing else has moved, nothing can have pushed them: a hand that is over one is seen to come and go.
        What hides one only after all others have come to rest is such a hand too.
        """
        found = list(moved)
        if not moved:
            return []
        last_s = self.t_end_s + TUNING.later_s
        for cap in self.state.placed:
            if cap.player not in known and cap.left_s is None and (cap.missed_s or 0.0) <= last_s:
                moved_too = stirred(cap, found, self.then, self.finder)
                found += [] if moved_too is None else [moved_too]
        return found
