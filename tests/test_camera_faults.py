"""The camera is unplugged, hangs, or is slow: noticed within 2 s, said within 3, back within 10, and nothing invented.

Real processes, real sockets, real time; the eyes see nothing at all, so that any event would be an invented one.
"""

import os
import signal
import sys
import threading
import time
from contextlib import closing, suppress
from functools import partial
from urllib.parse import urlsplit

import pytest

from linesies.device.cameras.camera_process import Apart
from linesies.device.errors import CameraFailed
from linesies.device.loop.match import Match
from linesies.device.loop.pace import Pace
from linesies.vision import Frame
from tests.builders import write_film
from tests.mjpeg_server import MjpegCamera
from tests.pace import SLACK
from tests.refereeing import Listener, referee_on
from tests.rtsp_server import RtspCamera
from tests.test_match import ScriptedEyes

NOTICED_S, SAID_S, BACK_S = 2.0, 3.0, 10.0


class Said(Listener):
    """Remembers when each thing about the camera was announced."""

    def __init__(self):
        super().__init__()
        self.at_s = {}
        self.news = threading.Condition()

    def announce(self, rows):
        super().announce(rows)
        with self.news:
            for row in rows:
                if row.kind == "camera":
                    self.at_s.setdefault(row.body["event"], []).append(time.monotonic())
            self.news.notify_all()

    def wait_for(self, event, count=1):
        with self.news:
            assert self.news.wait_for(lambda: len(self.at_s.get(event, ())) >= count, 60), self.at_s
            return self.at_s[event][count - 1]


class Watching(threading.Thread):
    """A referee on a live camera, on a thread of its own; remembers each camera process that it opened."""

    def __init__(self, path, name):
        super().__init__(daemon=True)
        self.path, self.name_of_source = path, name
        self.ears = Said()
        self.sources = []
        self.eyes = ScriptedEyes({})
        self.has_ended = threading.Event()
        self.frames = 0
        self.start()

    def run(self):
        self.referee = referee_on(self.path, self.ears)
        self.match = Match(self.eyes, self.referee)
        self.eyes.see = self.count
        with suppress(KeyboardInterrupt):
            self.match.follow_live(self.open)

    def count(self, _frame):
        self.frames += 1
        if self.has_ended.is_set():
            raise KeyboardInterrupt
        return ()

    def open(self):
        if self.has_ended.is_set():
            raise KeyboardInterrupt
        source = Apart(self.name_of_source, meanwhile=self.match.serve)
        self.sources.append(source)
        return source

    def wait_for_frames(self, more=5):
        wanted, until_s = self.frames + more, time.monotonic() + 60
        while self.frames < wanted:
            assert time.monotonic() < until_s, "no frames come"
            time.sleep(0.02)


@pytest.fixture
def watch(tmp_path):
    watching = []

    def begin(name):
        watching.append(Watching(tmp_path / "journal.sqlite", name))
        watching[0].wait_for_frames()
        return watching[0]

    yield begin
    for one in watching:
        one.has_ended.set()
        one.join(30)
        assert one.referee.story.entries == (), "nothing was invented"
        assert {row.kind for row in one.ears.rows} <= {"set_up", "start", "ruled", "camera"}


def test_a_camera_that_hangs_is_noticed_killed_and_opened_again(watch):
    with RtspCamera(frames=600) as camera:
        referee = watch(camera.address)
        hung = referee.sources[0]._child
        began_s = time.monotonic()
        os.kill(hung.pid, signal.SIGSTOP)
        said_s = referee.ears.wait_for("camera_lost")
        back_s = referee.ears.wait_for("camera_back")
        told("hung", said_s - began_s, back_s - said_s)
        assert said_s - began_s < SAID_S * SLACK
        assert back_s - said_s < BACK_S * SLACK
        referee.wait_for_frames()
        assert hung.poll() is not None
        assert referee.eyes.forgotten >= 1
        referee.has_ended.set()
        referee.join(30)


@pytest.mark.parametrize("opened", [partial(RtspCamera, 400), MjpegCamera], ids=["rtsp", "http"])
def test_a_camera_that_is_unplugged_is_said_and_is_back_soon_after_it_returns(opened, watch):
    camera = opened()
    port = urlsplit(camera.address).port
    referee = watch(camera.address)
    began_s = time.monotonic()
    camera.unplug()
    said_s = referee.ears.wait_for("camera_lost")
    assert said_s - began_s < SAID_S * SLACK
    with opened(port=port):
        returned_s = time.monotonic()
        back_s = referee.ears.wait_for("camera_back")
        told(f"{camera.address.partition(':')[0]} unplugged", said_s - began_s, back_s - returned_s)
        assert back_s - returned_s < BACK_S * SLACK
        referee.has_ended.set()
        referee.join(30)


def test_a_camera_that_falls_silent_is_said_within_three_seconds(watch):
    with RtspCamera(frames=60, goes_silent=True) as camera:
        referee = watch(camera.address)
        last_s, frames = time.monotonic(), referee.frames
        while "camera_lost" not in referee.ears.at_s:
            if referee.frames != frames:
                last_s, frames = time.monotonic(), referee.frames
            time.sleep(0.01)
        assert referee.ears.wait_for("camera_lost") - last_s < SAID_S * SLACK
        referee.has_ended.set()
        referee.join(30)


def told(fault, said_s, back_s):
    print(f"\n{fault}: said after {said_s:.1f} s, back {back_s:.1f} s after that or after its return")  # noqa: T201


def frame(number, t_s):
    return Frame(None, layout=None, number=number, t_s=t_s)


def test_a_slow_camera_is_noticed_within_two_seconds_and_told_when_it_is_quick_again():
    pace, number, t_s = Pace(), 0, 0.0
    for _ in range(300):
        number, t_s = number + 1, t_s + 1 / 60
        pace.count(frame(number, t_s))
    assert round(pace.fps) == 60
    slow_since_s = t_s
    while not pace.is_slow:
        number, t_s = number + 1, t_s + 1 / 4
        pace.count(frame(number, t_s))
    assert t_s - slow_since_s <= NOTICED_S
    assert "frames a second" in pace.message
    while pace.is_slow:
        number, t_s = number + 1, t_s + 1 / 60
        pace.count(frame(number, t_s))
    assert t_s - slow_since_s < 5


def test_frames_that_we_are_too_slow_to_take_are_no_fault_of_the_camera():
    pace = Pace()
    for number in range(0, 300, 20):
        pace.count(frame(number, number / 60))
    assert not pace.is_slow


def test_another_camera_s_clock_is_not_compared_with_the_last_one_s():
    pace = Pace()
    for number in range(100):
        pace.count(frame(number, number / 60))
    pace.count(frame(0, 0.0))
    pace.count(frame(1, 1 / 60))
    assert not pace.is_slow


def test_a_slow_camera_is_told_and_play_goes_on(tmp_path):
    class Slow:
        is_live = True

        def __init__(self, times_s):
            self.times_s = times_s

        def frames(self):
            yield from (frame(number, t_s) for number, t_s in enumerate(self.times_s))

    with closing(referee_on(tmp_path / "journal.sqlite").journal) as journal:
        referee = referee_on(tmp_path / "journal.sqlite")
        quick = [n / 60 for n in range(120)]
        slow = [2 + n / 5 for n in range(20)]
        well = [6 + n / 60 for n in range(300)]
        Match(ScriptedEyes({}), referee).follow(Slow([*quick, *slow, *well]))
        told = [row.body["event"] for row in journal.rows_after(0) if row.kind == "camera"]
    assert told == ["camera_slow", "camera_back"]


def test_orders_are_taken_while_a_camera_takes_long_to_open(tmp_path):
    turns = []
    with Apart(str(write_film(tmp_path / "film.mp4", 12)), meanwhile=lambda: turns.append(1)):
        assert turns


DIES_HALF_OPEN = """#!{python}
import sys
from multiprocessing.connection import Connection
from linesies.device.cameras.ring import CameraOpened
from linesies.vision import Layout
pipe = Connection(int(sys.argv[-1]))
pipe.recv()
pipe.send(CameraOpened(size_px=(4, 4), fps=30.0, layout=Layout.BGR, shape=(4, 4, 3)))
"""


def test_a_camera_whose_process_dies_half_open_has_failed_like_any_other(tmp_path, monkeypatch):
    child = tmp_path / "child"
    child.write_text(DIES_HALF_OPEN.format(python=sys.executable))
    child.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(child))
    with pytest.raises(CameraFailed, match="its process ended"):
        Apart("v4l2:97")


def test_a_camera_that_cannot_be_opened_leaves_no_process_behind():
    with pytest.raises(CameraFailed):
        Apart("v4l2:97")
