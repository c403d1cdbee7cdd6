"""The disk fails, at each SQLite call in turn, full, read-only: nothing announced or seen is lost, nothing doubled."""

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from itertools import count
from pathlib import Path

import pytest

from linesies.device.errors import JournalFailed
from linesies.device.journal.journal import Journal
from linesies.device.loop.match import Match
from linesies.referee.folding import story_of
from tests.refereeing import Listener, placed, quick_journal, referee_on, shot
from tests.test_match import ScriptedEyes, ScriptedSource

ROOT = Path(__file__).parent.parent
SCRIPT = {
    1: [shot("ana", "1")],
    2: [shot("ana", "open", certain=True)],
    3: [shot("bo", "1", certain=False)],
    7: [shot("bo", "open"), placed("cy", "start")],
    8: [shot("cy", "1")],
}
ORDERS = {4: {"order": "settle"}, 11: {"order": "event", "event": {"event": "pause"}}}
FRAMES = 13
CONNECT = sqlite3.connect


class Fault:
    """Which call of SQLite fails, whether after its work was done, and how often."""

    def __init__(self, at=None, *, is_after=False, times=1, message="disk I/O error"):
        self.calls = 0
        self.at, self.is_after, self.times, self.message = at, is_after, times, message

    def strikes(self):
        self.calls += 1
        return self.at is not None and self.at <= self.calls < self.at + self.times


def connections(fault):
    class Connection(sqlite3.Connection):
        def execute(self, *asked):
            strikes = fault.strikes()
            if strikes and not fault.is_after:
                raise sqlite3.OperationalError(fault.message)
            answer = super().execute(*asked)
            if strikes:
                raise sqlite3.OperationalError(fault.message)
            return answer

    return Connection


class Street(ScriptedSource):
    """Gives frames, and orders from phones between them; every turn takes a second of the clock."""

    def __init__(self, path, clock):
        super().__init__(range(FRAMES))
        self.path, self.clock = path, clock

    def frames(self):
        for frame in super().frames():
            self.clock.now_s += 1.0
            if frame.number in ORDERS:
                phone = CONNECT(self.path)
                phone.execute(
                    "INSERT INTO orders (at, origin, body) VALUES (0, 'phone', json(?))",
                    (str(ORDERS[frame.number]).replace("'", '"'),),
                )
                phone.commit()
                phone.close()
            yield frame


class Clock:
    now_s = 0.0

    def __call__(self):
        return self.now_s


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr("linesies.device.loop.backlog.time.monotonic", made)
    return made


def play(monkeypatch, clock, fault):
    """Play the script with a failing disk; what was announced, the journal's rows and story, the referee's story."""
    with quick_journal() as path:
        ears = Listener()
        referee = referee_on(path, ears)
        with monkeypatch.context() as patched:
            patched.setattr(
                "linesies.device.journal.journal.sqlite3.connect",
                lambda *where, **how: CONNECT(*where, **how, factory=connections(fault)),
            )
            referee.journal.close()
            match = Match(ScriptedEyes(SCRIPT), referee)
            match.follow(Street(path, clock))
            for _ in range(5 + fault.times):
                clock.now_s += 1.0
                match.serve()
        referee._announcers.close()
        journal = Journal(path)
        rows, told = journal.rows_after(0), story_of(journal)
        journal.close()
        referee.journal.close()
        return [row for row in ears.rows if row.id], rows, told, referee.story


@pytest.mark.timeout(120)
@pytest.mark.parametrize("is_after", [False, True], ids=["not done", "done but said to have failed"])
def test_a_failing_write_at_each_call_in_turn_loses_and_doubles_nothing(monkeypatch, clock, is_after):
    _, _, wanted, _ = play(monkeypatch, clock, Fault())
    assert [event["event"] for event in wanted.effective_events] == ["start", *["shot"] * 5, "pause"]
    for number in count(1):
        fault = Fault(at=number, is_after=is_after)
        announced, rows, told, story = play(monkeypatch, clock, fault)
        assert told == story, "the replay is the state"
        assert [event["event"] for event in told.effective_events] == [e["event"] for e in wanted.effective_events]
        assert told.public == wanted.public
        assert announced == rows, "every row is announced once, in its order"
        if fault.calls < number:
            break
    assert number > 40


def test_a_read_only_disk_is_said_aloud_and_the_game_goes_on_when_it_can_be_written(monkeypatch, clock):
    fault = Fault(at=30, times=25, message="attempt to write a readonly database")
    with quick_journal() as path:
        ears = Listener()
        referee = referee_on(path, ears)
        monkeypatch.setattr(
            "linesies.device.journal.journal.sqlite3.connect",
            lambda *where, **how: CONNECT(*where, **how, factory=connections(fault)),
        )
        referee.journal.close()
        match = Match(ScriptedEyes(SCRIPT), referee)
        match.follow(Street(path, clock))
        while fault.calls < 55:
            assert "readonly" in match._now()["trouble"]
            clock.now_s += 1.0
            match.serve()
        clock.now_s += 1.0
        match.serve()
        assert match._now()["trouble"] is None
        referee._announcers.close()
        referee.journal.close()
    assert [row.kind for row in ears.rows].count("unwritten") >= 1
    assert [e.event["event"] for e in referee.story.entries if e.event].count("shot") == 5


def test_an_order_is_heeded_although_the_next_one_cannot_be_written(monkeypatch, clock):
    with quick_journal() as path:
        referee = referee_on(path)
        eyes = ScriptedEyes({1: [shot("ana", "1")]})
        match = Match(eyes, referee)
        match.follow(ScriptedSource(range(2)))
        for order in ({"order": "undo"}, {"order": "event", "event": {"event": "pause"}}):
            referee.journal.submit(order, "phone")
        write, written = referee.journal.append, []

        def append(*drafts, takes=None):
            if written:
                raise JournalFailed("disk I/O error")
            written.append(takes)
            return write(*drafts, takes=takes)

        monkeypatch.setattr(referee.journal, "append", append)
        match.serve()
        assert "disk I/O error" in match._now()["trouble"]
        assert eyes.corrected == 1


FULL_DISK = """
    import os, sys
    from pathlib import Path
    from linesies.device.journal.journal import Journal
    from linesies.device.loop.match import Match
    from tests.refereeing import Listener, referee_on, shot
    from tests.test_match import ScriptedEyes, ScriptedSource

    folder = Path(sys.argv[1])
    ears = Listener()
    referee = referee_on(folder / "journal.sqlite", ears)
    ballast = folder / "ballast"
    def fill():
        with ballast.open("wb") as file:
            try:
                while True:
                    os.write(file.fileno(), b"x" * 512)
            except OSError:
                pass
    fill()
    match = Match(ScriptedEyes({n: [shot("ana", "1" if n % 2 else "2")] for n in range(1, 60)}), referee)
    match.follow(ScriptedSource(range(60)))
    assert "full" in match._now()["trouble"], match._now()
    ballast.unlink()
    match.serve_for(1.5)
    assert match._now()["trouble"] is None, match._now()
    seen = [row for row in Journal(folder / "journal.sqlite").rows_after(0) if row.kind == "seen"]
    assert len(seen) == 59, len(seen)
    referee._announcers.close()
    assert any(row.kind == "unwritten" for row in ears.rows)
    print("all written")
"""


def test_a_disk_that_is_really_full_costs_no_shot_that_was_seen(tmp_path):
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("no disk of its own can be made here (unshare is not allowed)")
    (tmp_path / "full.py").write_text(textwrap.dedent(FULL_DISK))
    command = (
        f"mount -t tmpfs -o size=3m none {tmp_path}/disk && exec {sys.executable} {tmp_path}/full.py {tmp_path}/disk"
    )
    (tmp_path / "disk").mkdir()
    told = subprocess.run(
        ["unshare", "-rm", "sh", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout.strip() == "all written", told.stderr


def test_an_order_that_cannot_be_written_is_refused_to_who_gave_it(monkeypatch, tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    journal._connected().execute("PRAGMA max_page_count = 1")
    with pytest.raises(JournalFailed, match="free some space"):
        journal.submit({"order": "undo", "why": "x" * 100_000}, "phone")
    journal.close()
