"""A PostgreSQL of a test's own, which waits for no disk; without PostgreSQL the test is skipped."""

import contextlib
import tempfile
from pathlib import Path

import pytest

from linesies.league import cluster


@contextlib.contextmanager
def running_cluster():
    """A cluster that runs while it is needed; not in a folder of pytest's, which no other user may enter."""
    if not cluster.installed():
        pytest.skip("PostgreSQL is not installed here")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with cluster.running_cluster(Path(folder) / "cluster", is_durable=False) as running:
            yield running
