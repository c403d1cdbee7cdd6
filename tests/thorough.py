"""Which cases of a slow test run: a few each time, all of them with LINESIES_THOROUGH=1 (`make thorough`)."""

import os
import time

IS_THOROUGH = "LINESIES_THOROUGH" in os.environ


def cases(few, *, more):
    """List the few cases that always run, and the others where all are asked for."""
    return [*few, *(more if IS_THOROUGH else ())]


def until_enough(limit_s, count):
    """Count until the time is up, or so many where there is none."""
    until_s, number = time.monotonic() + limit_s, 0
    while time.monotonic() < until_s if limit_s else number < count:
        yield number
        number += 1
