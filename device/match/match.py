"""The loop: frame by frame from the camera to the eyes, from the eyes to the referee, and the moment for the page."""

import time
from collections.abc import Callable
from typing import Any, Protocol

from device.announcers.evidence import Evidence
from device.cameras.source import Source
from device.errors import CameraFailed, CameraStalled
from device.journal.journal import Row
from device.journal.moment import MomentWriter
from device.match.referee import Referee
from device.serving import Face
from vision import Call, CameraMoved, Event, Expectation, Frame, Placed, Scene, Shot

REOPEN_S = 1.0
POLL_S = 0.05  # how often the inbox is looked into while nothing is seen


class Seer(Protocol):
    """What the loop needs of eyes."""

    has_moved: bool
    calibration: Any

    @property
    def scene(self) -> Scene:
        """Tell where caps are right now."""
        ...

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """Look at the next frame."""
        ...

    def finish(self) -> tuple[Event, ...]:
        """Tell what was still open at the source's end."""
        ...

    def expect(self, expectation: Expectation) -> None:
        """Say who is to shoot and who is to place his cap."""
        ...

    def has_found_board_again(self, frame: Frame) -> bool:
        """After the camera was moved, try to find the board."""
        ...

    def forget(self) -> None:
        """Look afresh."""
        ...


class Match:
    """Joins eyes, referee, evidence and the moment; remembers the camera's state and its frame rate."""

    def __init__(
        self,
        eyes: Seer,
        referee: Referee,
        *,
        evidence: Evidence | None = None,
        moment: MomentWriter | None = None,
        face: Face | None = None,
    ) -> None:
        self._eyes = eyes
        self._referee = referee
        self._evidence = evidence
        self._moment = moment
        self._face = face
        self._camera = "ok"
        self._fps = 0.0
        self._last_t_s: float | None = None

    def follow(self, source: Source) -> bool:
        """Referee a source to the game's end or its own; tells whether the game is over."""
        self._expect()
        for frame in source.frames():
            self._see(frame)
            self._serve()
            if self._referee.is_over:
                return True
        for event in self._eyes.finish():
            self._referee.see(event)
        return self._referee.is_over

    def follow_live(self, open_source: Callable[[], Source]) -> bool:
        """Referee a live camera to the game's end, opening it again whenever it breaks or hangs."""
        while True:
            try:
                with open_source() as source:
                    self._greet_camera()
                    return self.follow(source)
            except (CameraFailed, CameraStalled) as fault:
                if self._camera != "lost":
                    self._camera = "lost"
                    self._referee.tell_camera("camera_lost", str(fault))
                self.serve_for(REOPEN_S)

    def serve_for(self, seconds: float) -> None:
        """Take orders and tell the moment without a camera."""
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            self._serve()
            time.sleep(POLL_S)

    def serve_while_over(self) -> None:
        """Go on taking orders after the game's end, until one of them opens it again."""
        while self._referee.is_over:
            self.serve_for(POLL_S)

    def _greet_camera(self) -> None:
        if self._camera == "lost":
            self._camera = "ok"
            self._eyes.forget()
            self._referee.tell_camera("camera_back", "The camera sees again.")

    def _see(self, frame: Frame) -> None:
        self._count(frame)
        for event in self._eyes.see(frame):
            rows = self._referee.see(event)
            if isinstance(event, CameraMoved):
                self._camera = "moved"
            elif self._evidence is not None and rows[0].kind == "seen":
                self._evidence.take(rows[0].id, frame, self._eyes.calibration, _calls(event))
            self._expect()
        if self._eyes.has_moved and self._eyes.has_found_board_again(frame):
            self._camera = "ok"
            self._referee.tell_camera("camera_back", "The board is found again; play goes on.")

    def _serve(self) -> None:
        before = self._referee.story.row
        if any(_says_that_eyes_erred(row) for row in self._referee.take_orders()):
            self._eyes.forget()
        self._referee.tell_troubles()
        if self._evidence is not None:
            for pictures in self._evidence.done():
                self._referee.tell_evidence(pictures.about, pictures.names)
                if pictures.fault is not None:
                    self._referee.tell_trouble("evidence", pictures.fault)
        if self._referee.story.row != before:
            self._expect()
        if self._moment is not None and self._moment.is_due:
            self._moment.write(self._now())
            self._look_after_page()

    def _look_after_page(self) -> None:
        if self._face is not None and self._face.look_after():
            self._referee.tell_trouble("page", "ended by itself and was started again")

    def _expect(self) -> None:
        state = self._referee.story.public or {}
        placing = {due["player"]: due["box"] for due in state.get("awaiting", ()) if due.get("what") == "place"}
        self._eyes.expect(Expectation(shooter=state.get("turn"), placing=placing))

    def _count(self, frame: Frame) -> None:
        if self._last_t_s is not None and frame.t_s > self._last_t_s:
            self._fps += 0.05 * (1 / (frame.t_s - self._last_t_s) - self._fps)
        self._last_t_s = frame.t_s

    def _now(self) -> dict[str, Any]:
        scene = self._eyes.scene
        state = self._referee.story.public or {}
        return {
            "t": time.time(),
            "at_rest": scene.is_at_rest,
            "caps": {name: [round(xy[0], 1), round(xy[1], 1)] for name, xy in scene.caps_mm.items()},
            "camera": self._camera,
            "in_air": None if scene.is_at_rest else state.get("turn"),
            "fps": round(self._fps, 1),
        }


def _says_that_eyes_erred(row: Row) -> bool:
    """Tell whether people report something that the eyes missed or invented: then they had better look afresh."""
    event = row.body.get("event") or {}
    was_missed = row.body.get("order") == "event" and event.get("event") in ("shot", "placed")
    return row.kind == "order" and (was_missed or row.body.get("order") == "undo")


def _calls(event: Shot | Placed) -> tuple[Call, ...]:
    """List the calls of what was seen, the shooter's first."""
    if isinstance(event, Placed):
        return (event.call,)
    return tuple(sorted(event.calls, key=lambda call: call.player != event.player))
