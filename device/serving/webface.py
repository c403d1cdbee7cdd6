"""The web process: serves the page of one state folder, for a referee or alone.

A parent binds the port and hands the open socket down, so that a restarted page keeps it; and it holds
the other end of our standard input, so that we notice when it is gone, however it went. Alone, the page tells
systemd that it lives as long as it really answers. In both cases it ends when the journal is replaced
by another (mended, or brought back from a backup), to be started again on the new one.

It is gunicorn's worker without gunicorn's own process over it, which would cost a box 19 MB to start again what our
parent starts again anyway.
"""

import _thread
import logging
import os
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from gunicorn import systemd
from gunicorn.config import Config
from gunicorn.sock import create_sockets

from linesies.device.box.heart import Heart, open_heart
from linesies.device.memory import hold_little
from linesies.device.places import journal_file
from linesies.device.serving.weborder import PageOrder
from linesies.device.serving.webworker import Worker

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 4000
HALF_SENT_S = 5  # who has not sent a whole request by then is let go
GRACE_S = 2
LOOK_EVERY_S = 2.0
ANSWER_S = 5.0


class _Application:
    """What the worker serves; made once it has made waiting cheap, with those who watch over it beside it."""

    def __init__(self, order: PageOrder, watches: list[Callable[[], None]]) -> None:
        self._order, self._watches = order, watches

    def wsgi(self) -> "Flask":
        from linesies.device.serving.webapp import (  # noqa: PLC0415 - after the worker has made waiting cheap
            make_page,
        )

        for watch in self._watches:
            threading.Thread(target=watch, daemon=True).start()
        return make_page(self._order)


def serve_alone(order: PageOrder, address: str) -> None:
    """Serve until SIGTERM, without a referee as parent; `address` is where it is asked whether it answers."""
    _serve(order, [lambda: _beat_while_it_answers(open_heart(), address)])


def _serve(order: PageOrder, watches: list[Callable[[], None]]) -> None:
    config = Config()
    told = {
        "bind": f"fd://{order.socket}",
        "worker_connections": MOST_CONNECTIONS,
        "keepalive": HALF_SENT_S,
        "graceful_timeout": GRACE_S,
        "loglevel": "warning",
    }
    for name, value in told.items():
        config.set(name, value)
    log = config.logger_class(config)
    first = systemd.SD_LISTEN_FDS_START
    sockets = create_sockets(config, log, range(first, first + systemd.listen_fds()))
    application = _Application(order, [lambda: _end_with_journal(journal_file(Path(order.state))), *watches])
    Worker(1, os.getppid(), sockets, application, config.timeout, config, log).init_process()


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # returns when the parent's end of the pipe closes
    os.kill(os.getpid(), signal.SIGTERM)


def _end_with_journal(path: Path) -> None:
    known = None
    while (found := _identity(path)) is None or known in (None, found):
        known = found or known
        time.sleep(LOOK_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _identity(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _beat_while_it_answers(heart: Heart, address: str) -> None:
    has_answered = False
    while True:
        try:
            with urllib.request.urlopen(address, timeout=ANSWER_S) as answer:  # noqa: S310 - our own page
                answer.read()
            heart.beat("the page answers")
            has_answered = True
        except OSError as error:  # not yet, or no more: then systemd starts us again
            if has_answered:
                log.warning("the page answers no more: %s", error)
            has_answered = False
        time.sleep(LOOK_EVERY_S)


if __name__ == "__main__":
    hold_little()
    _thread.start_new_thread(_end_with_parent, ())  # threading would lose track of it: the worker renames its threads
    _serve(msgspec.json.decode(sys.argv[1], type=PageOrder), [])
