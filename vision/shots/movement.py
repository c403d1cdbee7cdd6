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
from linesies.vision.picture.shift import RIM_PX, Shift, shift_of_disc
from linesies.vision.picture.small_picture import px_to_small, small_to_px
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
    """What of a shift is motion, what a cap that was lost from sight may have done, and what of a fit is believed."""

    least_move_mm: float = tuned(
        1.2, title="least shift of a cap that moved", unit="mm", low=0.2, high=6, source=ON_FILMS
    )
    clear_move_mm: float = tuned(
        1.7, title="least shift that nobody doubts", unit="mm", low=0.5, high=10, source=ON_FILMS
    )
    least_move_px: float = tuned(
        0.36, title="likewise of one that moved, in the small picture", unit="px", low=0.05, high=2, source=ON_FILMS
    )
    least_nudge_mm: float = tuned(
        0.5, title="least shift of a cap that people are asked about", unit="mm", low=0.1, high=3, source=BY_HAND
    )
    least_nudge_px: float = tuned(
        0.15, title="likewise, in the small picture", unit="px", low=0.02, high=1, source=BY_HAND
    )
    least_sigmas: float = tuned(3.0, title="least shift over its sigma", unit="1", low=1, high=10, source=ON_FILMS)
    nudge_sigmas: float = tuned(
        6.0, title="likewise, where a neighbour came near", unit="1", low=1, high=20, source=ON_FILMS
    )
    most_at_rest: float = tuned(
        0.1,
        title="of its contrast, what a cap that lies still leaves unexplained",
        unit="1",
        low=0.01,
        high=0.5,
        source=BY_HAND,
    )
    most_unexplained: float = tuned(
        0.7,
        title="of its contrast, from which something else lies there or over it",
        unit="1",
        low=0.2,
        high=1,
        source=BY_HAND,
    )
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
    handled_s: float = tuned(
        0.1, title="out of sight, from which a hand was over a cap", unit="s", low=0.02, high=1, source=ON_FILMS
    )
    unmeasured_sigma_mm: float = tuned(
        5.0, title="sigma of a cap that could not be fitted", unit="mm", low=1, high=30, source=BY_HAND
    )
    most_astray_mm: float = tuned(
        4.0,
        title="how far the fit of a cap that hardly moved may lie from where its disc was followed to",
        unit="mm",
        low=1,
        high=20,
        source=BY_HAND,
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

INNER_RIM_PX = -0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeforeAfter:
    """The mean pictures by which a change is reckoned: luma (H, W) before and after it, and colour after it."""

    luma_before: NDArray[np.float32]
    luma: NDArray[np.float32]
    picture: Image


class MovementFinder:
    """Holds the calibration and the judge; its methods remember nothing."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...], *, shrink: int) -> None:
        self._view = calibration.view
        self.calibration = calibration
        self._judge = Judge(calibration, caps)
        self._judge.prepare()
        self.caps = caps
        self._listed = {cap.player: cap for cap in caps}
        self._shrink = shrink

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
                calls[cap.player] = self._call(cap, place_mm, picture)
        return tuple(calls.values())

    def judging(self, picture: Image) -> Pieces[Judgement]:
        """Find all caps of a picture, wherever they lie, piece by piece."""
        return self._judge.judging(picture)

    def place_of(self, call: Call) -> Place | None:
        """Find the place of a cap that lies where a call says; None where the picture does not show it."""
        return place_at(self.calibration, self._listed[str(call.player)], call.xy_mm, shrink=self._shrink)

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
        xy_small = cap_to_small(self.calibration, cap.cap, np.array([call.xy_mm]), self._shrink)[0]
        return Arrival(player=cap.player, xy_small=xy_small, since_s=since_s)

    def call_at(self, cap: Cap, xy_small: Array, picture: Image, beside: Iterable[tuple[Cap, Array]] = ()) -> Call:
        """Measure a cap that was followed to a point (2,) of the small picture; `beside` are others, likewise."""
        others = [(other, self.to_mm(other, place[None])[0]) for other, place in beside]
        return self._call(cap, self.to_mm(cap, xy_small[None])[0], picture, others)

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
        call = replace(self._unmeasured(cap.cap, track.xy_mm[-1]), location="off", is_certain=True)
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
        last = cap_to_small(self.calibration, cap.cap, seen.xy_mm[-1:], self._shrink)[0]
        since = [still for still in stills if still.since_s > seen.t_end_s - MOVEMENT.faded_s]
        still = min(since, key=lambda s: float(np.hypot(*(s.anchor_small - last))), default=None)
        reach_small = 0.0 if cap.place is None else MOVEMENT.faded_radii * cap.place.radius_small
        if still is None or np.hypot(*(still.anchor_small - last)) > reach_small:
            return None
        arrival = Arrival(player=cap.player, xy_small=np.array(still.anchor_small), since_s=still.since_s)
        moved = self.arrived(cap, arrival, self.call_at(cap.cap, arrival.xy_small, picture), state)
        return moved if moved.is_measured and moved.is_flown else None

    def stirred(self, cap: CapState, moved: list[Movement], then: BeforeAfter) -> Movement | None:
        """Measure a cap that lies nearly where it lay, beside those that `moved`: None unless it did move."""
        place = cap.place
        if place is None:
            return None
        way_mm = self.way_mm(place, moved, then)
        if is_slight := way_mm is not None and not way_mm.any():
            way_mm = self._slight_way_mm(place, moved, then)
        if way_mm is None or not way_mm.any():
            return None
        x, y = np.array(place.xy_mm) + way_mm
        beside = [(self._listed[m.player], np.array(m.call.xy_mm)) for m in moved]
        call = self._call(cap.cap, np.array([x, y]), then.picture, beside)
        astray_mm = float(np.hypot(call.xy_mm[0] - x, call.xy_mm[1] - y))
        if astray_mm > MOVEMENT.most_astray_mm:  # it fitted a neighbour, or a shadow
            call = self._unmeasured(cap.cap, np.array([x, y]))
        return Movement(
            call=replace(call, xy_mm=(float(x), float(y))) if is_slight else call,
            from_mm=place.xy_mm,
            past_mm=cap.past_mm,
            track=None,
            cause=MovementCause.NUDGED if is_slight else _cause_nearby(cap),
            is_clear=not is_slight and bool(np.hypot(*way_mm) >= MOVEMENT.clear_move_mm),
        )

    def way_mm(self, place: Place, moved: list[Movement], then: BeforeAfter) -> Array | None:
        """Compare a cap's disc before and after: how it moved (2,), zeros when it did not; None when hidden."""
        shift = self._shift(place, moved, then)
        if shift is None or shift.unexplained > MOVEMENT.most_unexplained:
            return None
        least_px = max(MOVEMENT.least_move_px, MOVEMENT.least_sigmas * shift.sigma_px)
        return self._moved_mm(place, shift, least_px, MOVEMENT.least_move_mm)

    def _slight_way_mm(self, place: Place, moved: list[Movement], then: BeforeAfter) -> Array:
        """Look more closely: how a cap may have been nudged (2,), zeros when it was not.

        Lines beside a cap lie still and seem to say that it does, so its middle is asked where they differ.
        """
        shift, least = self._shift(place, moved, then), (MOVEMENT.least_nudge_px, MOVEMENT.least_nudge_mm)
        if shift is not None and shift.unexplained > MOVEMENT.most_at_rest:
            shift = self._shift(place, moved, then, rim_px=INNER_RIM_PX)
            least = (MOVEMENT.least_move_px, MOVEMENT.least_move_mm)
        if shift is None:
            return np.zeros(2)
        return self._moved_mm(place, shift, max(least[0], MOVEMENT.nudge_sigmas * shift.sigma_px), least[1])

    def _shift(self, place: Place, moved: list[Movement], then: BeforeAfter, *, rim_px: float = RIM_PX) -> Shift | None:
        others_px = [disc for m in moved for disc in self._discs_px(m) if m.player != place.cap.player]
        before, after = then.luma_before, then.luma
        return shift_of_disc(before, after, place.centre_px, place.radius_px, others_px=others_px, rim_px=rim_px)

    def _moved_mm(self, place: Place, shift: Shift, least_px: float, least_mm: float) -> Array:
        """Turn a shift into millimetres (2,), zeros where it is no more than noise."""
        centre_px = place.centre_px
        was_mm, is_mm = self.to_mm(place.cap, px_to_small(np.array([centre_px, centre_px + shift.xy_px]), self._shrink))
        has_moved = shift.length_px >= least_px and np.hypot(*(is_mm - was_mm)) >= least_mm
        return is_mm - was_mm if has_moved else np.zeros(2)

    def to_mm(self, cap: Cap, xy_small: Array) -> Array:
        """Find the board points (N, 2) over which a cap's middle is seen at small points (N, 2)."""
        if not len(xy_small):
            return np.zeros((0, 2))
        return self._view.px_to_mm(small_to_px(xy_small, self._shrink), PLACE.seen_height * cap.height_mm)

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

    def _discs_px(self, m: Movement) -> list[tuple[Array, float]]:
        """Where a cap that moved lies and lay, as discs (centre, radius) of the picture."""
        places = [m.call.xy_mm] if m.from_mm is None else [m.call.xy_mm, m.from_mm]
        return [
            (px, m.call.diameter_mm / 2 * self._view.px_per_mm(np.array(xy_mm)))
            for xy_mm, px in zip(places, self._view.mm_to_px(np.array(places)), strict=True)
        ]

    def _call(self, cap: Cap, near_mm: Array, picture: Image, beside: Sequence[tuple[Cap, Array]] = ()) -> Call:
        call = self._judge.fit(picture, cap, near_mm, beside)
        farest_mm = MOVEMENT.farthest_judged_radii * cap.diameter_mm / 2
        if isinstance(call, Call) and np.hypot(*(np.array(call.xy_mm) - near_mm)) < farest_mm:
            return call
        return self._unmeasured(cap, near_mm)

    def _unmeasured(self, cap: Cap, xy_mm: Array) -> Call:
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


def _cause_nearby(cap: CapState) -> MovementCause:
    """Say what moved a cap that lies nearly where it lay."""
    return MovementCause.TOUCHED if cap.away_s > MOVEMENT.handled_s else MovementCause.STIRRED
