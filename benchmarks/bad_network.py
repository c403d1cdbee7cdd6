"""A bad network of our own: a namespace whose packets are lost and late, for kernels that have no netem. Needs root.

Two TUN devices, one in the namespace and one outside, and a thread that carries packets from one to the other: each
after a delay, some never, and none while the line is cut.
"""

import fcntl
import os
import select
import struct
import subprocess
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from random import Random

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
OUTSIDE, INSIDE = "10.77.13.1", "10.77.13.2"
MOST_BYTES = 65536


@dataclass(slots=True, kw_only=True)
class OneWay:
    """One direction: where packets come from and go to, and those on their way, by when they are due."""

    from_: int
    to: int
    late: deque[tuple[float, bytes]] = field(default_factory=deque)


class BadNetwork:
    """A namespace behind a bad line; `command` is what runs a program in it."""

    def __init__(self, name: str, *, loss: float, delay_s: float, seed: int) -> None:
        self._name, self._loss, self._delay_s = name, loss, delay_s
        self._chance = Random(seed)  # noqa: S311 - which packet is lost is no secret
        self.is_cut = False
        self.carried, self.lost = 0, 0
        outer, inner = _tun(f"{name}0"), _tun(f"{name}1")
        self._ways = (OneWay(from_=outer, to=inner), OneWay(from_=inner, to=outer))
        _ip("netns", "add", name)
        _ip("link", "set", f"{name}1", "netns", name)
        _ip("addr", "add", OUTSIDE, "peer", INSIDE, "dev", f"{name}0")
        _ip("link", "set", f"{name}0", "up")
        _ip("-n", name, "addr", "add", INSIDE, "peer", OUTSIDE, "dev", f"{name}1")
        _ip("-n", name, "link", "set", f"{name}1", "up")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    @property
    def command(self) -> list[str]:
        """What stands before a program that is to run in it."""
        return ["ip", "netns", "exec", self._name]

    def close(self) -> None:
        """Take it all down."""
        self._over.set()
        self._thread.join()
        for way in self._ways:
            os.close(way.from_)
        _ip("netns", "delete", self._name)

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


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S603, S607 - iproute2
