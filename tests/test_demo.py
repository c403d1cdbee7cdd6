"""The demo begins, rules, is shown, and ends cleanly with all its children."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

PATIENCE_S = 100.0


def children_of(process_id):
    """The processes below one, themselves' children included (Linux)."""
    below = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, parent = int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == process_id:
            below += [number, *children_of(number)]
    return below


def is_running(process_id):
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def demo(*options):
    command = [sys.executable, "-m", "linesies", "demo", "--no-browser", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process, how):
    """End the demo as people do; what it said last, once it and all its children have gone."""
    children = children_of(process.pid)
    process.send_signal(how)
    output, errors = process.communicate(timeout=90)
    until_s = time.monotonic() + 5
    while any(is_running(child) for child in children):
        assert time.monotonic() < until_s, "a child is left"
        time.sleep(0.05)
    return output, errors


@pytest.mark.takes_turns(seconds=16)
@pytest.mark.timeout(200)
def test_at_full_speed_it_rules_without_a_page(tmp_path):
    process = demo("--state", str(tmp_path), "--no-web", "--speed", "max", "--json")
    lines = [json.loads(process.stdout.readline()) for _ in range(3)]
    assert {"standing", "start"} == {line["kind"] for line in lines[:2]}
    assert lines[2]["kind"] in ("ruled", "proposal")
    _, errors = end(process, signal.SIGTERM)
    assert process.returncode == 0
    assert errors.strip() == "Ended."


@pytest.mark.takes_turns(seconds=18)
@pytest.mark.timeout(200)
def test_in_real_time_it_shows_the_game_and_ends_on_ctrl_c_with_all_its_children(tmp_path):
    process = demo("--port", "0", "--state", str(tmp_path))
    address = process.stdout.readline().split()[5]
    assert address.startswith("http://127.0.0.1:")
    moment = tmp_path / "journal.sqlite.now"
    until_s = time.monotonic() + PATIENCE_S
    while not (moment.exists() and json.loads(moment.read_text())["caps"]):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until_s
        time.sleep(0.1)
    with urllib.request.urlopen(address, timeout=60) as page:
        assert page.status == 200
    assert len(children_of(process.pid)) >= 2, "camera and page"
    output, errors = end(process, signal.SIGINT)
    assert process.returncode == 0
    assert output.strip() == "Ended."
    assert errors == ""
    assert not os.path.exists(f"/proc/{process.pid}")  # noqa: PTH110 - a process, not a file


def test_a_second_referee_on_the_same_folder_is_turned_away(tmp_path):
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = demo("--state", str(tmp_path), "--no-web")
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert "another referee writes there" in errors
    assert errors.count("\n") == 1
