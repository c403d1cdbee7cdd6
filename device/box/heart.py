"""The heartbeat that systemd listens for (sd_notify(3)): ready, how things stand, and the watchdog's food.

Whoever really does the work beats, in the middle of it: a thread of its own would go on beating beside a dead loop.
"""

import contextlib
import os
import socket
import time
from collections.abc import Mapping
from typing import Protocol

BEATS_A_PATIENCE = 4  # systemd asks for two at least


class Heart(Protocol):
    """What a loop tells of its life."""

    def beat(self, status: str) -> None:
        """Tell that the work is being done right now, and in words how; as often as one likes."""
        ...


class Silent:
    """The heart of a program that nobody watches over."""

    def beat(self, status: str) -> None:
        """Tell nobody."""


class Watched:
    """Beats to systemd's socket; remembers when it last did and what it said. A lost message is no fault of ours."""

    def __init__(self, address: str, patience_s: float) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._period_s = patience_s / BEATS_A_PATIENCE
        self._last_s = float("-inf")
        self._status: str | None = None

    def beat(self, status: str) -> None:
        """Tell systemd, once a quarter of its patience and whenever the words change; the first time tells ready."""
        now_s = time.monotonic()
        if status == self._status and now_s - self._last_s < self._period_s:
            return
        ready = "READY=1\n" if self._status is None else ""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.settimeout(0)  # who listens may be stuck, and the game must not wait for him
            with contextlib.suppress(OSError):  # told again next time
                line.sendto(f"{ready}STATUS={status}\nWATCHDOG=1\n".encode(), self._address)
                self._status, self._last_s = status, now_s


def open_heart(environ: Mapping[str, str] = os.environ) -> Heart:
    """Open the heart that systemd asks for; a silent one where it does not ask."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return Silent()
    return Watched(address, int(environ.get("WATCHDOG_USEC", "0")) / 1e6)
