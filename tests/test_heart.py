"""The heartbeat: systemd hears it only while the loop turns, or while the page answers."""

import contextlib
import http.server
import socket
import threading
from types import SimpleNamespace

import pytest

from linesies.device.box.heart import Silent, Watched, open_heart
from linesies.device.errors import CameraStalled
from linesies.device.loop.match import Match
from linesies.device.serving.webface import _beat_while_it_answers
from tests.refereeing import referee_on
from tests.test_match import ScriptedEyes, ScriptedSource


class Heartbeats:
    def __init__(self):
        self.told = []

    def beat(self, status):
        self.told.append(status)


@pytest.fixture
def systemd(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(0.1)
        yield ear


def heard(ear):
    told = []
    while True:
        try:
            told.append(ear.recv(1000).decode())
        except TimeoutError:
            return told


def test_the_first_beat_tells_ready_and_the_next_ones_that_we_live(systemd):
    heart = open_heart({"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "40000"})
    heart.beat("fine")
    assert heard(systemd) == ["READY=1\nSTATUS=fine\nWATCHDOG=1\n"]
    heart.beat("fine")
    assert heard(systemd) == ["STATUS=fine\nWATCHDOG=1\n"]


def test_beats_are_spared_while_nothing_changes(systemd):
    heart = Watched(systemd.getsockname(), patience_s=60.0)
    for status in ("fine", "fine", "slow", "slow"):
        heart.beat(status)
    assert len(heard(systemd)) == 2


def test_nobody_listens_and_nothing_happens(tmp_path):
    assert isinstance(open_heart({}), Silent)
    Watched(str(tmp_path / "gone"), patience_s=1.0).beat("fine")


def test_the_loop_beats_with_each_frame_and_while_it_waits_for_a_camera(tmp_path):
    heart = Heartbeats()
    match = Match(ScriptedEyes({}), referee_on(tmp_path / "journal.sqlite"), heart=heart)
    with pytest.raises(CameraStalled):
        match.follow(ScriptedSource(range(5), CameraStalled("no frame")))
    assert len(heart.told) == 5
    match.serve_for(0.2)
    assert len(heart.told) > 5, "systemd would end a box that has no camera, whoever sets it up or plays cards on it"


def test_a_game_that_is_over_wants_no_frames_to_live(tmp_path):
    referee = referee_on(tmp_path / "journal.sqlite")
    for name in ("bo", "cy"):
        referee.journal.submit({"order": "event", "event": {"event": "leave", "player": name}}, "phone")
    heart = Heartbeats()
    match = Match(ScriptedEyes({}), referee, heart=heart)
    match.serve_for(0.01)
    referee.journal.submit({"order": "undo"}, "phone")
    match.serve_while_over()
    assert set(heart.told[1:]) == {"the game is over"}


def test_the_page_beats_only_while_it_answers_and_says_once_why_not(monkeypatch, caplog):
    answers = iter([200, 500, 500, 200])

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(next(answers))
            self.end_headers()

        def log_message(self, *_):
            pass

    pauses = iter(range(3))
    monkeypatch.setattr("linesies.device.serving.webface.time", SimpleNamespace(sleep=lambda _s: next(pauses)))
    heart = Heartbeats()
    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        with pytest.raises(StopIteration):
            _beat_while_it_answers(heart, f"http://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()
    assert heart.told == ["the page answers"] * 2
    assert [record.getMessage() for record in caplog.records] == [
        "the page answers no more: HTTP Error 500: Internal Server Error"
    ]


def test_a_listener_that_is_stuck_holds_nothing_up_and_hears_ready_when_he_listens_again(systemd):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                other.sendto(b"STATUS=busy", systemd.getsockname())
    heart = Watched(systemd.getsockname(), patience_s=60.0)
    heart.beat("fine")
    assert "READY=1" not in "".join(heard(systemd))
    heart.beat("fine")
    assert heard(systemd) == ["READY=1\nSTATUS=fine\nWATCHDOG=1\n"]
