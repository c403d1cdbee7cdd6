"""Following a game through time: frames in, events out as soon as they are known.

While nothing happens, one small picture a frame is compared with the scene at rest. When a cap is not in its place,
blobs are gathered until every cap that flew has come to rest; then, with both ends known, each cap's way is found, caps
that hardly moved are compared with how they lay before, and the story is told once.
"""

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Calibration, locate
from vision.arrivals import Arrival, arrivals_of
from vision.blobs import Blob, Paint, find_blobs, paint_at
from vision.episode import Episode
from vision.frame import Frame, Image
from vision.judge import Judge
from vision.kit import Cap
from vision.look import look_at, look_at_bgr, shrink_of, small_to_px
from vision.scene import Ground, bare_ground, discs
from vision.shift import shift_of_disc
from vision.shots import Moved, has_flown, tell
from vision.stands import Presence, Stand, cap_to_small, presence_at, radius_small_of, stand_at
from vision.stills import Stills
from vision.testimony import Call, Event, Scene
from vision.tracks import End, Track, departed, follow, sightings_of

Array = NDArray[np.float64]

OPENING_FRAMES = 12  # still ones before the scene at rest is taken
LONGEST_OPENING_S = 3.0
AVERAGED = 6  # frames behind a call
SHADOW_RADII = 2.2  # about a cap, where its shadow may lie
LEAST_MOVE_MM = 1.1
LEAST_MOVE_PX = 0.3
UNMEASURED_SIGMA_MM = 5.0  # of a cap that could not be fitted


class Watcher:
    """Remembers where every cap lies and what has happened since all was last at rest.

    `see` takes frames in order and returns the events that became known; `finish` closes the source's end.
    A shot is told when all has been at rest for `settled_s`.
    """

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...], *, settled_s: float = 0.4) -> None:
        self._calibration = calibration
        self._caps = {cap.player: cap for cap in caps}
        self._order = list(self._caps)
        self._settled_s = settled_s
        self._judge = Judge(calibration, caps)
        self._shrink = shrink_of(tuple(calibration.view.lens.size_px))
        self.forget()

    def forget(self) -> None:
        """Forget the scene: the next still frames start anew."""
        self._ground: Ground | None = None
        self._stands: dict[str, Stand] = {}
        self._recent: deque[Frame] = deque(maxlen=OPENING_FRAMES)
        self._episode = Episode(self._order)
        self._stills = Stills(6.0)
        self._paint: Paint | None = None
        self._rest_luma: Array | None = None
        self._t_s = 0.0
        self._frame_s = 1 / 60
        self._opened_s: float | None = None

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """Look at the next frame; returns the events that have become known with it."""
        if self._recent:
            self._frame_s += 0.1 * (max(frame.t_s - self._recent[-1].t_s, 1e-3) - self._frame_s)
        self._recent.append(frame)
        self._t_s = frame.t_s
        small = look_at(frame)
        if self._ground is None:
            self._open(frame, small)
            return ()
        small = self._ground.in_first_light(small)
        is_moving = self._notice(small)
        if not is_moving:
            self._ground.absorb(small, self._keep_out)
            if frame.number % 60 == 0:
                self._rest_luma = self._mean_luma()
            return ()
        arrivals = self._arrivals()
        return self._close(small, arrivals) if arrivals else ()

    def finish(self) -> tuple[Event, ...]:
        """Tell what is known at the source's end."""
        return ()

    @property
    def scene(self) -> Scene:
        """How things stand now."""
        caps_mm = {player: stand.xy_mm for player, stand in self._stands.items()}
        return Scene(t_s=self._t_s, is_at_rest=not self._episode.missing_s, caps_mm=caps_mm)

    def _open(self, frame: Frame, small: Image) -> None:
        """Take the scene at rest once it has been still for some frames."""
        if self._opened_s is None:
            self._opened_s = frame.t_s
        if len(self._recent) < OPENING_FRAMES:
            return
        picture = self._mean_bgr()
        judgement = self._judge.judge(picture)
        for call in judgement.caps:
            stand = stand_at(self._calibration, self._caps[call.player], call.xy_mm, shrink=self._shrink)
            if stand is not None:
                self._stands[call.player] = stand
        empty = look_at_bgr(self._calibration.empty_bgr, frame.layout)
        self._ground = Ground(bare_ground(empty, small, self._disc_mask(SHADOW_RADII)), small)
        self._learn_paint(small)
        self._settle_discs()
        self._rest_luma = self._mean_luma()

    def _notice(self, small: Image) -> bool:
        """Note which caps are in their places and what else is to be seen; tells whether anything is missing."""
        is_rest, is_bare, left = self._ground.leftover(small)
        presences = {player: presence_at(stand, is_rest, is_bare) for player, stand in self._stands.items()}
        self._episode.see_presences(presences, self._t_s)
        if not self._episode.missing_s and len(self._stands) == len(self._caps):
            if self._stills.now:
                self._stills.forget()
                self._episode.forget()
            return False
        for player in self._episode.missing_s:
            stand = self._stands[player]
            view = left[stand.rows, stand.columns]
            view[stand.disc & (is_bare[stand.rows, stand.columns] == 0)] = 255
        blobs = find_blobs(small, self._ground.bare, left, self._paint, self._t_s)
        self._episode.see_blobs(blobs, self._t_s)
        self._stills.see(blobs, self._t_s)
        return True

    def _arrivals(self) -> list[Arrival]:
        """The caps that have come to rest elsewhere, once nothing flies any more."""
        return arrivals_of(
            stills=self._stills.now,
            episode=self._episode,
            players=self._order,
            stands=self._stands,
            t_s=self._t_s,
            settled_s=self._settled_s,
        )

    def _close(self, small: Image, arrivals: list[Arrival]) -> tuple[Event, ...]:
        """Tell what happened and take the scene as it is now."""
        picture, luma = self._mean_bgr(), self._mean_luma()
        moved = [self._moved(arrival, picture) for arrival in arrivals]
        moved += self._nudged({m.player for m in moved}, luma, picture)
        t_end_s = max((arrival.since_s for arrival in arrivals), default=self._t_s)
        told = tell(moved, frame_s=self._frame_s, t_end_s=t_end_s)
        left = [self._stands.pop(m.player) for m in moved if m.player in self._stands]
        for m in moved:
            stand = stand_at(self._calibration, self._caps[m.player], m.call.xy_mm, shrink=self._shrink)
            if stand is not None and m.call.location != "off":
                self._stands[m.player] = stand
        shape = small.shape[:2]
        now = [self._stands[m.player] for m in moved if m.player in self._stands]
        self._ground.settle(small, _discs(shape, now, SHADOW_RADII), _discs(shape, left, SHADOW_RADII))
        self._settle_discs()
        self._rest_luma = luma
        self._episode.forget()
        self._stills.forget()
        return told

    def _moved(self, arrival: Arrival, picture: Image) -> Moved:
        cap = self._caps[arrival.player]
        k = self._order.index(arrival.player)
        stand = self._stands.get(arrival.player)
        near_mm = self._to_mm(cap, arrival.xy_small[None])[0]
        call = self._call(cap, near_mm, picture)
        track = self._track(cap, k, stand, call, arrival)
        return Moved(
            call=call,
            from_mm=None if stand is None else stand.xy_mm,
            track=track,
            is_flown=has_flown(track) and stand is not None,
        )

    def _track(self, cap: Cap, k: int, stand: Stand | None, call: Call, arrival: Arrival) -> Track:
        start_s = self._episode.last_there_s.get(cap.player, self._t_s - 10.0)
        blobs = [blob for blob in self._episode.since(start_s) if blob.t_s < arrival.since_s]
        xy_mm = self._to_mm(cap, np.array([blob.xy_small[k] for blob in blobs]).reshape(-1, 2))
        sightings = sightings_of(blobs, k, xy_mm)
        from_mm = call.xy_mm if stand is None else stand.xy_mm
        track = follow(
            sightings,
            End(t_s=start_s, xy_mm=from_mm),
            End(t_s=max(arrival.since_s, start_s + 1e-3), xy_mm=call.xy_mm),
            player=cap.player,
            diameter_mm=cap.diameter_mm,
        )
        return departed(track, bare_s=self._episode.bare_s.get(cap.player))

    def _nudged(self, told: set[str], luma: Array, picture: Image) -> list[Moved]:
        """Find the caps that stayed nearly where they were, yet not quite."""
        found = []
        for player, stand in self._stands.items():
            if player in told:
                continue
            centre_px = small_to_px(stand.centre_small[None], self._shrink)[0]
            shift = shift_of_disc(self._rest_luma, luma, centre_px, stand.radius_small * self._shrink)
            if shift is None:
                continue
            moved_mm = self._to_mm(stand.cap, (stand.centre_small + np.array(shift.xy_px) / self._shrink)[None])[0]
            was_mm = self._to_mm(stand.cap, stand.centre_small[None])[0]
            move_mm = moved_mm - was_mm
            length_mm = float(np.hypot(*move_mm))
            if length_mm < LEAST_MOVE_MM or shift.length_px < LEAST_MOVE_PX or shift.unexplained > 0.5:
                continue
            call = self._call(stand.cap, np.array(stand.xy_mm) + move_mm, picture)
            found.append(Moved(call=call, from_mm=stand.xy_mm, track=None, is_flown=False))
        return found

    def _call(self, cap: Cap, near_mm: Array, picture: Image) -> Call:
        call = self._judge.fit(picture, cap, near_mm)
        if call:
            return call
        place = locate(self._calibration, near_mm, cap.diameter_mm)
        return Call(
            player=cap.player,
            xy_mm=(float(near_mm[0]), float(near_mm[1])),
            diameter_mm=cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=UNMEASURED_SIGMA_MM,
            is_certain=False,
        )

    def _to_mm(self, cap: Cap, xy_small: Array) -> Array:
        if not len(xy_small):
            return np.zeros((0, 2))
        return self._calibration.view.px_to_mm(small_to_px(xy_small, self._shrink), 0.6 * cap.height_mm)

    def _learn_paint(self, small: Image) -> None:
        radii, colours = [], []
        middle = tuple(np.array(self._calibration.board.size_mm) / 2)
        for player in self._order:
            cap, stand = self._caps[player], self._stands.get(player)
            radii.append(radius_small_of(self._calibration, cap, middle if stand is None else stand.xy_mm, self._shrink))
            if stand is None:
                rgb = np.uint8([[cap.colour_rgb[::-1]]])
                colours.append(look_at_bgr(np.tile(rgb, (8, 8, 1)), self._recent[-1].layout)[0, 0].astype(float))
            else:
                colours.append(paint_at(small, stand.centre_small, stand.radius_small))
        radius = np.array(radii)
        self._paint = Paint(yuv=np.array(colours), area_small=np.pi * radius**2, radius_small=radius)
        self._stills = Stills(float(radius.mean()))

    def _settle_discs(self) -> None:
        self._keep_out = self._disc_mask(SHADOW_RADII)

    def _disc_mask(self, radii: float) -> Image:
        width, height = (side // self._shrink for side in self._calibration.view.lens.size_px)
        return _discs((height, width), list(self._stands.values()), radii)

    def _mean_bgr(self) -> Image:
        frames = list(self._recent)[-AVERAGED:]
        total = np.zeros(frames[0].bgr.shape, np.float32)
        for frame in frames:
            cv2.accumulate(frame.bgr, total)
        return np.clip(total / len(frames) + 0.5, 0, 255).astype(np.uint8)

    def _mean_luma(self) -> Array:
        frames = list(self._recent)[-AVERAGED:]
        total = np.zeros(frames[0].luma.shape, np.float32)
        for frame in frames:
            cv2.accumulate(frame.luma, total)
        return total / len(frames)


def _discs(shape: tuple[int, int], stands: list[Stand], radii: float) -> Image:
    return discs(shape, np.array([s.centre_small for s in stands]), np.array([s.radius_small * radii for s in stands]))
