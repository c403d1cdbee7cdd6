"""The page's port and process: binds the one, starts the other, starts it again should it end."""

import errno
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from device.announcers.announcing import Trouble
from device.errors import BadInput, DeviceError
from device.settings import WebSettings
from device.webface import Order

PORT_PATIENCE_S = 4.0  # the page of a referee that was killed a moment ago lets go of the port within seconds
PAUSE_S = 2.0
FAREWELL_S = 4.0


class PortTaken(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """Another program listens where the page should be; the text says how to choose another port."""


class Face:
    """A served page; remembers its process and when it was last started."""

    def __init__(self, state: Path, web: WebSettings) -> None:
        self._socket = bind(web)
        self.port = self._socket.getsockname()[1]
        order = order_for(state, web, self._socket)
        # -P: a folder named like one of ours, where the referee happens to be started, is not ours
        self._command = [sys.executable, "-P", "-m", "device.webface", msgspec.json.encode(order).decode()]
        self._child: subprocess.Popen[bytes] | None = None
        self._started_s = 0.0
        self.look_after()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Name the page's addresses: on this machine, and in the local network where it can be called from there."""
        return addresses_of(self._socket)

    def look_after(self) -> list[Trouble]:
        """Start the page if it does not run; tells if it had ended by itself."""
        if self._child is not None and self._child.poll() is None:
            return []
        had_ended = self._child is not None
        if had_ended and time.monotonic() - self._started_s < PAUSE_S:
            return []
        if self._child is not None:
            self._child.stdin.close()
        self._started_s = time.monotonic()
        self._child = subprocess.Popen(  # noqa: S603 - our own module
            self._command, stdin=subprocess.PIPE, pass_fds=[self._socket.fileno()], start_new_session=True
        )
        return [Trouble("page", "ended by itself and was started again")] if had_ended else []

    def close(self) -> None:
        """End the page and let go of the port."""
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(FAREWELL_S)
            except subprocess.TimeoutExpired:
                os.killpg(self._child.pid, 9)
                self._child.wait()
            self._child.stdin.close()
        self._socket.close()


def order_for(state: Path, web: WebSettings, listening: socket.socket) -> Order:
    """Say what is to be served, on which open socket, and to whom."""
    names = (*own_names(), *web.names)
    return Order(state=str(state), socket=listening.fileno(), names=names, may_order=web.may_order)


def addresses_of(listening: socket.socket) -> tuple[str, ...]:
    """Name a page's addresses: on this machine, and in the local network where it can be called from there."""
    host, port = listening.getsockname()
    hosts = ["127.0.0.1", lan_address()] if host == "0.0.0.0" else [host]  # noqa: S104 - compared, not bound
    return tuple(dict.fromkeys(f"http://{name}:{port}/" for name in hosts if name))


def bind(web: WebSettings) -> socket.socket:
    """Listen where settings say; raises BadInput for an address that is not ours, PortTaken for a port in use."""
    host, port = web.host, web.port
    until_s = time.monotonic() + PORT_PATIENCE_S
    while True:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(128)
        except OSError as fault:
            listening.close()
            if fault.errno != errno.EADDRINUSE:
                raise BadInput(f"the page cannot listen on {host}:{port} ({fault.strerror}); choose another") from None
            if time.monotonic() > until_s:
                raise PortTaken(f"port {port} is in use by another program; choose one with --port") from None
            time.sleep(0.2)
        else:
            return listening


def lan_address() -> str | None:
    """Find this machine's address in the local network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's (RFC 5737): only the way to it counts
            return str(probe.getsockname()[0])
        except OSError:
            return None


def own_names() -> tuple[str, ...]:
    """Name this machine as phones may call it."""
    name = socket.gethostname().split(".")[0]
    return ("localhost", name, f"{name}.local")
