"""The referee's eyes: a watcher over the calibrated board, which finds the board again after the camera was moved."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import Calibration, Lens, NoBoard, calibrate, follow
from device.journal.doubt import other_side
from vision import Call, CameraMoved, Cap, Event, Expectation, Frame, Placed, Scene, Shot, Watcher

LOOK_AGAIN_S = 2.0
NEAR_MM = 3.0  # a call may err by this much at most


def boxes_at_line(calibration: Calibration, call: Call) -> tuple[str, ...]:
    """Name the regions whose lines the cap touches or nearly touches, the nearest first."""
    reach_mm = call.diameter_mm / 2 + calibration.board.line_width_mm / 2 + NEAR_MM
    away_mm = {
        region.name: abs(cv2.pointPolygonTest(region.polygon_mm.astype(np.float32), call.xy_mm, measureDist=True))
        for region in calibration.regions
    }
    return tuple(name for name in sorted(away_mm, key=away_mm.__getitem__) if away_mm[name] <= reach_mm)


def found_again(known: Calibration, lens: Lens | None, frame: Frame) -> Calibration | NoBoard:
    """Find the board of a calibration again: slightly moved, or anew with this lens; without one it is estimated."""
    is_same = lens is not None and known.has_frame_size(frame.bgr)
    return (is_same and follow(known, frame.bgr)) or calibrate(frame.bgr, known.board, lens=lens if is_same else None)


class Eyes:
    """Remembers the calibration, the watcher over it, and whether the camera has been moved since."""

    def __init__(self, calibration: Calibration, caps: Sequence[Cap], *, settled_s: float) -> None:
        self.calibration = calibration
        self.has_moved = False
        self.lens: Lens | None = calibration.view.lens
        self._caps = caps
        self._settled_s = settled_s
        self._watcher = Watcher(calibration, caps, settled_s=settled_s)
        self._look_again_s = 0.0
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
        self.has_moved = any(isinstance(event, CameraMoved) for event in events)
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S
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

    def has_found_board_again(self, frame: Frame) -> bool:
        """After the camera was moved, try every few seconds to find the board: slightly moved, or else anew."""
        if not self.has_moved or time.monotonic() < self._look_again_s:
            return False
        found = found_again(self.calibration, self.lens, frame)
        self._look_again_s = time.monotonic() + LOOK_AGAIN_S
        if not isinstance(found, Calibration):
            return False
        self.recalibrate(found)
        return True

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with another calibration from now on, afresh."""
        self.calibration = calibration
        self.lens = calibration.view.lens
        self._watcher = Watcher(calibration, self._caps, settled_s=self._settled_s)
        self.has_moved = False

    def look_through_another(self) -> None:
        """See nothing until another camera, of which no lens is known, has found the board."""
        self.has_moved, self.lens = True, None

    def rekit(self, caps: Sequence[Cap]) -> None:
        """Look for these caps from now on, afresh."""
        self._caps = caps
        self._watcher = Watcher(self.calibration, caps, settled_s=self._settled_s)

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
