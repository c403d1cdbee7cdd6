"""What has become of each cap once all is at rest again: its call, and the way that it went."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, locate
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.caps.cap import Cap
from linesies.vision.caps.judge import Judge
from linesies.vision.picture.frame import Image
from linesies.vision.picture.small_picture import small_to_px
from linesies.vision.pieces import Pieces
from linesies.vision.shots.arrivals import Arrival
from linesies.vision.shots.blobs import Paint
from linesies.vision.shots.cap_state import PHASES, CapState
from linesies.vision.shots.flights import FLIGHT, has_flown, is_rolling
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.opening import named_blobs
from linesies.vision.shots.place import PLACE, Place, cap_to_small, place_at
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.still_blobs import Still
from linesies.vision.shots.track import Track
from linesies.vision.shots.tracks import End, departed, follow, sightings_of
from linesies.vision.values import Call, Judgement

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MovementTuning(Tuning):
    """What a cap that was lost from sight may have done, and what of a fit is believed."""

    faded_sightings: int = tuned(
        6,
        title="fewest sightings of what came to rest on paint of its own colour",
        unit="1",
        low=2,
        high=40,
        source=BY_HAND,
    )
    faded_s: float = tuned(
        0.3, title="between its last sighting and what lies still", unit="s", low=0.05, high=2, source=ON_FILMS
    )
    faded_radii: float = tuned(
        8.0, title="how far these may lie apart, in radii", unit="1", low=1, high=30, source=ON_FILMS
    )
    unmeasured_sigma_mm: float = tuned(
        5.0, title="sigma of a cap that could not be fitted", unit="mm", low=1, high=30, source=BY_HAND
    )
    out_of_sight_radii: float = tuned(
        3.0,
        title="how near the border a cap was last seen that has left the view, in radii",
        unit="1",
        low=0.5,
        high=10,
        source=BY_HAND,
    )
    by_border_radii: float = tuned(
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
        source=BY_HAND,
    )
    most_gain_mm_s2: float = tuned(
        300.0,
        title="what flies or rolls may seem to gain in speed by error",
        unit="mm/s2",
        low=20,
        high=3000,
        source=BY_HAND,
    )
    farthest_judged_radii: float = tuned(
        1.2,
        title="how far a fit may lie from where the cap was followed to, in radii",
        unit="1",
        low=0.3,
        high=5,
        source=BY_HAND,
    )


MOVEMENT = MovementTuning()


class MovementFinder:
    """Holds the calibration and the judge; its methods remember nothing."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...], *, shrink: int) -> None:
        self._view = calibration.view
        self.calibration = calibration
        self._judge = Judge(calibration, caps)
        self._judge.prepare()
        self.caps = caps
        self.listed = {cap.player: cap for cap in caps}
        self.shrink = shrink

    def opening(
        self, judged: Mapping[str, Call], picture: Image, *, small: Image, bare: Image, paint: Paint
    ) -> tuple[Call, ...]:
        """Find all caps of a first scene at rest, as they were `judged`; `bare` and `paint` are in its light."""
        named = named_blobs(self.calibration, self.caps, tuple(judged.values()), small=small, bare=bare, paint=paint)
        calls = dict(judged)
        for cap in self.caps:
            if cap.player not in named:
                continue
            place_mm = self.to_mm(cap, named[cap.player][None])[0]
            call = judged.get(cap.player)
            if call is None or np.hypot(*(np.array(call.xy_mm) - place_mm)) > cap.diameter_mm:
                calls[cap.player] = self.call_near(cap, place_mm, picture)
        return tuple(calls.values())

    def judging(self, picture: Image) -> Pieces[Judgement]:
        """Find all caps of a picture, wherever they lie, piece by piece."""
        return self._judge.judging(picture)

    def place_of(self, call: Call) -> Place | None:
        """Find the place of a cap that lies where a call says; None where the picture does not show it."""
        return place_at(self.calibration, self.listed[str(call.player)], call.xy_mm, shrink=self.shrink)

    def arrival_of(self, call: Call, state: SceneState) -> Arrival:
        """Take a cap that was found for arrived: since it was last seen on its way, or since it was missed."""
        cap = state.caps[str(call.player)]
        since_s = state.t_s
        if cap.place is not None:
            track = self._track(cap, state, None)
            way_mm = float(np.hypot(*(np.array(call.xy_mm) - cap.place.xy_mm)))
            soonest_s = track.t_start_s + (2 * way_mm / FLIGHT.friction_mm_s2) ** 0.5
            unseen_s = min(state.t_s, soonest_s) if state.left_at_once(cap) else state.t_s
            since_s = track.t_end_s if len(track.t_s) > 1 else unseen_s
        xy_small = cap_to_small(self.calibration, cap.cap, np.array([call.xy_mm]), self.shrink)[0]
        return Arrival(player=cap.player, xy_small=xy_small, since_s=since_s)

    def call_at(self, cap: Cap, xy_small: Array, picture: Image, beside: Iterable[tuple[Cap, Array]] = ()) -> Call:
        """Measure a cap that was followed to a point (2,) of the small picture; `beside` are others, likewise."""
        others = [(other, self.to_mm(other, place[None])[0]) for other, place in beside]
        return self.call_near(cap, self.to_mm(cap, xy_small[None])[0], picture, others)

    def again(self, player: str, placed: Iterable[CapState], picture: Image) -> Call | None:
        """Measure one of the caps that lie still once more; None where it cannot be seen as one just now."""
        lying = {cap.player: (cap.cap, np.array(cap.place.xy_mm)) for cap in placed if cap.place is not None}
        if player not in lying:
            return None
        cap, near_mm = lying.pop(player)
        call = self._judge.fit(picture, cap, near_mm, list(lying.values()))
        return call if isinstance(call, Call) else None

    def arrived(self, cap: CapState, arrival: Arrival, call: Call, state: SceneState) -> Movement:
        """Find the way of a cap that came to rest somewhere new, where it was measured."""
        track = self._track(cap, state, End(t_s=arrival.since_s, xy_mm=call.xy_mm))
        return Movement(
            call=call,
            from_mm=None if cap.place is None else cap.place.xy_mm,
            track=track,
            cause=MovementCause.FLOWN if cap.place is not None and has_flown(track) else MovementCause.CARRIED,
            is_measured=call.sigma_mm < MOVEMENT.unmeasured_sigma_mm,
            past_mm=cap.past_mm,
        )

    def left_view(self, cap: CapState, state: SceneState) -> Movement | None:
        """Find the way of a cap that was last seen flying or rolling out of the picture; None when it was not."""
        track = self._track(cap, state, None)
        if not self._is_leaving(cap.cap, track):
            track = self._track(cap, state, None, is_any_colour=True)
            if not self._is_leaving(cap.cap, track) or not is_rolling(track):
                return None
        return self._off(cap, track)

    def _off(self, cap: CapState, track: Track) -> Movement:
        """Call a cap out of the picture, beyond its track's end."""
        call = replace(self.unmeasured(cap.cap, track.xy_mm[-1]), location="off", is_certain=True)
        from_mm = None if cap.place is None else cap.place.xy_mm
        return Movement(call=call, from_mm=from_mm, track=track, cause=MovementCause.LEFT_VIEW)

    def over_border(self, cap: CapState, state: SceneState, *, is_struck: bool, taken_mm: Array) -> Movement | None:
        """Find the way of a cap that lay by the picture's border and was gone at once, out of the nearest side.

        None when it may have been taken up by a hand, which covers it first, unless another cap that came to its place
        has struck it; and when it was seen elsewhere since, but for where others lie now: `taken_mm` (N, 2).
        """
        if cap.place is None or cap.left_s is None:
            return None
        there_s = cap.last_there_s or 0.0
        seen_mm = self._track(cap, state, None).xy_mm
        is_own = (np.hypot(*(seen_mm[:, None] - taken_mm[None]).T) > cap.cap.diameter_mm).all(axis=0)
        gone_mm = float(np.hypot(*(seen_mm[is_own] - cap.place.xy_mm).T).max(initial=0.0))
        way_px, room_px = self._to_border_px(cap.place)
        if (
            (cap.left_s - there_s > PHASES.abrupt_s and not is_struck)
            or gone_mm > MOVEMENT.gone_diameters * cap.cap.diameter_mm
            or room_px > MOVEMENT.by_border_radii * cap.place.radius_px
        ):
            return None
        out_px = self._seen_px(cap.place) + way_px * (1 + 2 * cap.place.radius_px / max(room_px, 1.0))
        out_mm = self._view.px_to_mm(out_px[None], PLACE.seen_height * cap.cap.height_mm)[0]
        track = Track(
            player=cap.player,
            radius_mm=cap.cap.diameter_mm / 2,
            t_s=np.array([there_s, min(cap.left_s, there_s + PHASES.abrupt_s)]),
            xy_mm=np.vstack([cap.place.xy_mm, out_mm]),
            is_free=np.zeros(2, bool),
        )
        return self._off(cap, track)

    def _seen_px(self, place: Place) -> Array:
        """Where the middle of a cap that lies in a place is seen (2,)."""
        return self._view.mm_to_px(np.array([place.xy_mm]), PLACE.seen_height * place.cap.height_mm)[0]

    def _to_border_px(self, place: Place) -> tuple[Array, float]:
        """Find the shortest way (2,) from a place to the picture's border, and its length."""
        lay_px, (width, height) = self._seen_px(place), self._view.lens.size_px
        ways_px = [(-lay_px[0], 0), (width - lay_px[0], 0), (0, -lay_px[1]), (0, height - lay_px[1])]
        way_px = min(np.array(ways_px), key=lambda way: float(np.hypot(*way)))
        return way_px, float(np.hypot(*way_px))

    def faded(self, cap: CapState, stills: list[Still], state: SceneState, picture: Image) -> Movement | None:
        """Find the way of a cap that flew and came to rest on paint of its own colour, where little of it stands out.

        Of what keeps still since it was last seen, nearest to there; None unless the judge sees it there.
        """
        seen = self._track(cap, state, None)
        if (
            len(seen.t_s) < MOVEMENT.faded_sightings
            or not has_flown(seen)
            or seen.t_s[1] - seen.t_s[0] > MOVEMENT.faded_s
        ):
            return None
        last = cap_to_small(self.calibration, cap.cap, seen.xy_mm[-1:], self.shrink)[0]
        since = [still for still in stills if still.since_s > seen.t_end_s - MOVEMENT.faded_s]
        still = min(since, key=lambda s: float(np.hypot(*(s.anchor_small - last))), default=None)
        reach_small = 0.0 if cap.place is None else MOVEMENT.faded_radii * cap.place.radius_small
        if still is None or np.hypot(*(still.anchor_small - last)) > reach_small:
            return None
        arrival = Arrival(player=cap.player, xy_small=np.array(still.anchor_small), since_s=still.since_s)
        moved = self.arrived(cap, arrival, self.call_at(cap.cap, arrival.xy_small, picture), state)
        return moved if moved.is_measured and moved.is_flown else None

    def to_mm(self, cap: Cap, xy_small: Array) -> Array:
        """Find the board points (N, 2) over which a cap's middle is seen at small points (N, 2)."""
        if not len(xy_small):
            return np.zeros((0, 2))
        return self._view.px_to_mm(small_to_px(xy_small, self.shrink), PLACE.seen_height * cap.height_mm)

    def _track(self, cap: CapState, state: SceneState, end: End | None, *, is_any_colour: bool = False) -> Track:
        """Follow a cap from its place, or from nowhere, to its end, or to where it was last seen."""
        last_s = float("inf") if end is None else end.t_s
        there_s = state.told_s if cap.last_there_s is None else cap.last_there_s
        start_s = last_s - 0.5 if cap.place is None else there_s
        blobs = [blob for blob in state.maybe(cap, start_s) if blob.t_s < last_s]
        xy_mm = self.to_mm(cap.cap, np.array([b.xy_small[cap.column] for b in blobs]).reshape(-1, 2))
        sightings = sightings_of(blobs, cap.column, xy_mm, is_any_colour=is_any_colour)
        known = cap.place or end
        assert known is not None, "a cap that lay nowhere is followed back from where it came to rest"
        start = End(t_s=min(start_s, last_s - 1e-3), xy_mm=known.xy_mm)
        track = follow(sightings, start, end, player=cap.player, diameter_mm=cap.cap.diameter_mm)
        return departed(track, bare_s=cap.left_s)

    def _is_leaving(self, cap: Cap, track: Track) -> bool:
        is_brief = len(track.t_s) < 4 or track.flight[0] < FLIGHT.least_steps
        if is_brief or not has_flown(track):  # a hand is quick at the border
            return False
        if (slowing_mm_s2 := track.slowing_mm_s2) is not None and slowing_mm_s2 < -MOVEMENT.most_gain_mm_s2:
            return False
        px = self._view.mm_to_px(track.xy_mm[-3:], PLACE.seen_height * cap.height_mm)
        radius_px = cap.diameter_mm / 2 * self._view.px_per_mm(track.xy_mm[-1])
        width, height = self._view.lens.size_px
        to_border = min(px[-1, 0], px[-1, 1], width - 1 - px[-1, 0], height - 1 - px[-1, 1])
        step_px = float(np.hypot(*(px[-1] - px[-2])))
        return bool(to_border < MOVEMENT.out_of_sight_radii * radius_px + 2 * step_px)

    def call_near(self, cap: Cap, near_mm: Array, picture: Image, beside: Sequence[tuple[Cap, Array]] = ()) -> Call:
        """Measure a cap near a board point (2,), or call it there; `beside` are others, likewise."""
        call = self._judge.fit(picture, cap, near_mm, beside)
        farest_mm = MOVEMENT.farthest_judged_radii * cap.diameter_mm / 2
        if isinstance(call, Call) and np.hypot(*(np.array(call.xy_mm) - near_mm)) < farest_mm:
            return call
        return self.unmeasured(cap, near_mm)

    def unmeasured(self, cap: Cap, xy_mm: Array) -> Call:
        """Call a cap where it was followed to (2,)."""
        place = locate(self.calibration, xy_mm, cap.diameter_mm)
        return Call(
            player=cap.player,
            xy_mm=(float(xy_mm[0]), float(xy_mm[1])),
            diameter_mm=cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=MOVEMENT.unmeasured_sigma_mm,
            is_certain=False,
        )
