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
from linesies.vision.picture.background import Background, bare_ground, in_light_of
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
from linesies.vision.shots.misplaced import Misplaced
from linesies.vision.shots.missing import MissingCaps
from linesies.vision.shots.movement import BeforeAfter, MovementFinder
from linesies.vision.shots.opening import ENOUGH_FRAMES, StillFrames, seen_paint
from linesies.vision.shots.pending import PendingShot
from linesies.vision.shots.place import Place
from linesies.vision.shots.resting import RestingCaps
from linesies.vision.shots.still_blobs import Stills
from linesies.vision.shots.tell import LEAST_TOUCH_MM, Movement, tell
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
        self._finder = MovementFinder(calibration, caps, shrink=self._shrink)
        self._registration: Registration | None = None
        self._knocks = Knocks()
        self.forget()

    def forget(self) -> None:
        """Forget the scene: the next still frames start anew."""
        self._background: Background | None = None
        self._resting_caps = RestingCaps(self._calibration, self._caps, shrink=self._shrink)
        self._recent: deque[Frame] = deque(maxlen=ENOUGH_FRAMES)
        self._episode = Episode()
        self._stills = Stills()
        self._missing_caps = MissingCaps(
            self._finder, self._caps, self._resting_caps, self._episode, self._stills, self._settled_s
        )
        self._misplaced = Misplaced(self._finder, self._order, self._resting_caps)
        self._paint: Paint | None = None
        self._still_frames = StillFrames()
        self._rest_luma: Array | None = None
        self._is_knock_told = False
        self._hold_s = 0.0
        self._measured = Measured()
        self._pending = PendingShot()
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
        if self._background is None:
            self._open(frame, small)
            return ()
        if not displacement.is_negligible:
            self._background.forgive_sway()
        small = self._background.in_first_light(small)
        self._resting_caps.see(frame)
        self._notice(small)
        if not self._episode.missing_s:
            self._rest(small, frame.number)
        arrivals = self._arrivals()
        note_rests(self._episode, arrivals, self._stills.radius_small)
        self._episode.see_bare(self._resting_caps.covered_by(arrivals), self._t_s)
        left = self._missing_caps.left_view(self._recent, arrivals)
        arrivals += self._missing_caps.found(self._recent, arrivals, left, self._measured)
        left += self._missing_caps.over_border(self._recent, arrivals, [*left, *self._pending.moved])
        if not (arrivals or left):
            self._let_go(small, self._missing_caps.taken_up(self._t_s))
            return () if self._is_waiting() else self._tell()
        if self._missing_caps.is_on_to_one(self._t_s):
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
                    x, y = self._finder.to_mm(self._caps[player], blob.xy_small[k][None])[0]
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
        for call in self._finder.opening(self._mean_bgr(), small=small, bare=empty, layout=frame.layout):
            self._resting_caps.put(call.player, call.xy_mm)
        self._background = Background(
            bare_ground(empty, small, self._resting_caps.near()), small, noise, white_of(frame.layout)
        )
        self._missing_caps.unfound = set(self._caps) - set(self._stands)
        self._paint = seen_paint(self._calibration, tuple(self._caps.values()), self._stands, small, frame.layout)
        self._stills.forget(radius_small=float(self._paint.radius_small.mean()))
        self._keep_out = self._resting_caps.near()
        self._rest_luma = self._mean_luma()

    def _notice(self, small: Image) -> None:
        """Note which caps are in their places, and what else is to be seen unless all are."""
        self._episode.see_presences(self._resting_caps.presences(self._background, small), self._t_s)
        if not self._episode.missing_s and len(self._stands) == len(self._caps):
            return
        left, is_bare = self._background.leftover(small)
        self._missing_caps.is_calm = cv2.countNonZero(left) < CALM_CAPS * float(self._paint.area_small.max())
        self._resting_caps.mark_missing(left, is_bare, self._episode.missing_s)
        blobs = find_blobs(small, self._background.bare, left, self._paint, self._t_s)
        self._episode.see_blobs(blobs, self._t_s)
        self._stills.see(blobs, self._t_s)

    def _rest(self, small: Image, number: int) -> None:
        """Every cap that lies on the board is in its place: let the ground follow the light."""
        self._background.absorb(small, self._keep_out)
        if number % RENEW_EVERY == 0:
            self._rest_luma = self._mean_luma()
            self._misplaced.look_over(small, self._background, self._paint)
        for call in self._misplaced.found(self._recent):
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
        beside = self._resting_caps.beside(arrival, arrivals, self._episode.missing_s)
        return self._finder.call_at(self._caps[arrival.player], arrival.xy_small, picture, beside)

    def _settled(self, settled_s: float) -> list[Arrival]:
        return arrivals_of(
            stills=self._stills.now,
            episode=self._episode,
            players=self._order,
            stands=self._stands,
            settled_s=settled_s,
            is_calm=self._missing_caps.is_calm,
        )

    def _close(self, small: Image, arrivals: list[Arrival], left_view: list[Movement]) -> tuple[Event, ...]:
        """Tell what happened, and take the scene as it is now."""
        then = BeforeAfter(luma_before=self._rest_luma, luma=self._mean_luma(), picture=self._mean_bgr())
        moved, unmoved = list(left_view), []
        for arrival in sorted(arrivals, key=lambda a: (self._resting_caps.is_near(a), not a.is_clear)):
            cap, stand = self._caps[arrival.player], self._stands.get(arrival.player)
            if self._resting_caps.is_near(arrival):
                way_mm = self._finder.way_mm(stand, moved, then)
                is_alone = len(arrivals) + len(left_view) == 1  # nothing can have pushed it: only a hand, and clearly
                if is_alone if way_mm is None else np.hypot(*way_mm) <= is_alone * LEAST_TOUCH_MM:
                    unmoved.append(stand)
                    continue
            call = self._measured.call_of(arrival) or self._call_on(arrival, arrivals, then.picture)
            found = self._finder.arrived(cap, arrival, self._episode, stand, call)
            if any(found.is_over(m) for m in moved):
                continue  # a part of that cap, or its shadow
            doubted_s = CLEAR_S if arrival.is_clear else DOUBTED_S
            if not found.is_measured and self._t_s - arrival.since_s < self._settled_s + doubted_s:
                self._hold_s = self._t_s + HELD_S  # the judge sees no cap there: something may still be over it
                self._measured.forget()
                return ()
            moved.append(found)
        known = {m.player for m in moved} | {stand.cap.player for stand in unmoved}
        displaced = [p for p in self._resting_caps.displaced_by(moved) if p in self._episode.missing_s]
        self._episode.see_bare(displaced, self._t_s)
        for player, stand in self._stands.items():
            if player not in known and player not in self._episode.bare_s:  # else it is not there to be stirred
                stirred = self._finder.stirred(stand, moved, self._episode, then)
                moved += [] if stirred is None else [stirred]
        t_end_s = max([a.since_s for a in arrivals] + [m.track.t_end_s for m in left_view])
        moved = [replace(m, glances=self._resting_caps.glances_of(m.player)) for m in moved]
        told = self._tell() if self._pending.has_moved_again(moved) else ()
        self._pending.add(moved, t_end_s, self._t_s)
        self._settle(small, [m for m in moved if not m.is_slight], unmoved)
        self._resting_caps.displace(set(displaced) - {m.player for m in moved})
        self._rest_luma = then.luma
        return told if self._is_waiting() else told + self._tell()

    def _is_waiting(self) -> bool:
        return self._pending.is_waiting(self._t_s, self._episode.missing_s, self._episode.bare_s)

    def _tell(self) -> tuple[Event, ...]:
        """Tell what is known of the caps that moved, and forget what was seen of them."""
        moved, t_end_s = self._pending.take()
        if not moved:
            return ()
        news = [m for m in moved if m.player not in self._missing_caps.unfound]
        self._missing_caps.unfound -= {m.player for m in moved}
        self._episode.forget()
        self._stills.forget()
        return tell(news, frame_s=self._frame_s, t_end_s=t_end_s, expected=self._expected)

    def _settle(self, small: Image, moved: list[Movement], unmoved: list[Place]) -> None:
        left = [stand for m in moved if (stand := self._resting_caps.take(m.player)) is not None]
        for m in moved:
            if not m.has_left_view:
                self._resting_caps.put(m.player, m.call.xy_mm)
        now = [self._stands[m.player] for m in moved if m.player in self._stands] + unmoved
        self._background.settle(small, self._resting_caps.near(now), self._resting_caps.freed(left))
        self._keep_out = self._resting_caps.near()
        self._measured.forget()
        self._episode.settle([*(m.player for m in moved), *(stand.cap.player for stand in unmoved)])
        self._stills.forget_at([(stand.centre_small, 2 * stand.radius_small) for stand in now])

    def _stand_anew(self, small: Image, call: Call) -> None:
        """Put right where a cap stands that was thought to be elsewhere."""
        old = self._resting_caps.take(call.player)
        self._resting_caps.put(call.player, call.xy_mm)
        self._background.settle(
            small, self._resting_caps.near([self._stands[call.player]]), self._resting_caps.freed([old])
        )
        self._keep_out = self._resting_caps.near()

    def _let_go(self, small: Image, players: list[str]) -> None:
        """Wait no longer for caps that were taken from the board: where they lay is ground."""
        left = [stand for player in players if (stand := self._resting_caps.take(player)) is not None]
        if left:
            self._background.settle(small, self._resting_caps.near([]), self._resting_caps.freed(left))
            self._keep_out = self._resting_caps.near()

    @property
    def _stands(self) -> dict[str, Place]:
        return self._resting_caps.stands

    def _mean_bgr(self) -> Image:
        return mean_bgr(self._recent)

    def _mean_luma(self) -> Array:
        return mean_picture([frame.luma for frame in list(self._recent)[-AVERAGED:]])
