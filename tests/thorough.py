"""Which of the slow tests run: some each time, all of them with LINESIES_THOROUGH=1 (`make thorough`).

A test marked `takes_turns` runs every third day (or where LINESIES_TURN says which of the three it is), else the whole
would take over half an hour.
"""

import os
import time
import zlib
from datetime import UTC, datetime

IS_THOROUGH = "LINESIES_THOROUGH" in os.environ
TURNS = 3
# kept in the environment: workers that begin beyond midnight must choose the same tests
TURN = int(os.environ.setdefault("LINESIES_TURN", str(datetime.now(UTC).toordinal() % TURNS)))


def has_turn(name):
    """Tell whether a test that takes turns has its own in this run, by its name."""
    return IS_THOROUGH or zlib.crc32(name.encode()) % TURNS == TURN % TURNS


def cases(few, *, more):
    """List the few cases that always run, and the others where all are asked for."""
    return [*few, *(more if IS_THOROUGH else ())]


def until_enough(limit_s, count):
    """Count until the time is up, or so many where there is none."""
    until_s, number = time.monotonic() + limit_s, 0
    while time.monotonic() < until_s if limit_s else number < count:
        yield number
        number += 1
