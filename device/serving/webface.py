"""The web process: serves the page of one state folder under gunicorn, for a referee or alone.

A parent binds the port and hands the open socket down, so that a restarted page keeps it; and it holds
the other end of our standard input, so that we notice when it is gone, however it went. Alone, the page tells
systemd that it lives as long as it really answers. In both cases it ends when the journal is replaced
by another (mended, or brought back from a backup), to be started again on the new one.
"""

import os
import signal
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from gunicorn.app.base import BaseApplication

from device.box.heart import Heart, open_heart
from device.places import journal_file
from device.serving.weborder import Order

if TYPE_CHECKING:
    from flask import Flask

MOST_CONNECTIONS = 4000
HALF_SENT_S = 5  # who has not sent a whole request by then is let go
GRACE_S = 2
LOOK_EVERY_S = 2.0
ANSWER_S = 5.0


class _Server(BaseApplication):
    def __init__(self, order: Order) -> None:
        self._order = order
        super().__init__()

    def load_config(self) -> None:
        told = {
            "bind": f"fd://{self._order.socket}",
            "worker_class": "device.serving.webworker.Worker",
            "workers": 1,
            "worker_connections": MOST_CONNECTIONS,
            "keepalive": HALF_SENT_S,
            "graceful_timeout": GRACE_S,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        for name, value in told.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> "Flask":
        from device.serving.webapp import make_page  # noqa: PLC0415 - after the worker has made waiting cheap

        return make_page(self._order)


def serve_alone(order: Order, address: str) -> None:
    """Serve until SIGTERM, without a referee as parent; `address` is where it is asked whether it answers."""
    threading.Thread(target=_beat_while_it_answers, args=(open_heart(), address), daemon=True).start()
    _serve(order)


def _serve(order: Order) -> None:
    threading.Thread(target=_end_with_journal, args=(journal_file(Path(order.state)),), daemon=True).start()
    _Server(order).run()


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
    while True:
        try:
            with urllib.request.urlopen(address, timeout=ANSWER_S) as answer:  # noqa: S310 - our own page
                answer.read()
            heart.beat("the page answers")
        except OSError:
            pass  # not yet, or no more: then systemd starts us again
        time.sleep(LOOK_EVERY_S)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _serve(msgspec.json.decode(sys.argv[1], type=Order))
