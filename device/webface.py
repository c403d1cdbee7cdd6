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
from typing import Any

import msgspec
from flask import Flask
from gunicorn.app.base import BaseApplication

from device.heart import Heart, open_heart
from device.journal.journal import Journal
from device.journal.moment import read_moment
from device.journal.snapshot import story_json
from device.journal.story import Story, story_of
from device.places import evidence_folder, journal_file
from web import create_app

MAX_STREAMS = 200
OTHER_THREADS = 32
GRACE_S = 2
LOOK_EVERY_S = 2.0
ANSWER_S = 5.0


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the parent wants served: the state folder, on which open socket, and to whom."""

    state: str
    socket: int
    names: tuple[str, ...]
    may_order: bool


class JournalFace:
    """A journal as the page reads it; remembers the story up to the last row it was asked for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._story = Story()
        self._lock = threading.Lock()

    def last_id(self) -> int:
        """Return the newest row's id, 0 when nothing is written."""
        return self._journal.last_id()

    def story_json(self) -> dict[str, Any]:
        """Fold what is new and write the whole story."""
        with self._lock:
            self._story = story_of(self._journal, self._story)
            return story_json(self._story)


def make_app(order: Order) -> Flask:
    """Join the page to the journal, the inbox and the moment of a state folder."""
    state = Path(order.state)
    path = journal_file(state)
    journal = Journal(path)
    return create_app(
        JournalFace(journal),
        journal.submit,
        lambda: read_moment(str(path)),
        evidence_dir=evidence_folder(state),
        allowed_hosts=order.names,
        may_order=order.may_order,
        max_streams=MAX_STREAMS,
    )


class _Server(BaseApplication):
    def __init__(self, order: Order) -> None:
        self._order = order
        super().__init__()

    def load_config(self) -> None:
        told = {
            "bind": f"fd://{self._order.socket}",
            "worker_class": "gthread",
            "workers": 1,
            "threads": MAX_STREAMS + OTHER_THREADS,
            "graceful_timeout": GRACE_S,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        for name, value in told.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Flask:
        return make_app(self._order)


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
