"""The referee's eyes over a board of caps: who shot, whom he hit, where all came to rest, what was placed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.device.loop.gaze import Gaze
from linesies.referee.doubt import other_side
from linesies.vision import Call, Cap, Event, Expectation, Frame, Placed, Scene, Shot, Watcher

NEAR_MM = 3.0  # a call may err by this much at most


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
        self._placing: Mapping[str, str] = {}

    @property
    def scene(self) -> Scene:
        """Tell where caps are right now."""
        return self._watcher.scene

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """Look at the next frame; while the camera is away from its place, nothing is seen."""
        if self.has_moved:
            return ()
        events = tuple(self._completed(event) for event in self._watcher.see(frame))
        self._heed(events)
        return events

    def finish(self) -> tuple[Event, ...]:
        """Tell what was still open at the source's end."""
        return () if self.has_moved else tuple(self._completed(event) for event in self._watcher.finish())

    def expect(self, expectation: Expectation) -> None:
        """Say who is to shoot and who is to place his cap where: a prior, which never overrules what is seen."""
        self._placing = expectation.placing
        self._watcher.expect(expectation)

    def elsewhere(self, call: Call) -> str:
        """Name the location on the other side of the nearest edge of paint."""
        return other_side(self.calibration, call)

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with another calibration from now on, afresh."""
        super().recalibrate(calibration)
        self._watcher = Watcher(calibration, self._caps, settled_s=self._settled_s)

    def rekit(self, caps: Sequence[Cap]) -> None:
        """Look for these caps from now on, afresh."""
        self._caps = tuple(caps)
        self._watcher = Watcher(self.calibration, self._caps, settled_s=self._settled_s)

    def _completed(self, event: Event) -> Event:
        """Say of a cap put down on a line whose line it is: that of the box where it is due, if it touches that one."""
        seen = self._as_placing(event)
        if not isinstance(seen, Placed) or seen.of is not None:
            return seen
        touched = boxes_at_line(self.calibration, seen.call)
        due = self._placing.get(seen.player)
        return replace(seen, of=due if due in touched else next(iter(touched), None))

    def _as_placing(self, event: Event) -> Event:
        """Read a quick move into the very box where a cap is due as the placing: a cap in the hand cannot be shot."""
        if not isinstance(event, Shot) or event.hits or len(event.calls) != 1:
            return event
        due, call = self._placing.get(event.player), event.calls[0]
        if due is None or not (call.location == due or due in boxes_at_line(self.calibration, call)):
            return event
        return Placed(player=event.player, call=call, t_start_s=event.t_start_s, t_end_s=event.t_end_s)

    def forget(self) -> None:
        """Look afresh: the camera was away, and anything may have changed meanwhile."""
        self._watcher.forget()
