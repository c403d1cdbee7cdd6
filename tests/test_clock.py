"""The clock jumps, or is wrong from the start: a Pi keeps none. Nothing waits by it; it only dates rows."""

import ast
import time
from itertools import cycle
from pathlib import Path

import pytest

from linesies.device.live_state import MomentWriter, read_moment
from linesies.device.loop.match import Match
from linesies.referee.folding import story_of
from linesies.referee.snapshot import story_json
from tests.refereeing import codes, quick_journal, referee_on, shot
from tests.test_match import ScriptedEyes, ScriptedSource

ROOT = Path(__file__).parent.parent
DAY_S = 86_400.0
STAMPS = {  # who may ask what time it is: to date a row, a moment, a phone, or to tell a file's age; never to wait
    "device/journal/journal.py",
    "device/loop/match.py",
    "referee/referee.py",
    "device/phones/phones.py",
    "device/loop/owner_orders.py",  # how old a file is
    "device/loop/assembly.py",  # since when something is made ready
    "device/cases/filing.py",  # to date a case
    "device/announcers/offering.py",  # to date what is offered to a league
    "device/box/status.py",  # how old the moment is
    "device/serving/webdevice.py",  # how old a file is
    "device/proof/issuing.py",  # to date a certificate
    "device/leaving.py",  # to date a farewell
}


def asks_the_time(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            if name in ("time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "date.today"):
                yield node.lineno


def test_only_stamps_are_taken_from_the_clock():
    asking = {
        str(path.relative_to(ROOT))
        for folder in ("device", "referee", "web")
        for path in (ROOT / folder).rglob("*.py")
        if any(asks_the_time(path))
    }
    assert asking <= STAMPS


@pytest.mark.parametrize(
    "times_s",
    [[1e9, 1e9 + DAY_S], [1e9, 1e9 - DAY_S], [0.0, 12.0], [12.0, 1.8e9, 3.0]],
    ids=["a day ahead", "a day back", "no clock at start", "set in the game and lost again"],
)
def test_a_game_is_played_and_read_again_whatever_the_clock_does(monkeypatch, times_s):
    clock = cycle(times_s)
    with quick_journal() as path, monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: next(clock))
        referee = referee_on(path)
        script = {1: [shot("ana", "1")], 3: [shot("ana", "2", certain=False)], 5: [shot("ana", "open")]}
        match = Match(ScriptedEyes(script), referee, moment=MomentWriter(referee.journal.path, dict))
        match.follow(ScriptedSource(range(7)))
        referee.journal.submit({"order": "settle"}, "phone")
        began_s = time.monotonic()
        match.serve_for(0.2)
        assert 0.2 <= time.monotonic() - began_s < 5
        assert codes(referee) == [["box_made", "shoot_again"], ["box_made", "shoot_again"], ["turn_over", "next_turn"]]
        assert story_of(referee.journal) == referee.story
        assert story_json(referee.story)["state"]["turn"] == "bo"
        assert read_moment(referee.journal.path)["camera"] == "ok"
        assert [row.id for row in referee.journal.rows_after(0)] == list(range(1, referee.story.row + 1))
        referee.journal.close()
