"""A league's evening that plays itself: a hub on a PostgreSQL of its own, simulated boards, a tournament under way."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linesies.device.membership import Membership, key_file, new_epoch, read_membership, write_membership
from linesies.league import Joining
from linesies.league.cluster import Cluster, running_cluster
from linesies.league.identity import identity_in
from linesies.league.names import keys_folder
from linesies.league.schedule import Opening, Schedule
from linesies.league.store import Store
from linesies.league.tournament import TournamentOpened
from linesies.league.tournament.plan import MOST_ENTRANTS

STREETS = ("Calle Luna", "Calle Sol", "Elm Street", "School yard")
NICKNAMES = (
    *("Ana", "Bo", "Cy", "Dee", "Eli", "Flo", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Mo", "Nat", "Oz", "Pia"),
    *("Quin", "Ray", "Sol", "Tom", "Uma", "Val", "Wes", "Xan", "Yo", "Zoe"),
)
FAREWELL_S = 5.0  # until an ended process is killed
MORTAL = ("setpriv", "--pdeathsig", "KILL")  # before a program, which then ends with us, also where we are killed


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningWishes:
    """What was asked for on the command line."""

    folder: Path
    boards: int = 8
    players: int = 16
    pace_s: float = 0.5
    port: int = 8100

    @property
    def hub(self) -> str:
        """The hub's address on this machine."""
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def evening(wishes: EveningWishes) -> Iterator[Cluster]:
    """Start boards, and a tournament that they will play once a hub is served; gives the hub's PostgreSQL."""
    with running_cluster(wishes.folder / "hub") as cluster, contextlib.ExitStack() as open_boards:
        states = open_evening(wishes, cluster.url)
        for seed, state in enumerate(states, start=1):
            open_boards.enter_context(playing(state, seed, wishes.pace_s))
        yield cluster


def open_evening(wishes: EveningWishes, database: str) -> list[Path]:
    """Let boards join a hub's database and open a tournament there, if none is; gives the boards' state folders.

    More players than one tournament takes play in several.
    """
    states = [wishes.folder / f"board-{number}" for number in range(1, wishes.boards + 1)]
    with contextlib.closing(Store(database, keys_folder(wishes.folder))) as store:
        for number, state in enumerate(states):
            _join(store, wishes.hub, state, number)
        schedule = Schedule(store)
        if not schedule.tournaments():
            names = nicknames(wishes.players)
            for first in range(0, len(names), MOST_ENTRANTS):
                plan = TournamentOpened(format="groups", entrants=names[first : first + MOST_ENTRANTS])
                schedule.open(Opening(name="Block party", plan=plan))
    return states


def nicknames(count: int) -> tuple[str, ...]:
    """Give so many different names."""
    rounds = -(-count // len(NICKNAMES))
    return tuple(f"{name}{lap or ''}" for lap in range(rounds) for name in NICKNAMES)[:count]


def _join(store: Store, hub: str, state: Path, number: int) -> None:
    """Make a box that belongs to the league, or find it again."""
    name, place = f"Board {number + 1}", STREETS[number % len(STREETS)]
    state.mkdir(parents=True, exist_ok=True)
    store.admit(identity_in(key_file(state)).board, Joining(code="", name=name, place=place))
    known = read_membership(state)
    epoch = new_epoch() if known is None else known.epoch
    write_membership(state, Membership(hub=hub, name=name, place=place, epoch=epoch))


@contextlib.contextmanager
def playing(state: Path, seed: int, pace_s: float) -> Iterator[None]:
    """Let people play at a board, in a process of its own."""
    given = ["-m", "linesies.simulator.league_board", str(state), "--seed", str(seed), "--pace", str(pace_s)]
    process = subprocess.Popen(  # noqa: S603 - our own program; a Ctrl-C is for us, and we end it
        [*MORTAL, sys.executable, *given], stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(FAREWELL_S)
        process.kill()
