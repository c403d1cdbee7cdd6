"""A folder for a demo goes with it, and that of a killed one goes when the next one begins."""

import subprocess
import sys
import tempfile

import pytest

from linesies.device.places import passing_folder

HOLD = "from linesies.device.places import passing_folder\nwith passing_folder() as f: print(f, flush=True); input()"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def holder():
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    return process


def test_it_goes_when_it_is_no_longer_needed(elsewhere):
    with passing_folder() as folder:
        (folder / "journal.sqlite").write_text("")
        assert folder.parent == elsewhere
    assert list(elsewhere.iterdir()) == []


def test_what_a_killed_one_left_goes_when_the_next_one_begins_and_what_lives_stays(elsewhere):
    killed, alive = holder(), holder()
    killed.kill()
    killed.communicate()
    (elsewhere / "linesies-mine").mkdir()
    assert len(list(elsewhere.iterdir())) == 3
    with passing_folder():
        assert len(list(elsewhere.iterdir())) == 3, "the killed one has gone, ours has come, what is not marked stays"
    alive.communicate("\n")
    assert [path.name for path in elsewhere.iterdir()] == ["linesies-mine"]
