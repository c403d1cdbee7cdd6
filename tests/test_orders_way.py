"""An order's way runs forward: made into rows, the story told on with them, ruled on, written, told."""

import sys
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import pytest

from linesies.referee import agreement, drafting, entries, house, names, rows, saying, shallow, story
from linesies.referee.decide import Circumstances, decide
from linesies.referee.rows import Submitted
from tests.refereeing import other_side, quick_journal, referee_on, shot

# what a value is, is made of and tells of itself, is asked everywhere
VALUES = {Path(one.__file__).stem for one in (agreement, drafting, entries, house, names, rows, saying, shallow, story)}
BO_SHOT = {"event": "shot", "player": "bo", "rest": {"bo": "1"}}
ORDERS = {
    "event": ({"order": "event", "event": BO_SHOT}, "phone"),
    "settle": ({"order": "settle"}, "phone"),
    "do-over": ({"order": "event", "event": {"event": "do_over"}}, "phone"),
    "amend": ({"order": "amend", "event": BO_SHOT}, "phone"),
    "insert": ({"order": "insert", "event": BO_SHOT}, "phone"),
    "undo": ({"order": "undo"}, "phone"),
    "player moves": ({"order": "undo"}, "player:ana"),
    "player agrees": ({"order": "agree", "about": 7}, "player:bo"),
    "player appeals": ({"order": "appeal", "about": 4}, "player:ana"),
    "no order": ({"order": "nonsense"}, "phone"),
    "lamps": ({"order": "test"}, "phone"),
    "next game": ({"order": "new_game"}, "phone"),
}


@contextmanager
def files_entered():
    """List the referee's files in the order in which their functions are called, each stay once; values left out."""
    entered, found = [], []

    def note(frame, what, _):
        path, name = Path(frame.f_code.co_filename), frame.f_code.co_name
        is_part = name.startswith("<")  # a generator runs wherever it is drawn from
        if what == "call" and path.parent.name == "referee" and path.stem not in VALUES and not is_part:
            entered.append(path.stem)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)
        found += [file for file, _ in groupby(entered)]


@pytest.fixture(scope="module")
def told():
    """A story with an entry, a question that waits, and an undoing that a player has moved."""
    with quick_journal() as path:
        referee = referee_on(path)
        referee.see(shot("ana", "open"))
        referee.see(shot("bo", "1", certain=False))
        referee.journal.submit({"order": "undo"}, "player:cy")
        referee.take_orders()
        assert referee.story.entries
        assert referee.story.pending
        assert [motion.row for motion in referee.story.motions] == [7]
        yield referee.story
        referee.journal.close()


@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_leaves_each_file_once(told, kind):
    body, origin = ORDERS[kind]
    sent = Submitted(id=1, origin=origin, body=body)
    with files_entered() as way:
        drafts = decide(told, sent, Circumstances(first=told.row + 1, elsewhere=other_side))
    assert way[:2] == ["decide", "heeding"]
    assert len(way) == len(set(way)), "a file that was left is come back to"
    assert way.index("folding") < way.index("ruling")
    assert drafts[0].kind == "order"
