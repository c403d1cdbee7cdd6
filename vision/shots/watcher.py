"""Following a game through time: frames in, events out as soon as they are known.

While nothing happens, one small picture a frame is compared with the scene at rest. When a cap is not in its place,
blobs are gathered until every cap that flew has come to rest; then, with both ends known, each cap's way is found, caps
that hardly moved are compared with how they lay before, and the story is told once.
"""

from collections import deque
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.background import Ground, bare_ground, in_light_of
from linesies.vision.picture.displacement import Displacement, none_of
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.knocks import Knocks
from linesies.vision.picture.layout import white_of
from linesies.vision.picture.registration import Registration
from linesies.vision.picture.small_picture import AVERAGED, look_at, look_at_bgr, mean_bgr, mean_picture, shrink_of
from linesies.vision.picture.steadied import steadied
from linesies.vision.shots.arrivals import Arrival, Measured, arrivals_of, note_rests
from linesies.vision.shots.blobs import Paint, find_blobs
from linesies.vision.shots.episode import Episode
from linesies.vision.shots.misplaced import Strays
from linesies.vision.shots.missing import Lost
from linesies.vision.shots.movement import Reckoner, Then
from linesies.vision.shots.opening import ENOUGH_FRAMES, StillFrames, seen_paint
from linesies.vision.shots.pending import Gathering
from linesies.vision.shots.place import Stand
from linesies.vision.shots.resting import Standing
from linesies.vision.shots.still_blobs import Stills
from linesies.vision.shots.tell import LEAST_TOUCH_MM, Moved, tell
from linesies.vision.values import Call, CameraMoved, Event, Expectation, Scene

Array = NDArray[np.float64]

RENEW_EVERY = 60  # frames between two new pictures of the scene at rest
DOUBTED_S = 1.2  # for which a cap that the judge does not see is waited for,
CLEAR_S = 0.3  # and one that looks just like that cap
HELD_S = 0.2
CALM_CAPS = 10.0  # times a cap's area may be unexplained in a calm picture; no hand, no passing shadow
EARLY_S = 0.3  # before a cap counts as settled, it is measured
SEEN_LATELY_S = 0.1


class Watcher:
    """Remembers where every cap lies and what has happened since all was last at rest.

    `see` takes frames in order and returns the events that became known; `finish` closes the source's end.
    A shot is told when all has been at rest for `settled_s`.
    """

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...], *, settled_s: float = 0.4) -> None:
        self._calibration = calibration
        self._caps = {cap.player: cap for cap in caps}
        self._expected = Expectation()
        self._order = list(self._caps)
        self._settled_s = settled_s
        self._shrink = shrink_of(tuple(calibration.view.lens.size_px))
        self._reckoner = Reckoner(calibration, caps, shrink=self._shrink)
        self._registration: Registration | None = None
        self._knocks = Knocks()
        self.forget()

    def forget(self) -> None:
        """Forget the scene: the next still frames start anew."""
        self._ground: Ground | None = None
        self._standing = Standing(self._calibration, self._caps, shrink=self._shrink)
        self._recent: deque[Frame] = deque(maxlen=ENOUGH_FRAMES)
        self._episode = Episode()
        self._stills = Stills()
        self._lost = Lost(self._reckoner, self._caps, self._standing, self._episode, self._stills, self._settled_s)
        self._strays = Strays(self._reckoner, self._order, self._standing)
        self._paint: Paint | None = None
        self._still_frames = StillFrames()
        self._rest_luma: Array | None = None
        self._is_knock_told = False
        self._hold_s = 0.0
        self._measured = Measured()
        self._gathering = Gathering()
        self._t_s = 0.0
        self._frame_s = 1 / 60

    def expect(self, expectation: Expectation) -> None:
        """Take what the rules await next as a prior for what the pictures leave open."""
        self._expected = expectation

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """Look at the next frame; returns the events that have become known with it."""
        if self._recent:
            self._frame_s += 0.1 * (max(frame.t_s - self._recent[-1].t_s, 1e-3) - self._frame_s)
        small, displacement = self._registered(frame)
        if self._is_knocked():
            return self._tell_knock()
        frame, small = steadied(frame, displacement), displacement.undone_small(small)
        self._recent.append(frame)
        if self._ground is None:
            self._open(frame, small)
            return ()
        if not displacement.is_negligible:
            self._ground.forgive_sway()
        small = self._ground.in_first_light(small)
        self._standing.see(frame)
        self._notice(small)
        if not self._episode.missing_s:
            self._rest(small, frame.number)
        arrivals = self._arrivals()
        note_rests(self._episode, arrivals, self._stills.radius_small)
        self._episode.see_bare(self._standing.covered_by(arrivals), self._t_s)
        left = self._lost.left_view(self._recent, arrivals)
        arrivals += self._lost.found(self._recent, arrivals, left, self._measured)
        left += self._lost.over_border(self._recent, arrivals, [*left, *self._gathering.moved])
        if not (arrivals or left):
            self._let_go(small, self._lost.taken_up(self._t_s))
            return () if self._is_waiting() else self._tell()
        if self._lost.is_on_to_one(self._t_s):
            return ()
        return self._close(small, arrivals, left)

    def finish(self) -> tuple[Event, ...]:
        """Tell what is known at the source's end."""
        return self._tell()

    @property
    def scene(self) -> Scene:
        """Tell how things stand now."""
        caps_mm = {player: stand.xy_mm for player, stand in self._stands.items()}
        for blob in self._episode.since(self._t_s - SEEN_LATELY_S):
            for player in self._episode.missing_s:
                k = self._order.index(player)
                if blob.is_free and blob.misfit[k] < 0.5 and 0.4 < blob.fill[k] < 2:
                    x, y = self._reckoner.to_mm(self._caps[player], blob.xy_small[k][None])[0]
                    caps_mm[player] = (float(x), float(y))
        return Scene(t_s=self._t_s, is_at_rest=not self._episode.missing_s, caps_mm=caps_mm)

    def _registered(self, frame: Frame) -> tuple[Image, Displacement]:
        """Make the small picture and find how it lies; where no ground is recognised, as it lay before."""
        small = look_at(frame)
        if self._registration is None:
            self._registration = Registration(look_at_bgr(self._calibration.empty_bgr, frame.layout))
            self._displacement = none_of(small.shape[1::-1])
        self._t_s = frame.t_s
        if self._registration.can_see:
            found = self._registration.see(small)
            self._knocks.see(found, frame.t_s)
            self._displacement = found or self._displacement
        return small, self._displacement

    def _is_knocked(self) -> bool:
        """Tell whether the picture does not fit the calibration; once it fits again, the scene is opened anew."""
        is_knocked = self._knocks.moved_since_s is not None
        if self._is_knock_told and not is_knocked:
            self.forget()
        return is_knocked

    def _tell_knock(self) -> tuple[Event, ...]:
        if self._is_knock_told:
            return ()
        self._is_knock_told = True
        return (CameraMoved(t_s=self._knocks.moved_since_s),)

    def _open(self, frame: Frame, small: Image) -> None:
        """Take the scene at rest once it has been still for some frames."""
        if not self._still_frames.see(small, white_of(frame.layout)):
            return
        small, noise = self._still_frames.mean_and_noise()
        self._still_frames = StillFrames()  # its sums are large, and have served
        empty = in_light_of(small, look_at_bgr(self._calibration.empty_bgr, frame.layout))
        for call in self._reckoner.opening(self._mean_bgr(), small=small, bare=empty, layout=frame.layout):
            self._standing.put(call.player, call.xy_mm)
        self._ground = Ground(bare_ground(empty, small, self._standing.near()), small, noise, white_of(frame.layout))
        self._lost.unfound = set(self._caps) - set(self._stands)
        self._paint = seen_paint(self._calibration, tuple(self._caps.values()), self._stands, small, frame.layout)
        self._stills.forget(radius_small=float(self._paint.radius_small.mean()))
        self._keep_out = self._standing.near()
        self._rest_luma = self._mean_luma()

    def _notice(self, small: Image) -> None:
        """Note which caps are in their places, and what else is to be seen unless all are."""
        self._episode.see_presences(self._standing.presences(self._ground, small), self._t_s)
        if not self._episode.missing_s and len(self._stands) == len(self._caps):
            return
        left, is_bare = self._ground.leftover(small)
        self._lost.is_calm = cv2.countNonZero(left) < CALM_CAPS * float(self._paint.area_small.max())
        self._standing.mark_missing(left, is_bare, self._episode.missing_s)
        blobs = find_blobs(small, self._ground.bare, left, self._paint, self._t_s)
        self._episode.see_blobs(blobs, self._t_s)
        self._stills.see(blobs, self._t_s)

    def _rest(self, small: Image, number: int) -> None:
        """Every cap that lies on the board is in its place: let the ground follow the light."""
        self._ground.absorb(small, self._keep_out)
        if number % RENEW_EVERY == 0:
            self._rest_luma = self._mean_luma()
            self._strays.look_over(small, self._ground, self._paint)
        for call in self._strays.found(self._recent):
            self._stand_anew(small, call)
        if len(self._stands) == len(self._caps) and self._episode.away_s:
            self._stills.forget()
            self._episode.forget()

    def _arrivals(self) -> list[Arrival]:
        """Find the caps that came to rest elsewhere, measured one a frame while it is seen whether they stay."""
        if not self._stills.now or self._t_s < self._hold_s:
            return []
        coming = self._settled(self._settled_s - EARLY_S)
        for arrival in coming:
            if self._measured.call_of(arrival) is None:
                self._measured.add(arrival, self._call_on(arrival, coming, self._mean_bgr()))
                break
        return self._settled(self._settled_s) if coming else []

    def _call_on(self, arrival: Arrival, arrivals: list[Arrival], picture: Image) -> Call:
        """Measure a cap that came to rest beside others."""
        beside = self._standing.beside(arrival, arrivals, self._episode.missing_s)
        return self._reckoner.call_at(self._caps[arrival.player], arrival.xy_small, picture, beside)

    def _settled(self, settled_s: float) -> list[Arrival]:
        return arrivals_of(
            stills=self._stills.now,
            episode=self._episode,
            players=self._order,
            stands=self._stands,
            settled_s=settled_s,
            is_calm=self._lost.is_calm,
        )

    def _close(self, small: Image, arrivals: list[Arrival], left_view: list[Moved]) -> tuple[Event, ...]:
        """Tell what happened, and take the scene as it is now."""
        then = Then(luma_before=self._rest_luma, luma=self._mean_luma(), picture=self._mean_bgr())
        moved, unmoved = list(left_view), []
        for arrival in sorted(arrivals, key=lambda a: (self._standing.is_near(a), not a.is_clear)):
            cap, stand = self._caps[arrival.player], self._stands.get(arrival.player)
            if self._standing.is_near(arrival):
                way_mm = self._reckoner.way_mm(stand, moved, then)
                is_alone = len(arrivals) + len(left_view) == 1  # nothing can have pushed it: only a hand, and clearly
                if is_alone if way_mm is None else np.hypot(*way_mm) <= is_alone * LEAST_TOUCH_MM:
                    unmoved.append(stand)
                    continue
            call = self._measured.call_of(arrival) or self._call_on(arrival, arrivals, then.picture)
            found = self._reckoner.arrived(cap, arrival, self._episode, stand, call)
            if any(found.is_over(m) for m in moved):
                continue  # a part of that cap, or its shadow
            doubted_s = CLEAR_S if arrival.is_clear else DOUBTED_S
            if not found.is_measured and self._t_s - arrival.since_s < self._settled_s + doubted_s:
                self._hold_s = self._t_s + HELD_S  # the judge sees no cap there: something may still be over it
                self._measured.forget()
                return ()
            moved.append(found)
        known = {m.player for m in moved} | {stand.cap.player for stand in unmoved}
        displaced = [p for p in self._standing.displaced_by(moved) if p in self._episode.missing_s]
        self._episode.see_bare(displaced, self._t_s)
        for player, stand in self._stands.items():
            if player not in known and player not in self._episode.bare_s:  # else it is not there to be stirred
                stirred = self._reckoner.stirred(stand, moved, self._episode, then)
                moved += [] if stirred is None else [stirred]
        t_end_s = max([a.since_s for a in arrivals] + [m.track.t_end_s for m in left_view])
        moved = [replace(m, glances=self._standing.glances_of(m.player)) for m in moved]
        told = self._tell() if self._gathering.has_moved_again(moved) else ()
        self._gathering.add(moved, t_end_s, self._t_s)
        self._settle(small, [m for m in moved if not m.is_slight], unmoved)
        self._standing.displace(set(displaced) - {m.player for m in moved})
        self._rest_luma = then.luma
        return told if self._is_waiting() else told + self._tell()

    def _is_waiting(self) -> bool:
        return self._gathering.is_waiting(self._t_s, self._episode.missing_s, self._episode.bare_s)

    def _tell(self) -> tuple[Event, ...]:
        """Tell what is known of the caps that moved, and forget what was seen of them."""
        moved, t_end_s = self._gathering.take()
        if not moved:
            return ()
        news = [m for m in moved if m.player not in self._lost.unfound]
        self._lost.unfound -= {m.player for m in moved}
        self._episode.forget()
        self._stills.forget()
        return tell(news, frame_s=self._frame_s, t_end_s=t_end_s, expected=self._expected)

    def _settle(self, small: Image, moved: list[Moved], unmoved: list[Stand]) -> None:
        left = [stand for m in moved if (stand := self._standing.take(m.player)) is not None]
        for m in moved:
            if not m.has_left_view:
                self._standing.put(m.player, m.call.xy_mm)
        now = [self._stands[m.player] for m in moved if m.player in self._stands] + unmoved
        self._ground.settle(small, self._standing.near(now), self._standing.freed(left))
        self._keep_out = self._standing.near()
        self._measured.forget()
        self._episode.settle([*(m.player for m in moved), *(stand.cap.player for stand in unmoved)])
        self._stills.forget_at([(stand.centre_small, 2 * stand.radius_small) for stand in now])

    def _stand_anew(self, small: Image, call: Call) -> None:
        """Put right where a cap stands that was thought to be elsewhere."""
        old = self._standing.take(call.player)
        self._standing.put(call.player, call.xy_mm)
        self._ground.settle(small, self._standing.near([self._stands[call.player]]), self._standing.freed([old]))
        self._keep_out = self._standing.near()

    def _let_go(self, small: Image, players: list[str]) -> None:
        """Wait no longer for caps that were taken from the board: where they lay is ground."""
        left = [stand for player in players if (stand := self._standing.take(player)) is not None]
        if left:
            self._ground.settle(small, self._standing.near([]), self._standing.freed(left))
            self._keep_out = self._standing.near()

    @property
    def _stands(self) -> dict[str, Stand]:
        return self._standing.stands

    def _mean_bgr(self) -> Image:
        return mean_bgr(self._recent)

    def _mean_luma(self) -> Array:
        return mean_picture([frame.luma for frame in list(self._recent)[-AVERAGED:]])
