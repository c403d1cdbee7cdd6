"""A bad network of our own: a namespace whose packets are lost and late, for kernels that have no netem. Needs root.

Two TUN devices, one in the namespace and one outside, and a thread that carries packets from one to the other: each
after a delay, some never, and none while the line is cut. The namespace has no name: it lasts as long as a process that
waits in it, and that ends with us.
"""

import fcntl
import os
import select
import struct
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
OUTSIDE, INSIDE = "10.77.13.1", "10.77.13.2"
MOST_BYTES = 65536
WAITING = ["unshare", "--net", "sh", "-c", "echo; exec cat"]  # in the namespace, until we hold its other end no more


@dataclass(slots=True, kw_only=True)
class OneWay:
    """One direction: where packets come from and go to, and those on their way, by when they are due."""

    from_: int
    to: int
    late: deque[tuple[float, bytes]] = field(default_factory=deque)


class BadNetwork:
    """A namespace behind a bad line; `command` is what runs a program in it."""

    def __init__(self, name: str, *, loss: float, delay_s: float, seed: int) -> None:
        self._loss, self._delay_s = loss, delay_s
        self._chance = Random(seed)  # noqa: S311 - which packet is lost is no secret
        self.is_cut = False
        self.carried, self.lost = 0, 0
        outer, inner = _tun(f"{name}0"), _tun(f"{name}1")
        self._ways = (OneWay(from_=outer, to=inner), OneWay(from_=inner, to=outer))
        self._inside = subprocess.Popen(  # noqa: S603 - our own words; what is meant for us is not for it
            WAITING, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self._inside.stdout is not None
        self._inside.stdout.readline()  # now it is there
        _ip("link", "set", f"{name}1", "netns", str(self._inside.pid))
        _ip("addr", "add", OUTSIDE, "peer", INSIDE, "dev", f"{name}0")
        _ip("link", "set", f"{name}0", "up")
        _ip("addr", "add", INSIDE, "peer", OUTSIDE, "dev", f"{name}1", before=self.command)
        _ip("link", "set", f"{name}1", "up", before=self.command)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    @property
    def command(self) -> list[str]:
        """What stands before a program that is to run in it."""
        return ["nsenter", "--net", "--target", str(self._inside.pid)]

    def close(self) -> None:
        """Take it all down."""
        self._over.set()
        self._thread.join()
        for way in self._ways:
            os.close(way.from_)
        self._inside.communicate()

    def _carry(self) -> None:
        sources = {way.from_: way for way in self._ways}
        while not self._over.is_set():
            due_s = min((way.late[0][0] for way in self._ways if way.late), default=time.monotonic() + 0.1)
            ready, _, _ = select.select(list(sources), [], [], max(0.0, due_s - time.monotonic()))
            for one in ready:
                self._take(sources[one])
            for way in self._ways:
                while way.late and way.late[0][0] <= time.monotonic():
                    os.write(way.to, way.late.popleft()[1])

    def _take(self, way: OneWay) -> None:
        packet = os.read(way.from_, MOST_BYTES)
        if self.is_cut or self._chance.random() < self._loss:
            self.lost += 1
            return
        self.carried += 1
        way.late.append((time.monotonic() + self._delay_s, packet))


def _tun(name: str) -> int:
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return device


def _ip(*words: str, before: Sequence[str] = ()) -> None:
    subprocess.run([*before, "ip", *words], check=True, capture_output=True)  # noqa: S603 - iproute2
