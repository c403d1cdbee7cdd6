"""The password in a camera's address stands in no message, no page, no journal and no backup."""

import tarfile
from contextlib import closing
from itertools import product

import pytest

from linesies.device.box.backup import back_up
from linesies.device.box.status import status_of, words_of
from linesies.device.cameras.camera_process import Apart
from linesies.device.hushing import hushed
from linesies.device.journal.journal import Journal
from linesies.device.loop.match import Match
from linesies.device.places import journal_file
from linesies.device.serving.webapp import JournalFace
from linesies.web import create_app
from linesies.web.safety import COOKIE, TOKEN_HEADER, sign_of
from tests.mjpeg_server import MjpegCamera
from tests.refereeing import Listener, referee_on
from tests.test_bad_input import STREET, calibrated, linesies  # noqa: F401 - a fixture
from tests.test_match import ScriptedEyes
from tests.thorough import cases

MISTYPED = [
    "rtsp:/ana:secret@box/street",
    "rtps://ana:secret@box/street?key=secret",
    "RTSP://ana:se@secret@127.0.0.1:9/",
]


ADDRESSES = ["rtsp://ana:secret@127.0.0.1:9/street?key=secret", *MISTYPED]
COMMANDS = ["doctor", "judge", "calibrate", "lens"]


@pytest.mark.takes_turns(seconds=15)
@pytest.mark.parametrize(
    ("command", "address"), cases(zip(COMMANDS, ADDRESSES, strict=True), more=product(COMMANDS, ADDRESSES))
)
def test_no_command_repeats_it(command, address, calibrated, tmp_path):  # noqa: F811
    given = {
        "doctor": ("--calibration", calibrated),
        "judge": ("--calibration", calibrated, "--caps", STREET / "caps.json"),
        "calibrate": ("--board", STREET / "board.json", "-o", tmp_path / "out.json"),
        "lens": ("-o", tmp_path / "lens.json"),
    }
    told = linesies(command, address, *given[command])
    assert told.returncode in (1, 2)
    assert told.stderr.startswith("linesies: ")
    assert "secret" not in told.stdout + told.stderr


def test_a_sentence_without_an_address_is_told_as_it_is():
    words = "photos/me@home.jpg: breaks off at frame 7 (what now?); see docs/trouble.md"
    assert hushed(words) == words


def test_neither_journal_page_status_nor_backup_holds_it(tmp_path):
    with MjpegCamera(hangs_up=10) as camera, closing(Journal(journal_file(tmp_path))) as journal:
        address = camera.address.replace("//", "//ana:secret@") + "?key=secret"
        referee = referee_on(journal.path, Listener())
        match = Match(ScriptedEyes({}), referee)
        seen = []

        def opened():
            seen.append(address)
            return Apart(address, meanwhile=match.serve)

        match.follow_live(opened, is_done=lambda: len(seen) > 1)
        page = create_app(JournalFace(journal), journal.submit, dict).test_client()
        page.get("/")
        headers = {"Origin": "http://localhost", TOKEN_HEADER: sign_of(page.get_cookie(COOKIE).value)}
        sent = page.post("/orders", json={"order": "camera", "source": address}, headers=headers)
        assert sent.status_code == 400
        told = [page.get(path).text for path in ("/story", "/past", "/past/1", "/past/1.jsonl")]
        assert any(row.body["event"] == "camera_lost" for row in journal.rows_after(0) if row.kind == "camera")
        told += [sent.text, *words_of(status_of(tmp_path))]
        back_up(tmp_path, tmp_path / "games.tar")
    with tarfile.open(tmp_path / "games.tar") as tar:
        told += [tar.extractfile(member).read().decode("latin-1") for member in tar.getmembers() if member.isfile()]
    told += [path.read_text("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert "secret" not in "".join(told)
