"""The page's port and process: binds the one, starts the other, starts it again should it end."""

import errno
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from linesies.device.errors import BadInput, DeviceError
from linesies.device.phones.inviting import invitation
from linesies.device.serving.weborder import PageOrder
from linesies.device.settings.settings import WebSettings
from linesies.referee.saying import Saying, Trouble
from linesies.web import addresses_at, addresses_for_phones, own_names

PORT_PATIENCE_S = 4.0  # the page of a referee that was killed a moment ago lets go of the port within seconds
PAUSE_S = 2.0
BACKLOG = 2048  # connections that may wait to be taken
FAREWELL_S = 4.0
LASTS_S = 30.0


class PortTaken(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """Another program listens where the page should be; the text says how to choose another port."""


class Face:
    """A served page; remembers its process, when it was last started, and whether people know that it had ended."""

    program = ("-m", "linesies.device.serving.webface")

    def __init__(self, state: Path, web: WebSettings) -> None:
        self._socket = bind(web)
        self.port = self._socket.getsockname()[1]
        order = order_for(state, web, self._socket)
        # -P: a folder named like one of ours, where the referee happens to be started, is not ours
        self._command = [sys.executable, "-P", *self.program, msgspec.json.encode(order).decode()]
        self._child: subprocess.Popen[bytes] | None = None
        self._started_s = 0.0
        self._is_told = False
        self.look_after()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Name the page's addresses: on this machine, and in the local network where it can be called from there."""
        return addresses_of(self._socket)

    @property
    def invitation(self) -> tuple[str, ...]:
        """Say where the page is, in lines for the device's own screen."""
        return tuple(invitation(self.addresses, addresses_for_phones(*self._socket.getsockname())))

    def look_after(self) -> list[Trouble]:
        """Start the page if it does not run; tells that it had ended by itself, and when it has lasted since."""
        if self._child is not None and self._child.poll() is None:
            return self._well_again()
        had_ended = self._child is not None
        if had_ended and time.monotonic() - self._started_s < PAUSE_S:
            return []
        if self._child is not None:
            _hang_up(self._child)
        self._started_s = time.monotonic()
        self._child = subprocess.Popen(  # noqa: S603 - our own module
            self._command, stdin=subprocess.PIPE, pass_fds=[self._socket.fileno()], start_new_session=True
        )
        self._is_told = had_ended
        return [Trouble("page", Saying("page_ended"))] if had_ended else []

    def _well_again(self) -> list[Trouble]:
        if not self._is_told or time.monotonic() - self._started_s < LASTS_S:
            return []
        self._is_told = False
        return [Trouble.over("page")]

    def close(self) -> None:
        """End the page and let go of the port."""
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(FAREWELL_S)
            except subprocess.TimeoutExpired:
                os.killpg(self._child.pid, 9)
                self._child.wait()
            _hang_up(self._child)
        self._socket.close()


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    """Let go of our end of its pipe, by which it knows that we are there."""
    if child.stdin is not None:
        child.stdin.close()


def order_for(state: Path, web: WebSettings, listening: socket.socket) -> PageOrder:
    """Say what is to be served, on which open socket, and to whom."""
    host, port = listening.getsockname()
    return PageOrder(
        state=str(state),
        socket=listening.fileno(),
        host=host,
        port=port,
        names=(*own_names(), *web.names),
        may_order=web.may_order,
        pairing=web.pairing,
    )


def addresses_of(listening: socket.socket) -> tuple[str, ...]:
    """Name a page's addresses: on this machine, and in the local network where it can be called from there."""
    return addresses_at(*listening.getsockname())


def bind(web: WebSettings) -> socket.socket:
    """Listen where settings say; raises BadInput for an address that is not ours, PortTaken for a port in use."""
    host, port = web.host, web.port
    until_s = time.monotonic() + PORT_PATIENCE_S
    while True:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(BACKLOG)
        except OSError as fault:
            listening.close()
            if fault.errno != errno.EADDRINUSE:
                raise BadInput(f"the page cannot listen on {host}:{port} ({fault.strerror}); choose another") from None
            if time.monotonic() > until_s:
                raise PortTaken(f"port {port} is in use by another program; choose one with --port") from None
            time.sleep(0.2)
        else:
            return listening
