"""No announcer can stop or delay the game, nor another announcer."""

import threading
import time

from linesies.device.announcers.announcing import Announcers
from linesies.referee.rows import Row
from linesies.referee.saying import Saying, Trouble
from tests.pace import SLACK


def row(n):
    return Row(id=n, at_s=0.0, origin="test", kind="ruled", about=None, body={})


class Listener:
    def __init__(self, name="listener"):
        self.name = name
        self.told = []
        self.is_closed = False

    def announce(self, rows):
        self.told += [r.id for r in rows]

    def close(self):
        self.is_closed = True


class Raiser(Listener):
    def announce(self, rows):
        raise OSError("the wire is loose")


class Blocker(Listener):
    def __init__(self):
        super().__init__("blocker")
        self.let_go = threading.Event()
        self.calls = 0

    def announce(self, rows):
        self.calls += 1
        self.let_go.wait(10)
        super().announce(rows)


def test_everyone_is_told_everything_in_order_and_closed_at_the_end():
    ears = [Listener("a"), Listener("b")]
    announcers = Announcers(ears)
    for n in range(100):
        announcers.announce([row(n)])
    announcers.close()
    assert [ear.told for ear in ears] == [list(range(100))] * 2
    assert all(ear.is_closed for ear in ears)


def test_one_that_raises_is_told_again_and_reported_once():
    good, bad = Listener(), Raiser("raiser")
    announcers = Announcers([bad, good])
    for n in range(5):
        announcers.announce([row(n)])
    announcers.close()
    assert good.told == [0, 1, 2, 3, 4]
    assert announcers.troubles() == [Trouble("raiser", Saying("fails", why="OSError: the wire is loose"))]
    assert announcers.troubles() == []


def test_one_that_is_behind_catches_up_at_once():
    slow = Blocker()
    announcers = Announcers([slow])
    for n in range(40):
        announcers.announce([row(n)])
    slow.let_go.set()
    announcers.close()
    assert slow.told == list(range(40))
    assert slow.calls <= 3


def test_one_that_blocks_delays_nobody_and_misses_what_no_longer_fits():
    good, blocked = Listener(), Blocker()
    announcers = Announcers([blocked, good], patience=3)
    began = time.monotonic()
    for n in range(50):
        announcers.announce([row(n)])
        while len(good.told) <= n:
            time.sleep(0.001)
    assert time.monotonic() - began < 3 * SLACK
    assert [t.who for t in announcers.troubles()] == ["blocker"]
    blocked.let_go.set()
    announcers.close()
    assert good.told == list(range(50))
    assert blocked.told[:3] == [0, 1, 2]
    assert len(blocked.told) <= 2 * 3  # what its first call took, and what then waited
