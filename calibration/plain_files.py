"""Reads files as people name them: a pipe where nobody writes, a device without end, a file too large are refused."""

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 256 * 1024 * 1024  # more than any picture or calibration that can be used


def read_plain(path: str | os.PathLike[str]) -> bytes:
    """Read a whole plain file; raises OSError for one that cannot be read, is none, or is too large."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe is opened without waiting, then refused
    with os.fdopen(handle, "rb") as file:
        kind = os.fstat(file.fileno())
        if not stat.S_ISREG(kind.st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", os.fspath(Path(path)))
        if kind.st_size > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES >> 20} MB", os.fspath(Path(path)))
        return file.read()
