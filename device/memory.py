"""Memory that is no longer needed goes back to the system at once: without this a heap keeps some 50 MB of it."""

import contextlib
import ctypes
from typing import Any

MMAP_THRESHOLD, ARENA_MAX = -3, -8  # of mallopt(3)
LARGE_BYTES = 4 * 1024 * 1024  # more than most pictures; getting pages anew for each would cost more time than its sums
ARENAS = 2


def hold_little() -> None:
    """Tell the C library so, once, as a program begins; one that has no such setting goes without."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(ARENA_MAX, ARENAS)


def give_back() -> list[Any]:
    """Give back what lies free in the middle of the heap too, after a call some 20 MB; takes a few milliseconds."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return []
