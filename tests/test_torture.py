"""Kill the running demo at random moments: no announced ruling is lost, and the game stands where it stood.

LINESIES_KILLS says how often (`make torture`: 200; `make torture KILLS=1000`). The camera is small, so that a life
costs some two seconds of work.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file
from linesies.referee.folding import fold

KILLS = int(os.environ.get("LINESIES_KILLS", "6"))
SEED = int(os.environ.get("LINESIES_SEED", "1"))
STREETS = (os.cpu_count() or 1) + 1  # demos at the same time, each with a folder of its own,
LIVES = 50  # and so many lives in each
MOST_LINES = 2  # announced in one life
PATIENCE_S = 300.0


class Demo:
    """One life of the demo: what it printed until it was killed."""

    def __init__(self, state):
        options = ["--small", "--speed", "max", "--no-web", "--json", "--state", str(state)]
        command = [sys.executable, "-m", "linesies", "demo", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            if line.endswith("\n"):
                with self.news:
                    self.lines.append(json.loads(line))
                    self.news.notify()

    def wait_for(self, count):
        with self.news:
            assert self.news.wait_for(lambda: len(self.lines) >= count, PATIENCE_S), "the demo does not go on"

    def kill(self):
        self.process.kill()
        self.reader.join()
        complaint = self.process.stderr.read()
        self.process.stderr.close()
        self.process.stdout.close()
        self.process.wait()
        return complaint


def rows_of(state):
    journal = Journal(journal_file(state))
    rows = journal.rows_after(0)
    journal.close()
    return rows


def live(state, chance, *, is_first):
    """Let the demo live for a random time, from its first moment on; what it had printed when it was killed."""
    demo = Demo(state)
    try:
        if is_first or chance.random() < 0.65:
            demo.wait_for(1 + is_first + chance.randint(1, MOST_LINES))
            time.sleep(chance.uniform(0, 0.3))
        else:
            time.sleep(chance.uniform(0, 2))
        assert demo.process.poll() is None, "the demo ended by itself"
    finally:
        complaint = demo.kill()
    assert "Traceback" not in complaint
    return demo.lines


def check_life(lines, rows, before):
    """Hold what was announced against the journal: every row is there, and the game stood where it had stood."""
    for line in lines:
        if line["kind"] == "standing":
            story = fold(rows[: line["row"]])
            assert line["state"] == story.public
            assert line["entries"] == len(story.entries)
            is_new_game = story.entries == ()  # the one before was won in this life
            assert line["row"] == before or is_new_game
        else:
            row = rows[line["row"] - 1]
            assert line == {"row": row.id, "kind": row.kind, "about": row.about, **row.body}


def torture(state, kills, seed):
    """Kill one demo again and again; how many rulings it announced, and how many rows it wrote."""
    chance = random.Random(seed)
    rows, ruled = [], 0
    for number in range(kills):
        lines = live(state, chance, is_first=number == 0)
        before, rows = rows, rows_of(state)
        assert rows[: len(before)] == before, "what was written is written for ever"
        assert [row.id for row in rows] == list(range(1, len(rows) + 1))
        check_life(lines, rows, len(before))
        ruled += sum(line["kind"] == "ruled" for line in lines)
    return ruled, len(rows)


@pytest.mark.timeout(KILLS * 60 + 120)
def test_no_announced_ruling_is_lost_however_often_the_demo_is_killed(tmp_path):
    with ThreadPoolExecutor(STREETS) as streets:
        folders = max(-(-KILLS // LIVES), min(STREETS, KILLS))
        runs = [
            streets.submit(torture, tmp_path / str(i), KILLS // folders + (i < KILLS % folders), SEED + i)
            for i in range(folders)
        ]
    ruled, rows = map(sum, zip(*(run.result() for run in runs), strict=True))
    print(f"\n{KILLS} kills, {ruled} announced rulings, {rows} rows: none lost")  # noqa: T201 - a long run's figures
    assert ruled > 0
