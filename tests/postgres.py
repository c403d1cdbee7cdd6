"""A PostgreSQL of a test's own: a fresh cluster in a folder, on a socket there, ended with the test."""

import contextlib
import getpass
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

PATIENCE_S = "60"


def program(name):
    """Where one of PostgreSQL's programs lies; Debian keeps them apart by release."""
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    if found is None:
        pytest.skip("PostgreSQL is not installed here")
    return found


class Cluster:
    """A cluster, which can be killed and started again."""

    def __init__(self, folder):
        self.data = folder / "data"
        self.folder = folder
        # PostgreSQL refuses to run as root: there it runs as the user that its package has made
        self._as = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self.user = "postgres" if self._as else getpass.getuser()
        if self._as:
            shutil.chown(folder, "postgres")
            folder.chmod(0o777)
        self._run(program("initdb"), "-D", self.data, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")

    @property
    def url(self):
        return f"postgresql+psycopg://{self.user}@/postgres?host={self.folder}"

    def start(self):
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        log = self.folder / "log"
        self._run(program("pg_ctl"), "-D", self.data, "-w", "-t", PATIENCE_S, "-l", log, "-o", options, "start")

    def stop(self, mode="fast"):
        self._run(program("pg_ctl"), "-D", self.data, "-w", "-t", PATIENCE_S, "-m", mode, "stop")

    def _run(self, *command):
        command = [*self._as, *map(str, command)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.folder, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stderr + done.stdout


@contextlib.contextmanager
def running_cluster():
    """A cluster that runs while it is needed; not in a folder of pytest's, which no other user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder))
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")
