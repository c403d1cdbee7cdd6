"""The page's worker: a greenlet a connection, so that whoever is slow costs next to nothing and keeps nobody waiting.

A request is read as a whole within a few seconds or dropped. When very many connections wait with half a request,
the one that has waited longest goes first: a phone sends its own in an instant.
"""

import contextlib
import resource
import signal
import socket
from typing import Any

from gunicorn.http.message import Request
from gunicorn.workers.ggevent import GeventWorker

MOST_UNREAD = 1024
READ_S = 10.0  # for the body of a request, and between two pieces of an answer
OPEN_FILES = 16_384
HANGS_S = 30


class Worker(GeventWorker):
    """Remembers who has connected and not yet sent a whole request, the longest waiting first."""

    def init_process(self) -> None:
        """Allow as many open connections as the system does, then begin."""
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        self._unread: dict[socket.socket, None] = {}
        super().init_process()

    def notify(self) -> None:
        """Tell that the loop turns, once a second; when it has hung for long, the kernel's alarm ends the process."""
        signal.alarm(HANGS_S)
        super().notify()

    def handle(self, listener: socket.socket, client: socket.socket, addr: Any) -> None:
        """Serve a connection; in its place another may be dropped that has not sent its request."""
        self._unread[client] = None
        if len(self._unread) > MOST_UNREAD:
            self._drop(next(iter(self._unread)))
        try:
            super().handle(listener, client, addr)
        finally:
            self._unread.pop(client, None)

    def handle_request(self, listener_name: str, req: Request, sock: socket.socket, addr: Any) -> None:
        """Answer one request, whose head has been read."""
        self._unread.pop(sock, None)
        sock.settimeout(READ_S)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            self.log.debug("Let go of one that sent or took nothing for too long.")
            raise StopIteration from None  # how gunicorn is told to close the connection
        self._unread[sock] = None

    def _drop(self, client: socket.socket) -> None:
        """Let its greenlet read an end and go: through a second handle, since on its own that counts as a failure."""
        del self._unread[client]
        with contextlib.suppress(OSError), client.dup() as same:
            same.shutdown(socket.SHUT_RDWR)
