"""The referee's eyes over a board of caps: who shot, whom he hit, where all came to rest, what was placed."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.device.loop.gaze import Gaze
from linesies.device.loop.repeatability import EVERY_S, Repeatability, Repeated
from linesies.referee.doubt import other_side
from linesies.vision import (
    Call,
    CameraLeaned,
    CameraMoved,
    Cap,
    Event,
    Expectation,
    Frame,
    GlancedFrame,
    Placed,
    Scene,
    Shot,
    Watcher,
)

NEAR_MM = 3.0  # a call may err by this much at most
LEANT_PX = 6  # a centimetre on the ground: people are told, once, until it is less than half of that again
OVER_START_DIAMETERS = 1.0  # past the start line as drawn, which is painted by eye, a cap does not lie behind it


def boxes_at_line(calibration: Calibration, call: Call) -> tuple[str, ...]:
    """Name the regions whose lines the cap touches or nearly touches, the nearest first."""
    reach_mm = call.diameter_mm / 2 + calibration.board.line_width_mm / 2 + NEAR_MM
    away_mm = {
        region.name: abs(cv2.pointPolygonTest(region.polygon_mm.astype(np.float32), call.xy_mm, measureDist=True))
        for region in calibration.regions
    }
    return tuple(name for name in sorted(away_mm, key=away_mm.__getitem__) if away_mm[name] <= reach_mm)


class CapEyes(Gaze):
    """Remembers the watcher over the calibrated board, and the caps that it looks for."""

    def __init__(self, calibration: Calibration, caps: Sequence[Cap], *, settled_s: float) -> None:
        super().__init__(calibration)
        self._caps = tuple(caps)
        self._settled_s = settled_s
        self._watcher = Watcher(calibration, self._caps, settled_s=settled_s)
        self._is_lean_told = False
        self._repeatability = Repeatability()
        self._again_s: float | None = None
        self._last_again = ""

    @property
    def scene(self) -> Scene:
        """Tell where caps are right now."""
        return self._watcher.scene

    def prepared(self, frame: Frame) -> Frame:
        """Make its small picture, which the film of the game shows too."""
        return frame if isinstance(frame, GlancedFrame) else GlancedFrame(frame)

    def see(self, frame: Frame) -> tuple[Event | CameraLeaned | Repeated, ...]:
        """Look at the next frame; while the camera is away from its place, nothing is seen."""
        if self.has_moved:
            return ()
        if frame.size_px != self.calibration.view.lens.size_px:  # another camera, or a phone that was turned
            moved = (CameraMoved(t_s=frame.t_s),)
            self._heed(moved)
            return moved
        events = tuple(self._completed(event) for event in self._watcher.see(frame))
        self._heed(events)
        return (*events, *self._lean(), *self._again(frame.t_s))

    def finish(self) -> tuple[Event, ...]:
        """Tell what was still open at the source's end."""
        return () if self.has_moved else tuple(self._completed(event) for event in self._watcher.finish())

    def expect(self, expectation: Expectation) -> None:
        """Say who is to shoot and who is to place his cap where: a prior, which never overrules what is seen."""
        super().expect(expectation)
        self._watcher.expect(expectation)

    def elsewhere(self, call: Call) -> str:
        """Name the location on the other side of the nearest edge of paint."""
        return other_side(self.calibration, call)

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with another calibration from now on, afresh."""
        super().recalibrate(calibration)
        self._watch_afresh()

    def rekit(self, caps: Sequence[Cap]) -> None:
        """Look for these caps from now on, afresh."""
        self._caps = tuple(caps)
        self._watch_afresh()

    def _watch_afresh(self) -> None:
        """Begin a new watcher, which awaits what the last one did."""
        self._watcher = Watcher(self.calibration, self._caps, settled_s=self._settled_s)
        self._watcher.expect(self._expected)

    def _lean(self) -> tuple[CameraLeaned, ...]:
        """Tell once that the camera has leaned, and once that it is as calibrated again."""
        leant_px = self._watcher.leant_px
        is_leaning = leant_px > (LEANT_PX / 2 if self._is_lean_told else LEANT_PX)
        if is_leaning == self._is_lean_told:
            return ()
        self._is_lean_told = is_leaning
        return (CameraLeaned(px=round(leant_px) if is_leaning else 0),)

    def _again(self, t_s: float) -> tuple[Repeated, ...]:
        """Measure one of the caps that lie still once more, now and then."""
        if self._again_s is None:
            self._again_s = t_s + EVERY_S
        if t_s < self._again_s or not self.scene.is_at_rest or not self.scene.caps_mm:
            return ()
        players = sorted(self.scene.caps_mm)
        player = next((one for one in players if one > self._last_again), players[0])
        self._again_s, self._last_again = t_s + EVERY_S, player
        call = self._watcher.measured_again(player)
        told = None if call is None else self._repeatability.add(player, call)
        return () if told is None else (told,)

    def _completed(self, event: Event) -> Event:
        """Say of a cap put down on a line whose line it is: that of the box where it is due, if it touches that one."""
        seen = self._as_placing(event)
        if isinstance(seen, Shot) and self._is_at_start(seen.player):
            return replace(seen, is_behind_start=not self._is_before_start(seen))
        if not isinstance(seen, Placed) or seen.of is not None:
            return seen
        touched = boxes_at_line(self.calibration, seen.call)
        due = self._expected.placing.get(seen.player)
        return replace(seen, of=due if due in touched else next(iter(touched), None))

    def _is_at_start(self, player: str) -> bool:
        """Tell whether by the rules a player has yet to shoot from the start line."""
        players = (self._expected.public or {}).get("players", ())
        return any(one["name"] == player and one.get("at") == "start" for one in players)

    def _is_before_start(self, shot: Shot) -> bool:
        """Tell whether a cap lay between start line and board; where nobody drew that line, none does."""
        board = self.calibration.board
        if board.start_line_mm is None or shot.from_mm is None:
            return False
        start, end = board.start_line_mm
        inwards = np.array([start[1] - end[1], end[0] - start[0]]) / np.hypot(*(end - start))
        if inwards @ (np.array(board.size_mm) / 2 - start) < 0:
            inwards = -inwards
        diameter_mm = next(call.diameter_mm for call in shot.calls if call.player == shot.player)
        return bool(inwards @ (shot.from_mm - start) > OVER_START_DIAMETERS * diameter_mm)

    def _as_placing(self, event: Event) -> Event:
        """Read a quick move into the very box where a cap is due as the placing: a cap in the hand cannot be shot."""
        if not isinstance(event, Shot) or event.hits or len(event.calls) != 1:
            return event
        due, call = self._expected.placing.get(event.player), event.calls[0]
        if due is None or not (call.location == due or due in boxes_at_line(self.calibration, call)):
            return event
        return Placed(player=event.player, call=call, t_start_s=event.t_start_s, t_end_s=event.t_end_s)

    def stand_corrected(self) -> None:
        """Look afresh as soon as nothing is going on: another player may be taking aim."""
        self._watcher.look_afresh()

    def forget(self) -> None:
        """Look afresh: the camera was away, and anything may have changed meanwhile."""
        self._watcher.forget()
        self._again_s = None
