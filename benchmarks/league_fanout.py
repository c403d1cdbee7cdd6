"""How long a row takes to so many pages that listen, and what that costs: nchan, NATS, or the hub by itself.

Engine `league` is a whole hub behind nchan: what it tells goes from its database through the hub and nchan to the
pages, and it is counted how many of their connections the hub's own process has. Engine `board` is the same, all pages
being those of one board, in whose journal rows are written.

`python -m linesies.benchmarks.league_fanout --engine nchan --listeners 10000`; `ulimit -n 65536` before it. All
listeners are one process on this machine, which shares its cores with what it measures. nginx with nchan and
nats-server come from Debian's packages. A message is as large as the page of a league of eight boards.
"""

import contextlib
import http.client
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import click

from linesies.benchmarks.passing import passing_folder
from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.league import HubAnswer, Joining, Pushed
from linesies.league.cluster import running_cluster
from linesies.league.names import keys_folder
from linesies.league.store import Store, ring
from linesies.league.wire import MOST_ROWS
from linesies.referee.referee import Referee
from linesies.simulator.evening import MORTAL

TOLD, PAGE, NATS, BEHIND = 8193, 8194, 8195, 8196
MESSAGE = 3600  # bytes: eight boards, and eight calls
BOARDS = 16  # of which nobody plays yet: what pages are told of them is as long
LOOKED_AT = "b" * 64  # the board whose pages all look at it
BEGIN, END = b"<<", b">>"
CONF = Path(__file__).resolve().parent.parent / "packaging" / "league-nchan.conf"
NGINX = """
load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 20000;
events {{ worker_connections 19000; }}
http {{ access_log off; {servers} }}
"""
NATS_CONF = "port: {port}\nhost: 127.0.0.1\nmax_connections: 65536\nwebsocket {{ port: {page}, no_tls: true }}\n"
PATIENCE_S = 60.0
ESTABLISHED = "01"  # as Linux writes it


class Engine(Protocol):
    """What tells many."""

    address: tuple[str, int]
    greeting: bytes  # what a listener says to be told

    def tell(self, text: bytes) -> None:
        """Tell everybody."""
        ...


class Nchan:
    """nginx with nchan, by server-sent events."""

    address = ("127.0.0.1", PAGE)
    greeting = b"GET /feed HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"

    def tell(self, text: bytes) -> None:
        """Post one message."""
        line = http.client.HTTPConnection("127.0.0.1", TOLD)
        line.request("POST", "/told", text)
        line.getresponse().read()
        line.close()


class Nats:
    """nats-server, by websockets, as a phone's page would have it; it keeps no newest message for who comes."""

    address = ("127.0.0.1", PAGE)
    greeting = (
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )

    def tell(self, text: bytes) -> None:
        """Publish one message."""
        with socket.create_connection(("127.0.0.1", NATS)) as line:
            line.recv(4096)
            line.sendall(b'CONNECT {"verbose":false}\r\nPUB league %d\r\n%s\r\nPING\r\n' % (len(text), text))
            while b"PONG" not in line.recv(4096):
                pass


class Hub:
    """The hub by itself: a thread for each page. What it tells is that a board of some name has joined."""

    address = ("127.0.0.1", PAGE)
    greeting = Nchan.greeting

    def __init__(self) -> None:
        self._store: Store | None = None

    @contextlib.contextmanager
    def served(self, folder: Path, *, port: int, others: Sequence[str] = ()) -> Iterator[list[str]]:
        """Run its PostgreSQL while it is needed; gives what runs the hub."""
        keys = keys_folder(folder)
        with running_cluster(folder / "hub") as cluster, contextlib.closing(Store(cluster.url, keys)) as self._store:
            given = ["--database", cluster.url, "--keys", str(keys), "--host", "127.0.0.1", "--port", str(port)]
            yield [sys.executable, "-m", "linesies", "league", *given, *others]

    def tell(self, text: bytes) -> None:
        """Have a board join that is called like the message's mark, which pages are then told."""
        self.admit(LOOKED_AT, text[text.rfind(BEGIN) :].decode())

    def admit(self, board: str, name: str) -> None:
        """Have a board join, or join again, under a name."""
        assert self._store is not None
        self._store.admit(board, Joining(code="", name=name))
        with self._store.engine.begin() as connection:
            ring(connection)


class League(Hub):
    """A hub behind nchan, as `docs/league.md` has it for thousands."""

    process: subprocess.Popen[bytes]

    @contextlib.contextmanager
    def behind(self, folder: Path) -> Iterator[list[str]]:
        """Run the hub while it is needed; gives what runs nginx before it."""
        fan_out = ["--fan-out", f"http://127.0.0.1:{TOLD}/told"]
        with (
            self.served(folder, port=BEHIND, others=fan_out) as command,
            subprocess.Popen([*MORTAL, *command], stderr=subprocess.DEVNULL) as self.process,  # noqa: S603 - ours
        ):
            try:
                for number in range(BOARDS - 1):
                    self.admit(f"{number:064}", f"Board {number}")
                wait_for(BEHIND)
                yield nginx(folder, told=TOLD, page=PAGE, hub=BEHIND)
            finally:
                self.process.terminate()


class OneBoard(League):
    """A hub behind nchan, all pages being those of one board; what it tells is that a game has begun there."""

    greeting = f"GET /boards/{LOOKED_AT}/feed?lang=en HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()

    @contextlib.contextmanager
    def behind(self, folder: Path) -> Iterator[list[str]]:
        """Run the hub while it is needed, at which the board has joined; gives what runs nginx before it."""
        self._journal = Journal(str(folder / "journal.sqlite"))
        self._referee = Referee(self._journal, Announcers([]), elsewhere=lambda one: one.location)
        self._held = HubAnswer(held=0)
        with contextlib.closing(self._journal), super().behind(folder) as command:
            self.admit(LOOKED_AT, "Board 1")
            whole = f"http://127.0.0.1:{BEHIND}/boards/{LOOKED_AT}/whole.json?lang=en"
            urllib.request.urlopen(whole).close()  # as the first page asks that opens
            yield command

    def tell(self, text: bytes) -> None:
        """Have a game begin in which somebody is called like the message's mark, and the hub be told its rows."""
        assert self._store is not None
        players = [text[text.rfind(BEGIN) :].decode(), "Bo"]
        self._referee.begin({}, {"event": "start", "game": "skully", "players": players, "options": {}})
        rows = tuple(self._journal.values_after(self._held.held, MOST_ROWS))
        held = self._store.push(LOOKED_AT, Pushed(epoch="0" * 32, before=self._held.seal, rows=rows))
        assert isinstance(held, HubAnswer)
        self._held = held


def masked(text: bytes) -> bytes:
    """Write a websocket's frame as a client must, masked with zeros."""
    assert len(text) < 126
    return bytes([0x82, 0x80 | len(text), 0, 0, 0, 0]) + text


SUBSCRIBE = masked(b'CONNECT {"verbose":false}\r\nSUB league 1\r\n')


def nginx(folder: Path, *, told: int, page: int, hub: int) -> list[str]:
    """Write what nginx is to do as our package has it, on other ports and in a folder; gives what runs it."""
    servers = CONF.read_text().replace("127.0.0.1:8101", f"127.0.0.1:{told}").replace(":8100", f":{hub}")
    servers = servers.replace("listen 80 ", f"listen 127.0.0.1:{page} ").replace("/var/cache/nginx", str(folder))
    (folder / "conf").write_text(NGINX.format(folder=folder, servers=servers))
    return ["nginx", "-p", str(folder), "-c", str(folder / "conf")]


@contextlib.contextmanager
def running(engine: Engine, folder: Path) -> Iterator[int]:
    """Run an engine while it is needed; gives its process."""
    with contextlib.ExitStack() as parts:
        if isinstance(engine, Nchan):
            command = nginx(folder, told=TOLD, page=PAGE, hub=PAGE)
        elif isinstance(engine, League):
            command = parts.enter_context(engine.behind(folder))
        elif isinstance(engine, Hub):
            command = parts.enter_context(engine.served(folder, port=PAGE))
        else:
            (folder / "conf").write_text(NATS_CONF.format(port=NATS, page=PAGE))
            command = ["nats-server", "-c", str(folder / "conf")]
        process = subprocess.Popen([*MORTAL, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - ours
        try:
            wait_for(PAGE)
            yield process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def wait_for(port: int) -> None:
    """Wait until something answers at a port of this machine."""
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)


class ListeningPages:
    """So many pages that listen; remembers of each message how long after it was told it had come whole."""

    def __init__(self, engine: Engine, count: int) -> None:
        self._selector = selectors.EpollSelector()
        self._tails: dict[int, bytes] = {}
        self._newest: dict[int, int] = {}
        self.took_s: dict[int, list[float]] = {}
        self.lines = []
        for number in range(count):
            line = socket.socket()
            line.bind((f"127.0.0.{2 + number // 10_000}", 0))  # a machine has 28,000 ports for one address
            line.connect(engine.address)
            line.sendall(engine.greeting)
            if isinstance(engine, Nats):
                while b"\r\n\r\n" not in line.recv(4096):
                    pass
                line.sendall(SUBSCRIBE)
            line.settimeout(0.0)
            self._selector.register(line, selectors.EVENT_READ)
            self.lines.append(line)

    def hear(self, until_s: float) -> None:
        """Read whatever comes until then."""
        while (left_s := until_s - time.monotonic()) > 0:
            for key, _ in self._selector.select(left_s):
                self._read(key.fileobj)  # type: ignore[arg-type]

    def _read(self, line: socket.socket) -> None:
        told = self._tails.get(line.fileno(), b"") + line.recv(65536)
        while (end := told.find(END)) >= 0:
            number, _, at_s = told[told.rfind(BEGIN, 0, end) + len(BEGIN) : end].partition(b" ")
            if int(number) > self._newest.get(line.fileno(), -1):  # a message may bear its mark several times
                self._newest[line.fileno()] = int(number)
                self.took_s.setdefault(int(number), []).append(time.monotonic() - float(at_s))
            told = told[end + len(END) :]
        self._tails[line.fileno()] = told[-64:]


def cpu_s(process: int) -> float:
    """Tell how long a process and its children have had a core."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    used = 0
    for one in (str(process), *children):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def lines_to(port: int) -> int:
    """Count the connections that a port of this machine has taken."""
    told = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(one[1].endswith(f":{port:04X}") and one[3] == ESTABLISHED for one in told)


def hubs_cpu_s(engine: Engine) -> float:
    """Tell how long the hub behind nchan has had a core; nothing where there is none."""
    return cpu_s(engine.process.pid) if isinstance(engine, League) else 0.0


def memory_mb(process: int) -> float:
    """Tell how much memory a process and its children hold."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in (str(process), *children))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def tell_all(engine: Engine, messages: int, every_s: float) -> None:
    """Tell one message after the other, each with its number and its time at its end."""
    for number in range(messages):
        mark = BEGIN + b"%d %.6f" % (number, time.monotonic()) + END
        engine.tell(b"x" * (MESSAGE - len(mark)) + mark)
        time.sleep(every_s)


OF_A_HUB: dict[str, Callable[[], Engine]] = {"hub": Hub, "league": League, "board": OneBoard}
ENGINES: dict[str, Callable[[], Engine]] = {"nchan": Nchan, "nats": Nats, **OF_A_HUB}


@click.command()
@click.option("--engine", "name", type=click.Choice([*ENGINES]), default="nchan", show_default=True)
@click.option("--listeners", "count", default=1000, show_default=True)
@click.option("--messages", default=10, show_default=True)
@click.option("--every", "every_s", default=2.0, show_default=True)
def main(name: str, count: int, messages: int, every_s: float) -> None:
    """Print how long messages took, whether any was lost, and what that cost."""
    engine = ENGINES[name]()
    with passing_folder() as folder, running(engine, folder) as process:
        begun_s = time.monotonic()
        listeners = ListeningPages(engine, count)
        opened_s = time.monotonic() - begun_s
        before_s, hubs_before_s = cpu_s(process), hubs_cpu_s(engine)
        threading.Thread(target=tell_all, args=(engine, messages, every_s), daemon=True).start()
        listeners.hear(time.monotonic() + messages * every_s + 5.0)
        took_s = sorted(one for each in listeners.took_s.values() for one in each)
        told = {
            "engine": name,
            "listeners": count,
            "opened_s": round(opened_s, 1),
            "heard": len(took_s),
            "lost": count * messages - len(took_s),
            **{f"p{p}_ms": round(1000 * took_s[min(len(took_s) - 1, len(took_s) * p // 100)]) for p in (50, 99)},
            "slowest_ms": round(1000 * took_s[-1]),
            "cpu_s_a_message": round((cpu_s(process) - before_s) / messages, 3),
            "memory_mb": round(memory_mb(process)),
        }
        if isinstance(engine, League):
            told["hubs_connections"] = lines_to(BEHIND)
            told["hubs_cpu_s_a_message"] = round((hubs_cpu_s(engine) - hubs_before_s) / messages, 3)
    click.echo(json.dumps(told))
    sys.exit(1 if told["lost"] else 0)


if __name__ == "__main__":
    main()
