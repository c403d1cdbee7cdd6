"""An afternoon of simulated play with a fault each minute, and nobody who lends a hand (`make soak`: two hours).

LINESIES_SOAK_S says how long; without it this test is skipped. The game is the demo in real time: camera, referee and
page in processes of their own, begun again by nobody but this test, which does what systemd does for a box. The camera
is small and slow (640x360, 20 frames a second): a quarter of a core bears it, so that it may run beside other work.
LINESIES_SPEED=max plays as fast as it can with the camera in the referee's own process, and leaves out its faults: for
machines that are too busy to simulate a camera in real time.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file
from linesies.referee.folding import fold, story_of
from tests.memory import held_mb
from tests.refereeing import rows_of
from tests.test_demo import children_of, is_running

SECONDS = float(os.environ.get("LINESIES_SOAK_S", "0"))
EVERY_S = float(os.environ.get("LINESIES_FAULT_EVERY_S", "60"))
SPEED = os.environ.get("LINESIES_SPEED", "1")
SEED = int(os.environ.get("LINESIES_SEED", "1"))
LONGEST_STILL_S = 300.0  # of a machine's undivided time; without a new row for as long something is stuck
REFERENCE_S = 0.01  # of work, by which it is seen how much of its time the machine gives us
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


class GrantedTime:
    """A clock that runs as fast as the machine lets us work: beside much other work it falls behind the wall's."""

    def __init__(self):
        self.now_s, self._wall_s = 0.0, time.monotonic()

    def tick(self):
        """Wait a second and count how much of it would have been ours."""
        time.sleep(1)
        wall_s, own_s = time.monotonic(), time.thread_time()
        while time.thread_time() - own_s < REFERENCE_S:
            pass
        share = (time.thread_time() - own_s) / (time.monotonic() - wall_s)
        self.now_s += min(share, 1.0) * (time.monotonic() - self._wall_s)
        self._wall_s = time.monotonic()


class Box:
    """The demo, begun again whenever it ends; remembers what it announced and how often it was begun."""

    def __init__(self, state):
        self.state, self.lines, self.complaints, self.starts = state, [], [], 0
        self.is_wanted = True
        self.process = None
        self.most_mb = 0.0
        self.keeper = threading.Thread(target=self.keep, daemon=True)
        self.keeper.start()

    def keep(self):
        command = [sys.executable, "-m", "linesies", "demo", "--no-browser", "--port", "0", "--json"]
        command += ["--small", "--speed", SPEED]
        while self.is_wanted:
            self.starts += 1
            with (self.state / "complaints.txt").open("a") as complaints:
                self.process = subprocess.Popen(
                    [*command, "--state", str(self.state)], stdout=subprocess.PIPE, stderr=complaints, text=True
                )
                for line in self.process.stdout:
                    if line.endswith("\n"):
                        self.lines.append(json.loads(line))
                self.process.stdout.close()
                self.process.wait()
            time.sleep(2)

    def child(self, mark):
        """Find the newest child whose command line holds a mark; None while there is none."""
        found = []
        for number in children_of(self.process.pid):
            with suppress(OSError), open(f"/proc/{number}/cmdline") as line:  # noqa: PTH123 - a process, not a file
                if mark in line.read():
                    found.append(number)
        return max(found, default=None)

    def weigh(self):
        """Tell how much memory all hold now, and what of it is the referee's own, the camera's and the page's."""
        whose = {"referee": self.process.pid, "camera": self.child("cameras.alone"), "page": self.child("webface")}
        all_mb, own_mb = held_mb([self.process.pid, *children_of(self.process.pid)])
        self.most_mb = max(self.most_mb, all_mb)
        return ", ".join([f"{all_mb:.0f} MB", *(f"{name} {own_mb.get(pid, 0):.0f}" for name, pid in whose.items())])

    def end(self):
        self.is_wanted = False
        children = children_of(self.process.pid)
        self.process.send_signal(signal.SIGTERM)
        self.keeper.join(60)
        return [child for child in children if is_running(child)]


def kill_camera(box, _chance):
    os.kill(box.child("cameras.alone"), signal.SIGKILL)


def hang_camera(box, _chance):
    os.kill(box.child("cameras.alone"), signal.SIGSTOP)


def kill_page(box, _chance):
    os.kill(box.child("linesies.device.serving.webface"), signal.SIGKILL)


def cut_power(box, _chance):
    os.kill(box.process.pid, signal.SIGKILL)


def hold_everything(box, chance):
    pid = box.process.pid
    os.kill(pid, signal.SIGSTOP)
    time.sleep(chance.uniform(1, 8))
    os.kill(pid, signal.SIGCONT)


def fill_disk(box, chance):
    """Let no file of the referee grow beyond where it is: every write further out fails, as on a full disk."""
    pid = box.process.pid
    size = journal_file(box.state).with_name("journal.sqlite-wal").stat().st_size
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (max(1, size // 2), resource.RLIM_INFINITY))
    time.sleep(chance.uniform(5, 25))
    resource.prlimit(pid, resource.RLIMIT_FSIZE, NO_LIMIT)


def order_nonsense(box, chance):
    with closing(Journal(journal_file(box.state))) as journal:
        for _ in range(20):
            journal.submit(chance.choice([None, [], {"order": "undo", "about": 10**9}, {"order": 3}, "?"]), "phone")


OF_CAMERA = [] if SPEED == "max" else [kill_camera, hang_camera]
FAULTS = [*OF_CAMERA, kill_page, cut_power, hold_everything, fill_disk, order_nonsense]


def tell(line):
    print(line, flush=True)  # noqa: T201 - a long run's figures


@pytest.mark.timeout(SECONDS * 1.5 + 900)
@pytest.mark.skipif(not SECONDS, reason="takes hours; LINESIES_SOAK_S=900 says how long, or `make soak`")
def test_an_afternoon_of_faults_needs_no_hand_and_loses_nothing(tmp_path):
    chance = random.Random(SEED)
    box = Box(tmp_path)
    try:
        began_s, granted = time.monotonic(), GrantedTime()
        known, last_s, longest_still_s, done = 0, 0.0, 0.0, Counter()
        next_s = began_s + EVERY_S
        while time.monotonic() - began_s < SECONDS:
            granted.tick()
            count = len(box.lines)
            if count != known:
                longest_still_s = max(longest_still_s, granted.now_s - last_s)
                known, last_s = count, granted.now_s
            assert granted.now_s - last_s < LONGEST_STILL_S, f"stuck after {done}"
            if time.monotonic() >= next_s:
                tell(f"{next_s - began_s:.0f} s, {granted.now_s:.0f} granted, {count} lines, {box.weigh()}")
                next_s += EVERY_S
                fault = chance.choice(FAULTS)
                with suppress(TypeError, ProcessLookupError, OSError):  # it may be beginning again this very moment
                    fault(box, chance)
                    done[fault.__name__] += 1
                    tell(f"         {fault.__name__}")
    finally:
        left = box.end()
    rows = rows_of(tmp_path)
    check(box, rows, tmp_path)
    assert left == []
    played = sum(row.kind == "ruled" for row in rows)
    games = sum(row.kind == "start" for row in rows)
    told = (
        f"{SECONDS:.0f} s, {sum(done.values())} faults {dict(done)}, {box.starts} starts, {games} games",
        f"{played} rulings, {len(rows)} rows, {len(box.lines)} announced, none lost; still for {longest_still_s:.0f} s",
        f"{granted.now_s:.0f} s granted; at most {box.most_mb:.0f} MB, the simulated camera's among them",
    )
    tell("\n".join(told))
    assert played > 0


def check(box, rows, state):
    """Hold what was announced against what is written."""
    by_id = {row.id: row for row in rows}
    assert [row.id for row in rows] == list(range(1, len(rows) + 1))
    for line in box.lines:
        if line["kind"] == "standing":
            assert line["state"] == fold(rows[: line["row"]]).public
        elif line["row"]:
            row = by_id[line["row"]]
            assert line == {"row": row.id, "kind": row.kind, "about": row.about, **row.body}
    with closing(Journal(journal_file(state))) as journal:
        assert story_of(journal) == fold(rows)
    assert "Traceback" not in (state / "complaints.txt").read_text()
