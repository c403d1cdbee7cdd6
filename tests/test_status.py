"""How the box does: `linesies status`, and the log that journald keeps."""

import io
import json
import time

import pytest

from linesies.device.box.logbook import Logbook
from linesies.device.commands import status
from linesies.device.errors import BadInput
from linesies.device.live_state import MomentWriter
from linesies.device.places import evidence_folder, journal_file
from linesies.referee.rows import Row
from tests.refereeing import Listener, referee_on, shot
from tests.test_referee_commands import run


def test_a_running_game_is_told_in_words_and_as_json(tmp_path, monkeypatch):
    monkeypatch.setattr("linesies.device.box.status.open_power", lambda: lambda: 0x50005)
    referee = referee_on(journal_file(tmp_path))
    referee.see(shot("ana", "1", certain=False))
    referee.journal.close()
    evidence_folder(tmp_path).mkdir()
    (evidence_folder(tmp_path) / "00000003-0.jpg").write_bytes(b"x" * 200_000)
    moment = {"t": time.time(), "camera": "slow", "fps": 9.7, "trouble": "the disk is full"}
    MomentWriter(str(journal_file(tmp_path)), dict).write(moment)
    told = json.loads(run(status.command, tmp_path, "--json").output)
    assert told["referee"] == "runs"
    assert (told["camera"], told["game"], told["turn"], told["asked"]) == ("slow", "skully", "ana", 1)
    assert told["troubles"] == {"journal": "the disk is full"}
    assert told["evidence_mb"] == 0.2
    words = run(status.command, tmp_path).output
    for part in ("runs", "slow, 10 frames", "ana is on, 1 questions wait", "voltage", "the disk is full"):
        assert part in words


def test_codes_for_phones_are_shown_to_whoever_may_read_them(tmp_path):
    referee_on(journal_file(tmp_path)).journal.close()
    lines = run(status.command, tmp_path, "--codes").output.splitlines()
    assert any(line.startswith("To be the referee on your phone") for line in lines)
    assert [line.split(":")[0] for line in lines if line.startswith("Seat")] == [
        "Seat of ana",
        "Seat of bo",
        "Seat of cy",
    ]


def test_where_nobody_has_played_it_says_so(tmp_path):
    words = run(status.command, tmp_path / "none").output
    assert "none: nothing was ever kept here" in words
    assert "does not run" in words
    assert "no game" in words
    assert "None" not in words


def test_whoever_may_not_look_is_told_how_to_ask(tmp_path, monkeypatch):
    def forbidden(_state):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("linesies.device.commands.status.status_of", forbidden)
    with pytest.raises(BadInput, match="sudo -u linesies"):
        run(status.command, tmp_path)


def test_the_log_has_a_level_a_line_and_no_secret():
    stream = io.StringIO()
    log = Logbook(stream)
    ears = Listener()
    rows = [
        Row(
            id=1,
            at_s=0,
            origin="camera",
            kind="camera",
            about=None,
            body={"event": "camera_lost", "message": "gone\n!"},
        ),
        Row(id=2, at_s=0, origin="wled", kind="trouble", about=None, body={"message": "no answer"}),
        Row(id=3, at_s=0, origin="wled", kind="trouble", about=None, body={"message": "works again", "is_over": True}),
        Row(id=4, at_s=0, origin="phone 12ab", kind="order", about=None, body={"order": "undo", "why": "secret"}),
        Row(id=0, at_s=0, origin="journal", kind="unwritten", about=None, body={"message": "full"}),
    ]
    log.announce(rows)
    ears.announce(rows)
    log.close()
    assert stream.getvalue().splitlines() == [
        "<3>camera: gone !",
        "<4>wled: no answer",
        "<5>wled: works again",
        "<3>nothing can be written: full",
    ]


def test_rulings_are_logged_with_their_paragraph(tmp_path):
    stream = io.StringIO()
    referee = referee_on(tmp_path / "journal.sqlite", Logbook(stream))
    referee.see(shot("ana", "1"))
    referee._announcers.close()
    referee.journal.close()
    lines = stream.getvalue().splitlines()
    assert lines[0] == "<5>a game of skully begins: ana, bo, cy"
    assert any(line.startswith("<6>row 4:") and "(3." in line for line in lines)
