"""A folder for a benchmark's hub: neither it nor a PostgreSQL in it is left, also where the benchmark is killed."""

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

# waits until nobody holds the other end of what it reads
SWEEPER = 'cat; kill -KILL "$(head -n 1 "$1/hub/data/postmaster.pid" 2>&1)" 2>/dev/null; rm -rf "$1"'


@contextlib.contextmanager
def passing_folder() -> Iterator[Path]:
    """Give a folder, whose `hub` may be a cluster's; its PostgreSQL ends with us, and it is removed, however we end."""
    folder = Path(tempfile.mkdtemp(prefix="linesies-"))
    folder.chmod(0o711)  # PostgreSQL, which may run as another user, finds its own in it
    words = ["sh", "-c", SWEEPER, "sweeper", str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True):  # noqa: S603 - our own words
        yield folder
