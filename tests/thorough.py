"""Which cases of a slow test run: a few each time, all of them with LINESIES_THOROUGH=1 (`make thorough`)."""

import os

IS_THOROUGH = "LINESIES_THOROUGH" in os.environ


def cases(few, *, more):
    """List the few cases that always run, and the others where all are asked for."""
    return [*few, *(more if IS_THOROUGH else ())]
