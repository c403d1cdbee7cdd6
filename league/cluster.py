"""A PostgreSQL of the hub's own: a cluster in a folder, reached by a socket alone, for an evening or a demo.

It is a whole PostgreSQL as any other: what was answered as held survives a power cut.
"""

import contextlib
import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from linesies.league.errors import BadInput

PATIENCE_S = "60"
DEBIANS = Path("/usr/lib/postgresql")  # Debian keeps the programs apart by release
NOT_HERE = "PostgreSQL is not installed here; run: sudo apt install postgresql"


def program(name: str) -> str:
    """Find one of PostgreSQL's programs; raises BadInput where there is none."""
    found = shutil.which(name) or next(map(str, sorted(DEBIANS.glob(f"*/bin/{name}"), reverse=True)), None)
    if found is None:
        raise BadInput(NOT_HERE)
    return found


class Cluster:
    """A cluster in a folder, made there the first time; it can be stopped and started again."""

    def __init__(self, folder: Path, *, is_durable: bool = True) -> None:
        self.data = folder / "data"
        self._folder = folder
        self._syncs = "on" if is_durable else "off"
        # PostgreSQL refuses to run as root: there it runs as the user that its package has made
        self._as = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self._user = "postgres" if self._as else getpass.getuser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BadInput(f"{folder}: cannot be written ({fault.strerror}); choose another folder") from None
        self._hand_over(folder)
        if not (self.data / "PG_VERSION").exists():
            self._run(program("initdb"), "-D", self.data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self._sockets = tempfile.TemporaryDirectory(prefix="linesies-pg-")  # a socket's address must be short
        self._hand_over(Path(self._sockets.name))

    @property
    def url(self) -> str:
        """Its address, as SQLAlchemy writes it."""
        return f"postgresql+psycopg://{self._user}@/postgres?host={self._sockets.name}"

    def start(self) -> None:
        """Start it and wait until it answers; raises BadInput with its own words if it does not."""
        options = f"-k {self._sockets.name} -c listen_addresses='' -c fsync={self._syncs}"
        log = self._folder / "log"
        self._run(program("pg_ctl"), "-D", self.data, "-w", "-t", PATIENCE_S, "-l", log, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """End it: fast, or as a power cut would (immediate)."""
        self._run(program("pg_ctl"), "-D", self.data, "-w", "-t", PATIENCE_S, "-m", mode, "stop")

    def close(self) -> None:
        """Leave no socket behind."""
        self._sockets.cleanup()

    def _hand_over(self, folder: Path) -> None:
        """Let PostgreSQL own a folder where it runs as another user."""
        if self._as:
            shutil.chown(folder, "postgres")

    def _run(self, *command: object) -> None:
        words = [*self._as, *map(str, command)]
        done = subprocess.run(  # noqa: S603 - PostgreSQL's own programs; in a session where our Ctrl-C does not end it
            words,
            capture_output=True,
            text=True,
            check=False,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        if done.returncode:
            said = (done.stderr + done.stdout).strip().splitlines()
            why = said[-1] if said else "no reason given"
            raise BadInput(f"{self._folder}: PostgreSQL does not do there as it is told ({why}); choose another folder")


@contextlib.contextmanager
def running_cluster(folder: Path, *, is_durable: bool = True) -> Iterator[Cluster]:
    """Run a cluster while it is needed."""
    cluster = Cluster(folder, is_durable=is_durable)
    with contextlib.closing(cluster):
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("fast" if is_durable else "immediate")
