"""The demo: game after game in the simulator, seen, ruled on and shown by the same code as a real one."""

import itertools
import os
import sys
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import numpy as np

from linesies.calibration import Calibration, calibrate, read_calibration, write_calibration
from linesies.device.announcers.announcing import Announcer
from linesies.device.cameras.camera_process import Apart
from linesies.device.errors import DeviceError
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.match import Match
from linesies.device.loop.set_up import set_up_json
from linesies.device.places import calibration_file
from linesies.device.printing import Printer
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.referee.folding import story_of
from linesies.referee.story import Story
from linesies.simulator.customs import Customs
from linesies.simulator.scenes import Simulated, open_scene, place_of, result_of
from linesies.simulator.street.naming import SMALL

PAUSE_S = 10.0  # to look at the winner
READY_S = {"street": 15.0, "table": 15.0}  # about what painting and learning a place takes
FAST = {"fps": "15"}  # cards need no more, and half the frames take half the time


class NoBoardSeen(DeviceError, RuntimeError):  # noqa: N818 - reads as what happened
    """The simulated board could not be calibrated; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoWishes:
    """What was asked for on the command line; `games` None plays on for ever."""

    state: Path
    game: str = "skully"
    seed: int = 1
    customs: Customs = field(default_factory=Customs)
    is_fast: bool = False
    games: int | None = None
    port: int | None = None  # None: no page
    has_browser: bool = False
    is_small: bool = False  # half the picture's width, a third of the frames
    is_paired: bool = False  # whether phones are let in by codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who hears of it: words for people, rows for other programs, and each street after its game."""

    say: Callable[[str], None]
    printer: Printer | None = None
    after_game: Callable[[Simulated], None] = lambda _street: None


def play_demo(wishes: DemoWishes, audience: Audience) -> None:
    """Play and referee games until enough are over or somebody ends it; goes on with a game that was broken off."""
    more: list[Announcer] = [] if audience.printer is None else [audience.printer]
    with Assembly(_settings(wishes), more=more) as assembly:
        if assembly.face is not None:
            for line in assembly.face.invitation:
                audience.say(line)
            _open_browser(assembly.face.addresses[0], wanted=wishes.has_browser)
        for name in itertools.islice(_places(assembly, wishes), wishes.games):
            _play_one(assembly, name, wishes, audience)


def _play_one(assembly: Assembly, name: str, wishes: DemoWishes, audience: Audience) -> None:
    place = "street" if place_of(wishes.game) in READY_S else "table"
    assembly.tell_preparing(place, about_s=READY_S[place])
    scene = open_scene(name, assembly.journal.path)
    with scene.source as simulated:
        calibration = _calibrated(assembly, name, simulated)
        eyes = scene.look(calibration)
        with assembly.match(eyes, scene.caps) as (match, referee):
            if not referee.has_game:
                set_up = set_up_json(calibration, scene.caps)
                referee.begin({**set_up, "source": name}, simulated.start)
            if audience.printer is not None:
                audience.printer.tell_standing(referee.story)
            if _follow(match, simulated, f"{name}&{urlencode({'journal': assembly.journal.path})}", wishes):
                audience.say(f"{name}: {result_of(referee.story.standing, referee.story.effective_events)}")
            audience.after_game(simulated)
            if not wishes.is_fast:
                match.serve_for(PAUSE_S)


def _follow(match: Match, street: Simulated, name: str, wishes: DemoWishes) -> bool:
    return match.follow(street) if wishes.is_fast else match.follow_live(lambda: Apart(name, meanwhile=match.serve))


def _calibrated(assembly: Assembly, name: str, street: Simulated) -> Calibration:
    """Calibrate on the empty board, as people do; a game that goes on keeps the calibration that it began with."""
    path = calibration_file(assembly.state)
    story = story_of(assembly.journal)
    if not _is_open(story) or (story.set_up or {}).get("source") != name or not path.exists():
        found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=np.array(street.corners_px))
        if not isinstance(found, Calibration):
            raise NoBoardSeen(f"{name}: {found.reason}")
        write_calibration(found, path)
    return read_calibration(path)


def _places(assembly: Assembly, wishes: DemoWishes) -> Iterator[str]:
    """Name the places to play at: that of a game that is still open, then one seed after the other."""
    story = story_of(assembly.journal)
    seed = wishes.seed
    last = (story.set_up or {}).get("source")
    if last is not None:
        seed = int(dict(parse_qsl(last.partition("?")[2]))["seed"]) + 1
        if _is_open(story):
            yield last
    more: dict[str, str] = wishes.customs.as_options()
    if wishes.is_small and wishes.game == "skully":
        more |= SMALL
    if wishes.is_fast and wishes.game != "skully":
        more |= FAST
    for number in itertools.count(seed):
        yield f"sim:{place_of(wishes.game)}?{urlencode({'seed': str(number), **more})}"


def _is_open(story: Story) -> bool:
    return story.start is not None and not story.is_over


def _settings(wishes: DemoWishes) -> Settings:
    web = WebSettings(serve=False) if wishes.port is None else WebSettings(port=wishes.port, pairing=wishes.is_paired)
    keep = KeepSettings(state=str(wishes.state))
    if wishes.is_fast:
        keep = replace(keep, pictures=0, clips=0)
    camera = CameraSettings(calibration=str(calibration_file(wishes.state)))
    return Settings(camera=camera, pins=PinSettings(library="mock"), web=web, keep=keep)


def _open_browser(address: str, *, wanted: bool) -> None:
    """Open the page where there is a desktop; elsewhere a browser in the terminal would hide the demo's own words."""
    if wanted and (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(address)
