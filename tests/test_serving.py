"""The page runs in a process of its own, is started again when it ends, and ends with its parent."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from linesies.device.errors import DeviceError
from linesies.device.live_state import MomentWriter, read_moment
from linesies.device.phones.phones import Phones
from linesies.device.places import evidence_folder, journal_file
from linesies.device.serving.serving import Face, PortTaken
from linesies.device.serving.webapp import JournalFace, make_app
from linesies.device.serving.weborder import PageOrder
from linesies.device.settings.settings import WebSettings
from tests.refereeing import referee_on, shot

ANY_PORT = WebSettings(host="127.0.0.1", port=0)


@pytest.fixture
def referee(tmp_path):
    return referee_on(journal_file(tmp_path))


def fetch(address, patience_s=20.0):
    until_s = time.monotonic() + patience_s
    while True:
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.status
        except OSError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.1)


def is_alive(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_page_is_served_and_started_again_when_it_is_killed(tmp_path, referee, monkeypatch):
    monkeypatch.setattr("linesies.device.serving.serving.PAUSE_S", 0.0)
    face = Face(tmp_path, ANY_PORT)
    try:
        assert face.addresses == (f"http://127.0.0.1:{face.port}/",)
        assert fetch(face.addresses[0]) == 200
        assert not face.look_after()
        os.killpg(face._child.pid, signal.SIGKILL)
        face._child.wait()
        assert [trouble.who for trouble in face.look_after()] == ["page"]
        assert fetch(face.addresses[0]) == 200
    finally:
        face.close()
    with pytest.raises(ConnectionRefusedError), socket.socket() as probe:
        probe.connect(("127.0.0.1", face.port))


def test_the_page_is_ours_wherever_the_referee_is_started(tmp_path, referee, monkeypatch):
    (tmp_path / "web").mkdir()
    monkeypatch.chdir(tmp_path)
    face = Face(tmp_path, ANY_PORT)
    try:
        assert fetch(face.addresses[0]) == 200
    finally:
        face.close()


def test_the_page_ends_without_complaint_when_its_parent_is_killed(tmp_path, referee):
    script = (
        "import sys, time; from pathlib import Path; from linesies.device.serving.serving import Face; "
        "from linesies.device.settings.settings import WebSettings; "
        "face = Face(Path(sys.argv[1]), WebSettings(host='127.0.0.1', port=0)); "
        "print(face._child.pid, face.addresses[0], flush=True); time.sleep(60)"
    )
    command, complaints = [sys.executable, "-c", script, str(tmp_path)], tmp_path / "complaints.txt"
    with (
        complaints.open("w") as told,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True) as parent,
    ):
        child, address = parent.stdout.readline().split()
        assert fetch(address) == 200
        parent.kill()
    until_s = time.monotonic() + 15
    while is_alive(int(child)):
        assert time.monotonic() < until_s
        time.sleep(0.05)
    assert "Traceback" not in complaints.read_text()


def test_a_port_in_use_is_told_with_the_mend(tmp_path, monkeypatch):
    monkeypatch.setattr("linesies.device.serving.serving.PORT_PATIENCE_S", 0.1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} is in use .* --port"):
            Face(tmp_path, WebSettings(host="127.0.0.1", port=port))
    assert issubclass(PortTaken, DeviceError)


def test_the_page_reads_the_journal_and_submits_to_its_inbox(tmp_path, referee):
    referee.see(shot("ana", "1"))
    order = PageOrder(state=str(tmp_path), socket=0, names=("localhost",), may_order=True)
    app = make_app(order, Phones(tmp_path / "phones.sqlite"), JournalFace(referee.journal))
    answer = app.test_client().get("/")
    assert answer.status_code == 200
    face = JournalFace(referee.journal)
    assert face.story_json()["state"]["turn"] == "ana"
    assert face.last_id() == referee.story.row
    referee.see(shot("ana", "open"))
    assert face.story_json()["state"]["turn"] == "bo"
    assert not evidence_folder(tmp_path).exists()


def test_the_moment_is_replaced_as_a_whole_and_not_too_often(tmp_path):
    path = str(tmp_path / "journal.sqlite")
    assert read_moment(path)["camera"] == "lost"
    writer = MomentWriter(path, lambda: {"in": "on"})
    assert writer.is_due
    writer.write({"t": 1.0, "camera": "ok"})
    assert not writer.is_due
    assert read_moment(path) == {"t": 1.0, "camera": "ok", "signals": {"in": "on"}}
    assert json.loads((tmp_path / "journal.sqlite.now").read_text())["t"] == 1.0
