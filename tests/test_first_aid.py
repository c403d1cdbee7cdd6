"""A referee who cannot start leaves a page that says why and offers the mend; after it, he starts.

The commands are those of the units, on real files; service manager is the test.
"""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from linesies.device.box.ailments import LAST_WORDS
from linesies.device.journal.journal import Journal
from linesies.device.phones.phones import REFEREE, Phones
from linesies.device.places import journal_file, phones_file

UNITS = Path(__file__).parent.parent / "systemd"
PATIENCE_S = 60.0


class Box:
    """A state folder and settings as the package makes them, and the commands of its units."""

    def __init__(self, folder, monkeypatch):
        self.state, self.config = folder / "state", folder / "linesies.toml"
        self.state.mkdir()
        monkeypatch.setenv("RUNTIME_DIRECTORY", str(folder))
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.write_settings()
        self.process = None

    def write_settings(self):
        self.config.write_text(
            f"""[camera]
source = "v4l2:97"
calibration = "{self.state}/calibration.json"
caps = "{self.state}/caps.json"
[web]
host = "127.0.0.1"
port = {self.port}
[pins]
library = "mock"
[keep]
state = "{self.state}"
"""
        )

    def start(self, unit):
        told = re.search(r"^ExecStart=\S+ (.*)$", (UNITS / f"linesies-{unit}.service").read_text(), re.MULTILINE)[1]
        told = told.replace("/etc/linesies/linesies.toml", str(self.config)).replace(
            "/var/lib/linesies", str(self.state)
        )
        command = [sys.executable, "-m", "linesies", *told.split()]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        return self.process

    def page(self, **sent):
        """Fetch the page, or send it a form; gives the status and the page's text."""
        data = urllib.parse.urlencode(sent).encode() if sent else None
        until_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", data, timeout=60) as told:
                    return told.status, told.read().decode()
            except urllib.error.HTTPError as told:
                return told.code, told.read().decode()
            except OSError:
                assert time.monotonic() < until_s
                time.sleep(0.1)

    def code(self):
        return Phones(phones_file(self.state)).codes(())[REFEREE]


@pytest.fixture
def box(tmp_path, monkeypatch):
    one = Box(tmp_path, monkeypatch)
    yield one
    if one.process is not None:
        one.process.kill()
        one.process.wait()
        one.process.stderr.close()


def ends_with(process):
    _, said = process.communicate(timeout=PATIENCE_S)
    return process.returncode, said


SPOILT = {"calibration.json": "calibration.json", "caps.json": "caps.json", "journal.sqlite": "journal"}


def spoil(box, name):
    if name == "journal.sqlite":
        with closing(Journal(journal_file(box.state))):
            pass
        journal_file(box.state).unlink()
        journal_file(box.state).mkdir()  # what no mending of damaged files can help
    else:
        (box.state / "calibration.json").write_text("{}")  # both there: nothing is left to be set up
        (box.state / "caps.json").write_text("{}")


@pytest.mark.parametrize("name", SPOILT)
def test_what_cannot_be_read_is_said_and_set_aside_by_whoever_has_the_code(name, box):
    spoil(box, name)
    assert ends_with(box.start("referee"))[0] == 2
    aid = box.start("aid")
    status, page = box.page()
    assert (status, SPOILT[name] in page) == (503, True)
    mend = next(one for one in re.findall(r'name="mend" value="([^"]+)"', page) if name in one)
    assert box.page(mend=mend, code="000")[0] == 403
    assert (box.state / name).exists()
    assert box.page(mend=mend, code=box.code())[0] == 200
    assert ends_with(aid)[0] == 0, "so that the unit tries the referee again"
    assert not (box.state / name).exists()
    assert [path for path in box.state.iterdir() if path.name.startswith(f"{name}.2")], "nothing is thrown away"


def test_a_referee_starts_after_the_mend(box):
    spoil(box, "calibration.json")
    aid = box.start("aid")
    for mend in re.findall(r'name="mend" value="([^"]+)"', box.page()[1])[:1]:
        box.page(mend=mend, code=box.code())
    assert ends_with(aid)[0] == 0
    referee = box.start("referee")
    read_until(referee, "Nothing is set up yet")
    referee.send_signal(signal.SIGTERM)
    assert ends_with(referee)[0] == 0


def read_until(process, words):
    lines = []
    for line in process.stderr:
        lines.append(line)
        if words in line:
            return
    raise AssertionError("".join(lines))


def test_settings_that_nobody_can_read_are_named_with_their_line_and_the_page_is_there_all_the_same(box, monkeypatch):
    box.config.write_text(f"[web]\nport = {box.port}\nhsot = 1\n")
    assert ends_with(box.start("referee"))[0] == 2
    monkeypatch.setattr(box, "port", 8642)
    aid = box.start("aid")
    status, page = box.page()
    assert (status, "linesies.toml:3" in page) == (503, True)
    aid.terminate()
    assert ends_with(aid)[0] != 0, "who stops the box does not have it started again"


def test_his_last_words_are_told_without_a_password_and_he_may_be_tried_again(box):
    (box.folder / LAST_WORDS).write_text("CameraFailed: rtsp:/ana:secret@box/<b>: there is none")
    aid = box.start("aid")
    _, page = box.page()
    assert "CameraFailed: rtsp:/box/&lt;b&gt;" in page
    assert "secret" not in page
    assert box.page(mend="", code=box.code())[0] == 200
    assert ends_with(aid)[0] == 0


def test_a_strange_host_or_origin_is_refused(box):
    box.start("aid")
    box.page()
    for name, value in (("Host", "evil.example"), ("Origin", "http://evil.example")):
        asked = urllib.request.Request(f"http://127.0.0.1:{box.port}/", b"code=1", {name: value})
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(asked, timeout=60)
