"""Everything round the cores, opened and closed together: journal, pins, announcers, evidence, page."""

import contextlib
import fcntl
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self, TextIO

from linesies.device.announcers.announcing import Announcer, Announcers
from linesies.device.announcers.drawings import draw_calls, draw_table
from linesies.device.announcers.evidence import Evidence
from linesies.device.announcers.evidence_store import Shelf
from linesies.device.announcers.pins import open_pins
from linesies.device.announcers.signals import Buttons, Signals
from linesies.device.box.heart import open_heart
from linesies.device.box.power import PowerWatch, open_power
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.filing import Filing
from linesies.device.errors import BadInput, DeviceError
from linesies.device.journal.mending import open_journal
from linesies.device.live_state import NOTHING, MomentWriter
from linesies.device.loop.card_lesson import CardLesson
from linesies.device.loop.eyes import Eyes
from linesies.device.loop.match import Match, Watch
from linesies.device.loop.owner_orders import SetUpPaths, Steward
from linesies.device.loop.sight import is_table
from linesies.device.membership import read_membership
from linesies.device.memory import give_back
from linesies.device.outside import open_announcers
from linesies.device.phones.phones import REFEREE, Phones
from linesies.device.places import cases_folder, evidence_folder, journal_file, phones_file
from linesies.device.serving.serving import Face
from linesies.device.settings.settings import Settings
from linesies.referee.doubt import Policy, policy_of
from linesies.referee.referee import Referee
from linesies.referee.saying import Saying, Trouble
from linesies.referee.story import Story
from linesies.vision import Cap


class InUse(DeviceError, RuntimeError):  # noqa: N818 - reads as what happened
    """Another referee writes to this state folder; the text says how to choose another."""


class Assembly:
    """All that a referee needs beside camera and eyes; close it to dark lamps, no page, a closed journal.

    `news` is what was wrong as it opened. `serves_page` False leaves the page to `linesies web`; the moment that it
    shows is written all the same.
    """

    def __init__(self, settings: Settings, *, more: Sequence[Announcer] = (), serves_page: bool = True) -> None:
        self._open = contextlib.ExitStack()
        self.settings = settings
        self.state = Path(settings.keep.state)
        self.face: Face | None = None
        self._serves_page = serves_page
        self._watches: list[Watch] = []
        self._lesson = CardLesson(self.state)
        try:
            self._assemble(more)
        except BaseException:
            self._open.close()
            raise

    def _assemble(self, more: Sequence[Announcer]) -> None:
        self._open.enter_context(alone_in(self.state))
        self.journal, mended = open_journal(journal_file(self.state))
        self._open.callback(self.journal.close)
        self.news = [] if mended is None else [Trouble("journal", mended.saying)]
        pins = open_pins(self.settings.pins.library)
        self._open.callback(pins.factory.close)
        if pins.why_mock is not None:
            self.news.append(Trouble("pins", Saying("no_pins", why=pins.why_mock)))
        self._signals = Signals(self.settings.pins, pins.factory, sounds=self.settings.sounds)
        buttons = Buttons(self.settings.pins, pins.factory, self.journal.submit, held=self._blink_code)
        self._open.callback(buttons.close)
        self.news += [Trouble("buttons", Saying("button_fails", why=fault)) for fault in buttons.faults]
        self._watches += [PowerWatch(open_power()), give_back]
        others, aside = open_announcers()
        self.news += [one.trouble for one in aside]
        self._announcers = Announcers([self._signals, *self._far_announcers(), *others, *more])
        self._open.callback(self._announcers.close)
        self._moment: MomentWriter | None = None
        if self.settings.web.serve:
            self._moment = MomentWriter(self.journal.path, self._signals.shown)
        if self.settings.web.serve and self._serves_page:
            self.face = Face(self.state, self.settings.web)
            self._open.callback(self.face.close)
            self._watches.append(self.face.look_after)

    def tell_preparing(self, what: str, *, about_s: float) -> None:
        """Let the page say what is being made ready, and about how long that takes from now."""
        if self._moment is not None:
            doing = {"what": what, "begun": time.time(), "about_s": about_s}
            self._moment.write({**NOTHING, "camera": "ok", "doing": doing})

    @contextlib.contextmanager
    def match(self, eyes: Eyes, caps: Sequence[Cap], known: Story | None = None) -> Iterator[tuple[Match, Referee]]:
        """Join eyes to a referee who knows the journal so far, with pictures and clips of what he rules on."""
        referee = Referee(self.journal, self._announcers, elsewhere=eyes.elsewhere, policy=self._policy(), known=known)
        keep = self.settings.keep
        folder = evidence_folder(self.state)
        has_caps = bool(caps) and not is_table(eyes.calibration)
        clips = keep.clips if has_caps else 0  # a film of a card table would show what people hold in their hands
        shelf = Shelf(folder, pictures=keep.pictures, clips=clips, megabytes=keep.megabytes)
        draw = draw_calls(caps) if has_caps else draw_table
        with contextlib.closing(Evidence(shelf, draw, self._filing(caps))) as evidence:
            match = Match(
                eyes,
                referee,
                evidence=evidence,
                moment=self._moment,
                watches=self._watches,
                heart=open_heart(),
                steward=self._steward(eyes, referee, caps, evidence),
            )
            over = [Trouble.over(who) for who in referee.story.troubles]
            for trouble in (*over, *self.news):
                referee.tell_trouble(trouble)
            yield match, referee

    def _filing(self, caps: Sequence[Cap]) -> Filing | None:
        """Say where case files go: nowhere without caps or room."""
        store = CaseStore(cases_folder(self.state), megabytes=self.settings.keep.cases_megabytes)
        settled_s = self.settings.camera.settled_s
        return Filing(store=store, caps=tuple(caps), settled_s=settled_s) if caps and store.is_kept else None

    def _steward(self, eyes: Eyes, referee: Referee, caps: Sequence[Cap], evidence: Evidence) -> Steward:
        camera = self.settings.camera
        kept = SetUpPaths(state=self.state, calibration=Path(camera.calibration), caps=Path(camera.caps))

        def rekit(caps: Sequence[Cap]) -> None:
            evidence.show_with(draw_calls(caps), self._filing(caps))

        return Steward(eyes, caps, kept=kept, redraw=referee.redraw, rekit=rekit, lesson=self._lesson)

    def _blink_code(self) -> None:
        """Let the lamps tell the code for the referee's phone, beside the game."""
        web = self.settings.web
        if web.serve and web.pairing and web.may_order:
            code = Phones(phones_file(self.state)).codes(())[REFEREE]
            threading.Thread(target=self._signals.tell_code, args=(code,), name="code", daemon=True).start()

    def _far_announcers(self) -> Iterator[Announcer]:
        """Open those that settings ask for."""
        if self.settings.wled.address:
            from linesies.device.announcers.wled import Wled  # noqa: PLC0415 - speaks HTTP, which few boxes need

            yield Wled(self.settings.wled, lit_s=self.settings.pins.lit_s)
        if self.settings.voice.program != "off":
            from linesies.device.announcers.loudspeaker import Loudspeaker, open_voice  # noqa: PLC0415 - with the page's words

            speak, told = open_voice(self.settings.voice)
            self.news += told
            yield Loudspeaker(self.settings.voice.language, speak, self.journal.path)
        if self.settings.mqtt.broker:
            from linesies.device.announcers.mqtt import Mqtt  # noqa: PLC0415 - its library only when chosen

            yield Mqtt(self.settings.mqtt, self.journal.path)
        membership = read_membership(self.state)
        if membership is not None:
            from linesies.device.announcers.offering import FileOffering  # noqa: PLC0415 - only who belongs to a league
            from linesies.device.announcers.pushing import LeaguePusher  # noqa: PLC0415 - likewise

            yield LeaguePusher(membership, self.state, self.journal.path)
            yield FileOffering(membership, self.state, self.journal.path, may_leave=self.settings.league.pictures)

    def _policy(self) -> Policy:
        doubt = self.settings.doubt
        return policy_of(line=doubt.line, hit=doubt.hit, shooter=doubt.shooter)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


@contextlib.contextmanager
def alone_in(state: Path) -> Iterator[TextIO]:
    """Make sure that nobody else referees into this folder; the lock falls with the process, however it ends."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        lock = (state / "lock").open("w")
    except OSError as fault:
        raise BadInput(f"{state}: cannot be written ({fault.strerror}); choose another state folder") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse(f"{state}: another referee writes there; end it, or choose another state folder") from None
        yield lock
