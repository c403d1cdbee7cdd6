"""Memory that is no longer needed goes back to the system at once: without this a heap keeps some 50 MB of it."""

import contextlib
import ctypes
from typing import Any

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # of mallopt(3)
# More than a Pi camera's frame (2304x1296 and 2028x1520 in YUV 4:2:0 take 4.6 MB): a copy of one costs 0.2 ms, 1.8 ms
# when pages are fetched anew for it. A colour picture of that size (9 MB) is rare, and goes back at once.
LARGE_BYTES = 8 * 1024 * 1024
KEPT_BYTES = 2 * LARGE_BYTES  # at the heap's end; less, and a frame that is freed there is fetched anew as well
ARENAS = 2


def hold_little() -> None:
    """Tell the C library so, once, as a program begins; one that has no such setting goes without."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(TRIM_THRESHOLD, KEPT_BYTES)
        library.mallopt(ARENA_MAX, ARENAS)


def give_back() -> list[Any]:
    """Give back what lies free in the middle of the heap too, after a call some 20 MB; takes a few milliseconds.

    It is asked as the loop's watches are, and never has anything to tell.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return []
