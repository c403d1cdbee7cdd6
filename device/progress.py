"""How far something long has come and how long it still takes: one line on a terminal, nothing elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

QUIET_S = 2.0  # what is done by then needs no such line
ANEW_S = 0.2
CLEARED = "\r\x1b[K"  # back to the line's begin, and clear it (ECMA-48)


def with_time_left(items: Iterable[T], what: str, count: int) -> Iterator[T]:
    """Hand items on, saying on a terminal how many of `count` are done and how long the rest will take.

    Before an item that took long is handed on, the line is gone, so that who takes it may print.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    began_s = shown_s = time.monotonic()
    line = ""
    for done, item in enumerate(items, start=1):
        now_s = time.monotonic()
        is_due = now_s - shown_s > ANEW_S
        if is_due and line:
            _write(CLEARED)
            line = ""
        yield item
        if is_due and now_s - began_s > QUIET_S:
            shown_s = now_s
            line = f"{what}: {done} of {count}, {time_told((now_s - began_s) / done * (count - done))} left"
            _write(f"{CLEARED}{line}")
    if line:
        _write(CLEARED)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def time_told(seconds: float) -> str:
    """Say a time roughly, as people do.

    >>> time_told(42.4), time_told(200), time_told(9000)
    ('about 42 s', 'about 3 min', 'about 2.5 h')
    """
    if seconds < 100:
        return f"about {max(seconds, 1):.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
