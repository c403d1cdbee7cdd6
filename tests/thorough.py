"""Which of the slow tests run: some each time, all of them with LINESIES_THOROUGH=1 (`make thorough`).

A test marked `takes_turns(seconds=...)` runs every third day (or where LINESIES_TURN says which of the three it is),
else the whole would take over half an hour. The seconds are those it took on a slow core; by them files are dealt out
to three turns of like length, whole files, since their tests share what they set up.
"""

import os
import time
from collections import Counter
from datetime import UTC, datetime

IS_THOROUGH = "LINESIES_THOROUGH" in os.environ
TURNS = 3
# kept in the environment: workers that begin beyond midnight must choose the same tests
TURN = int(os.environ.setdefault("LINESIES_TURN", str(datetime.now(UTC).toordinal() % TURNS))) % TURNS
SHOWN_S, PLAIN_S = 2.0, 0.2  # what a test takes of which nothing is said, in a browser and without


def dealt_out(seconds):
    """Deal files out by their seconds: the longest first, each to the turn that is the shortest so far."""
    turns = [Counter() for _ in range(TURNS)]
    for name in sorted(seconds, key=lambda name: (-seconds[name], name)):
        min(turns, key=Counter.total)[name] = seconds[name]
    return turns


def slow_s(tests):
    """Sum up by file what the tests take that take turns."""
    marked = ((one, one.get_closest_marker("takes_turns")) for one in tests)
    return _by_file((one, mark.kwargs["seconds"]) for one, mark in marked if mark)


def all_s(tests):
    """Sum up by file what the tests take, roughly."""
    return _by_file((one, _guessed_s(one)) for one in tests)


def _by_file(told):
    total = Counter()
    for one, seconds in told:
        total[one.path.name] += seconds
    return total


def _guessed_s(one):
    if mark := one.get_closest_marker("takes_turns"):
        return mark.kwargs["seconds"]
    return SHOWN_S if one.get_closest_marker("browser") else PLAIN_S


def cases(few, *, more):
    """List the few cases that always run, and the others where all are asked for."""
    return [*few, *(more if IS_THOROUGH else ())]


def until_enough(limit_s, count):
    """Count until the time is up, or so many where there is none."""
    until_s, number = time.monotonic() + limit_s, 0
    while time.monotonic() < until_s if limit_s else number < count:
        yield number
        number += 1
