"""The loop: frame by frame from the camera to the eyes, from the eyes to the referee, and the moment for the page.

What the journal cannot take just now waits in the backlog; the loop goes on turning, sees, and tells what is wrong.
"""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from linesies.calibration import identity
from linesies.device.announcers.evidence import Evidence, WantedEvidence
from linesies.device.box.heart import Heart, Silent
from linesies.device.cameras.source import Source
from linesies.device.cases.struck import StruckPlaces
from linesies.device.errors import CameraFailed, CameraStalled
from linesies.device.live_state import MomentWriter
from linesies.device.loop.backlog import Backlog
from linesies.device.loop.ending import leave_if_asked
from linesies.device.loop.eyes import Eyes, Seen
from linesies.device.loop.owner_orders import Steward
from linesies.device.loop.pace import Pace
from linesies.device.loop.repeatability import Repeated
from linesies.games import GAMES
from linesies.referee.referee import Referee
from linesies.referee.rows import Ordered, Row, read_body
from linesies.referee.saying import Saying, Trouble
from linesies.referee.seating import sitting_of
from linesies.referee.story import Story
from linesies.vision import CameraLeaned, CameraMoved, Event, Expectation, Frame, Shot, TableEvent

REOPEN_S = 1.0
POLL_S = 0.05  # how often the inbox is looked into while nothing is seen
WATCH_EVERY_S = 1.0
AGAIN = "The camera sees again: hold play until it has found the board."
Watch = Callable[[], Sequence[Trouble]]  # what is newly wrong, or well again, beside the game


class Match:
    """Joins eyes, referee, evidence and the moment; remembers the camera's state and how fast its frames come."""

    def __init__(  # noqa: PLR0913 - what is joined, each by its name
        self,
        eyes: Eyes,
        referee: Referee,
        *,
        evidence: Evidence | None = None,
        moment: MomentWriter | None = None,
        watches: Sequence[Watch] = (),
        heart: Heart | None = None,
        steward: Steward | None = None,
    ) -> None:
        self._eyes = eyes
        self._referee = referee
        self._evidence = evidence
        self._moment = moment
        self._watches = watches
        self._heart = heart or Silent()
        self._steward = steward
        self._backlog = Backlog(referee)
        self._camera = _camera_in(referee.story)
        self._pace = Pace()
        self._struck = StruckPlaces()
        self._game: str | None = None  # that the eyes are for: the first that they are told of
        self._watch_s = 0.0
        self._has_held = False
        self._repeated: Repeated | None = None

    def follow(self, source: Source, is_done: Callable[[], bool] | None = None) -> bool:
        """Referee a source until that is so (else to the game's end) or to its own end; tells whether it is so."""
        is_done = is_done or (lambda: self._referee.is_over)
        self._expect()
        if source.is_live:
            spare_what_lasts()
        for frame in source.frames():
            self._see(frame, is_live=source.is_live)
            self.serve()
            if source.is_live and self._steward is not None and self._steward.has_new_camera():
                raise CameraFailed("another camera was chosen")
            self._heart.beat(f"camera {self._camera}, {self._pace.fps:.0f} frames a second")
            if is_done():
                return True
        for event in self._eyes.finish():
            self._take(event, None)
        return is_done()

    def follow_live(self, open_source: Callable[[], Source], is_done: Callable[[], bool] | None = None) -> bool:
        """Referee a live camera as `follow` does, opening it again whenever it breaks or hangs."""
        while True:
            try:
                with open_source() as source:
                    self._greet_camera()
                    return self.follow(source, is_done)
            except (CameraFailed, CameraStalled) as fault:
                self._tell_camera_is("lost", str(fault))
                self.serve_for(REOPEN_S)
                if self._steward is not None:
                    self._steward.has_new_camera()  # it is opened now anyway

    def camera(self, usual: str) -> str:
        """Name the camera to open: what people chose on the page, or else the usual one."""
        return usual if self._steward is None else self._steward.camera(usual)

    def serve_for(self, seconds: float, *, status: str | None = None) -> None:
        """Take orders and tell the moment without a camera, and systemd how it goes: a box lives without one too."""
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            self.serve()
            self._heart.beat(status or f"camera {self._camera}")
            time.sleep(POLL_S)

    @property
    def is_over(self) -> bool:
        """Tell whether the game is over and nobody needs the camera."""
        return self._referee.is_over and not (self._steward is not None and self._steward.is_looking)

    def serve_while_over(self) -> None:
        """Go on taking orders after the game's end, until one of them opens it again."""
        while self.is_over:
            self.serve_for(POLL_S, status="the game is over")

    def serve(self) -> None:
        """Take orders, tell troubles, pictures and the moment; once a turn of the loop, which may end here."""
        leave_if_asked()
        before = self._referee.story.row
        self._backlog.try_again()
        self._backlog.do(self._take_orders)
        self._tell([] if self._steward is None else self._steward.learned())
        if time.monotonic() >= self._watch_s:
            self._watch_s = time.monotonic() + WATCH_EVERY_S
            self._tell([trouble for watch in self._watches for trouble in watch()])
        self._tell(self._referee.troubles())
        if self._evidence is not None:
            for shown in self._evidence.done():
                self._backlog.keep(partial(self._referee.tell_evidence, shown.about, shown.body))
                self._tell([] if shown.fault is None else [Trouble("evidence", Saying("no_evidence", why=shown.fault))])
        if self._referee.story.row != before:
            self._expect()
        if self._moment is not None and self._moment.is_due:
            self._moment.write(self._now())

    def _take_orders(self) -> None:
        """Take each order and do what it asks beside the game, before the next: that one may fail to be written."""
        for rows in self._referee.each_order():
            if any(_says_that_eyes_erred(row) for row in rows):
                self._eyes.stand_corrected()
            if self._steward is not None:
                self._tell(self._steward.take(rows))

    def _tell(self, troubles: Sequence[Trouble]) -> None:
        for trouble in troubles:
            self._backlog.keep(partial(self._referee.tell_trouble, trouble))

    def _greet_camera(self) -> None:
        """Look afresh: a camera that is opened counts its seconds from its own start, whatever went before."""
        self._eyes.forget()
        if self._camera == "lost":
            self._tell_camera_is(*(("moved", AGAIN) if self._eyes.has_moved else ("ok", "The camera sees again.")))

    def _tell_camera_is(self, state: str, message: str) -> None:
        """Tell once that the camera is lost, slow, moved, or ok again."""
        if self._camera != state:
            self._camera = state
            event = "camera_back" if state == "ok" else f"camera_{state}"
            self._backlog.keep(lambda: self._referee.tell_camera(event, message))

    def _see(self, frame: Frame, *, is_live: bool) -> None:
        self._pace.count(frame)
        frame = self._eyes.prepared(frame)
        if self._evidence is not None:
            self._evidence.see(frame)
        if self._steward is not None:
            self._tell(self._steward.see(frame))
        if is_live and self._camera in ("ok", "slow"):
            self._tell_camera_is("slow" if self._pace.is_slow else "ok", self._pace.message)
        if self._is_held():
            return
        for event in self._eyes.see(frame):
            self._take(event, frame)
        if self._evidence is not None and self._evidence.files_cases and self._eyes.calibration is not None:
            self._struck.see(frame, self._eyes.scene, self._eyes.calibration)
        if self._camera == "moved" and (not self._eyes.has_moved or self._eyes.has_found_board_again(frame)):
            self._tell_camera_is("ok", "The board is found again; play goes on.")
            self._tell([] if self._steward is None else self._steward.found_again())

    def _is_held(self) -> bool:
        """Tell whether nothing counts just now: after a game's end, or while the box is proved; then look afresh."""
        was_held = self._has_held
        self._has_held = self._referee.is_over or (self._steward is not None and self._steward.is_proving)
        if was_held and not self._has_held:
            self._eyes.forget()
        return self._has_held

    def _take(self, event: Seen, frame: Frame | None) -> None:
        """Rule on what was seen; what has to wait for the journal goes without a picture."""
        if isinstance(event, CameraLeaned):
            lean = Trouble("camera", Saying("camera_leaned", {"px": event.px}))
            self._tell([lean if event.px else Trouble.over("camera")])
            return
        if isinstance(event, Repeated):
            self._tell(self._heed_repeated(event))
            return
        if isinstance(event, CameraMoved):
            self._camera = "moved"
        picture = None if self._backlog.is_waiting else frame
        self._backlog.keep(lambda: self._rule_on(event, picture))

    def _heed_repeated(self, repeated: Repeated) -> list[Trouble]:
        """Keep how alike caps that lie still are measured; tells once that they are not, and once that they are."""
        was_beyond = self._repeated is not None and self._repeated.is_beyond
        self._repeated = repeated
        if repeated.is_beyond == was_beyond:
            return []
        apart = {"scatter": round(repeated.scatter_mm, 2), "sigma": round(repeated.sigma_mm, 2)}
        return [Trouble("repeat", Saying("scattered", apart)) if repeated.is_beyond else Trouble.over("repeat")]

    def _rule_on(self, event: Event | TableEvent, frame: Frame | None) -> None:
        awaited = self._referee.story.public
        rows = self._referee.see(event)
        if frame is not None and rows[0].kind == "seen":
            self._show(rows[0].id, event, frame, awaited)
        self._expect()

    def _show(self, row: int, event: Event | TableEvent, frame: Frame, awaited: Mapping[str, Any] | None) -> None:
        """Have what was seen shown with the row that tells it."""
        calibration = self._eyes.calibration
        if self._evidence is not None and calibration is not None:
            disputed = self._referee.story.disputed
            wanted = WantedEvidence(
                about=row,
                frame=frame,
                calibration=calibration,
                event=event,
                awaited=awaited,
                disputed=disputed,
                contacts=self._struck.of(event) if isinstance(event, Shot) else {},
            )
            self._evidence.take(wanted)

    def _expect(self) -> None:
        """Tell the eyes what the rules await; of a game that they are not for, they are told nothing."""
        state = self._referee.story.public or {}
        self._game = self._game or state.get("game")
        if state.get("game") != self._game:
            return
        placing = {due["player"]: due["box"] for due in state.get("awaiting", ()) if due.get("what") == "place"}
        story = self._referee.story
        rulings = [told for entry in story.entries[-1:] for told in entry.rulings]
        back = frozenset(told["player"] for told in rulings if told["code"] in GAMES[story.game_name].put_back)
        expectation = Expectation(
            shooter=state.get("turn"),
            placing=placing,
            put_back=back,
            seating=sitting_of(story).seating,
            public=state or None,
        )
        self._eyes.expect(expectation)

    def _now(self) -> dict[str, Any]:
        scene = self._eyes.scene
        state = self._referee.story.public or {}
        uncalled = {held.event.get("player") for held in self._referee.story.uncalled}
        return {
            "t": time.time(),
            "at_rest": scene.is_at_rest,
            "caps": {
                name: [round(x, 1), round(y, 1)] for name, (x, y) in scene.caps_mm.items() if name not in uncalled
            },
            "camera": self._camera,
            "in_air": None if scene.is_at_rest else state.get("turn"),
            "fps": round(self._pace.fps, 1),
            "trouble": self._backlog.fault,
            "repeated": None if self._repeated is None else asdict(self._repeated),
            "calibration": None if self._eyes.calibration is None else identity(self._eyes.calibration),
        }


def _camera_in(story: Story) -> str:
    """Name the state of the camera that was told last, perhaps before a restart: what is wrong is taken back."""
    event = str(story.camera.get("event", "camera_back"))
    return "ok" if event == "camera_back" else event.removeprefix("camera_")


def _says_that_eyes_erred(row: Row) -> bool:
    """Tell whether people report something that the eyes missed or invented."""
    told = read_body(row)
    if not isinstance(told, Ordered) or told.refused or not told.is_agreed:
        return False
    return told.order == "undo" or (told.order == "event" and told.event["event"] in ("shot", "placed"))


def spare_what_lasts() -> None:
    """Leave what there is by now out of collections of garbage: to look it all through holds up some live frames."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
