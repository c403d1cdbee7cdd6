"""All ends are known: the way of each cap to its end."""

from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.shots.arrival import Arrival
from linesies.vision.shots.arrivals import Patience
from linesies.vision.shots.blinding import came_out_of_light
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.discs import BeforeAfter, DiscChange
from linesies.vision.shots.ends import Ends
from linesies.vision.shots.flights import has_flown, is_gliding, is_sliding
from linesies.vision.shots.handling import HANDLING
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.measuring import beside
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.movement import to_rest
from linesies.vision.shots.place import PLACE
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.told import FrameDone
from linesies.vision.shots.track import Track
from linesies.vision.shots.tracks import End, track_of
from linesies.vision.values import Call


@dataclass(frozen=True)
class ClosingTuning(Tuning):
    """How long a cap that seems to have come to rest is waited for when the judge does not see it there."""

    doubted_s: float = tuned(
        1.2, title="longer than a cap must keep still", unit="s", low=0.2, high=10, source=ON_FILMS
    )
    clear_s: float = tuned(
        0.3,
        title="likewise, of what looks just like that cap, or lies in glare that blinds",
        unit="s",
        low=0.05,
        high=5,
        source=ON_FILMS,
    )
    held_s: float = tuned(0.2, title="pause until it is measured anew", unit="s", low=0.05, high=2, source=ON_FILMS)


CLOSING = ClosingTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack(FrameDone):
    """The judge sees no cap where one seems to have come to rest: something may still be over it until then."""

    until_s: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Closed:
    """The caps whose ways have ended: which moved and which did not, by when, and the pictures before and after.

    `then` is None while no way has ended.
    """

    moved: tuple[Movement, ...] = ()
    unmoved: tuple[str, ...] = ()
    t_end_s: float = 0.0
    then: BeforeAfter | None = None


def close(
    state: SceneState, ends: Ends, scenery: Scenery, latest: LatestFrames, measurer: Measurer, patience: Patience
) -> Closed | HeldBack | FrameDone:
    """Find the way of each cap to its end, once all ends are known."""
    if ends.is_empty:
        return Closed()
    if state.is_glimpsed:
        return FrameDone()
    then = BeforeAfter(before=scenery.at_rest, after=latest.newest)
    story = _Story(state=state, ends=ends, then=then, measurer=measurer, scenery=scenery)
    moved, unmoved = list(ends.gone), []
    for arrival in sorted(ends.arrivals, key=lambda a: (story.is_home(a), not a.is_clear)):
        if story.has_stayed(arrival, moved):
            unmoved.append(arrival.player)
            continue
        is_blinded = scenery.is_blinded_at(state.caps[arrival.player].column, arrival.xy_small)
        found = story.arrived(arrival, is_blinded=is_blinded)
        if any(found.is_over(m) for m in moved):
            continue  # a part of that cap, or its shadow
        needs_no_judge = arrival.is_clear or is_blinded
        doubted_s = CLOSING.clear_s if needs_no_judge else CLOSING.doubted_s
        if not found.is_measured and state.t_s - arrival.since_s < patience.settled_s + doubted_s:
            return HeldBack(until_s=state.t_s + CLOSING.held_s)
        moved.append(found)
    return Closed(moved=tuple(moved), unmoved=tuple(unmoved), t_end_s=story.t_end_s, then=then)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Story:
    """What is known when all ends are: the caps, whose ways have ended, and the pictures before and after."""

    state: SceneState
    ends: Ends
    then: BeforeAfter
    measurer: Measurer
    scenery: Scenery

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
        way_mm = DiscChange(place=place, moved=tuple(moved), then=self.then, view=self.measurer.view).way_mm
        if way_mm is None:
            return is_alone
        return bool(np.hypot(*way_mm) <= (HANDLING.least_touch_mm if is_alone else 0.0))

    def arrived(self, arrival: Arrival, *, is_blinded: bool) -> Movement:
        """Find the way of a cap that came to rest, and measure it unless that was done before."""
        cap = self.state.caps[arrival.player]
        call = cap.measured_at(arrival.xy_small)
        if call is None:
            others = beside(arrival, self.ends.arrivals, self.state)
            call = self.measurer.call_at(cap.cap, arrival.xy_small, self.then.picture, others)
        track = self._way(cap, End(t_s=arrival.since_s, xy_mm=call.xy_mm))
        was_by_hand = is_blinded or self._was_handled(cap, call)
        was_hidden = came_out_of_light(track, cap, self.scenery, self.measurer.view)
        return to_rest(cap, track, call, was_by_hand=was_by_hand, was_hidden=was_hidden)

    def _was_handled(self, cap: CapState, call: Call) -> bool:
        """Tell whether a hand may have been where a cap lies, since it left its place."""
        place = self.measurer.view.place_of(call)
        return place is None or cap.missed_s is None or self.scenery.covered.has_been_handled(place, cap.missed_s)

    def _way(self, cap: CapState, end: End) -> Track:
        """Follow a cap by what looks like it; one that was seen too dimly for that, by all that slid, or went for long.

        A cap much like its ground, or one that rolls on its edge, shows but a part of itself in each picture, and yet
        where it goes.
        """
        track = track_of(cap, self.state, self.measurer.view, end)
        if cap.place is None or has_flown(track):
            return track
        dim = track_of(cap, self.state, self.measurer.view, end, is_any_colour=True)
        has_slid = self.state.left_at_once(cap) and is_sliding(dim)
        return dim if has_slid or is_gliding(dim) else track
