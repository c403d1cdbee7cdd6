"""Serves the hub by gunicorn: one process, a thread for each page that waits."""

import contextlib
import logging
import os
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from linesies.league.admission import Admission
from linesies.league.bell import Bell
from linesies.league.broker import broker_address
from linesies.league.errors import NoAnswer
from linesies.league.fanout import FanOut
from linesies.league.files import Room
from linesies.league.hub import Others, create_hub
from linesies.league.organising import Organisers
from linesies.league.store import Store
from linesies.referee.addresses import place_of
from linesies.web import addresses_at

MOST_WAITING = 256  # pages and boards at once; a thread each
STARTS_S, AGAIN_S = 60.0, 0.5  # for how long the database is waited for, and how often it is asked
NEXT_S = 10  # a board's next message on its connection is waited for; over a bad line it takes some
STALLED_S = 20  # whoever stops in the middle of a message has gone, or holds a thread that others wait for
DEAD_S = 60  # whoever does not even acknowledge what is sent has gone


class HubServer(BaseApplication):
    """Makes the application in the process that serves it, and serves it until it is told to end."""

    def __init__(self, make: Callable[[], Flask], *, address: str) -> None:
        self._make = make
        self._address = address
        super().__init__()

    def load_config(self) -> None:
        """Say how it is served."""
        given = {
            "bind": self._address,
            "worker_class": "gthread",
            "workers": 1,
            "threads": MOST_WAITING,
            "graceful_timeout": 2,
            "keepalive": NEXT_S,
            "when_ready": _give_up_in_time,
            "loglevel": "warning",
        }
        for name, value in given.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application."""
        return self._make()


def _give_up_in_time(server: Any) -> None:
    """Let no connection outlast whoever is at its other end: each has these settings of the one that listens."""
    for listener in server.LISTENERS:
        options = (
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", STALLED_S, 0)),
            (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, DEAD_S // 2),
            (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, DEAD_S // 6),
            (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3),
            (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_S * 1000),
        )
        for level, name, value in options:
            listener.sock.setsockopt(level, name, value)
    server.log.error_log.addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Tell whether something has gone wrong, and not only somebody gone away."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))


@dataclass(frozen=True, slots=True, kw_only=True)
class Homes:
    """Where a hub keeps what it holds, the keys of names and files of calls, and the addresses of who else is told."""

    database: str
    keys: Path
    broker: str | None = None
    fan_out: str | None = None
    room: Room = field(default_factory=Room)


def open_store(homes: Homes, say: Callable[[str], None]) -> Store:
    """Open the hub's database; one that does not answer is waited for a while, for it may be starting too."""
    until_s, is_said = time.monotonic() + STARTS_S, False
    while True:
        try:
            return Store(homes.database, homes.keys)
        except NoAnswer as fault:
            if time.monotonic() > until_s:
                raise
            if not is_said:
                say(f"{fault}; it is waited for {STARTS_S:.0f} s")
            is_said = True
            time.sleep(AGAIN_S)


def serve_hub(homes: Homes, *, host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve a hub until it is told to end, and say its codes; raises BadInput for what it cannot reach or write."""
    with contextlib.closing(open_store(homes, say)) as store:  # so that what is wrong is said here
        keyless = store.keyless
    if keyless:
        say(f"{homes.keys} lacks the keys of {keyless} people: they are shown as Someone (see --keys)")
    if homes.broker is not None:
        broker_address(homes.broker)
    others = Others(broker=homes.broker, fan_out=FanOut(homes.fan_out) if homes.fan_out else None, room=homes.room)
    place_of(homes.room.address)
    say(f"The league's page is at {' and '.join(addresses_at(host, port))}")

    def make() -> Flask:
        def show(who: str) -> Callable[[str], None]:
            return lambda code: say(f"The code for {who}: {code[:3]} {code[3:]}")

        store, organisers = open_store(homes, say), Organisers(Admission(show("the organiser's phone")))
        return create_hub(store, Admission(show("the next board")), Bell(store.engine), organisers, others)

    mine = os.getpid()
    try:
        HubServer(make, address=f"{host}:{port}").run()
    except SystemExit as ended:  # gunicorn's way to return
        if os.getpid() != mine:  # in its worker too: a fork, which must not end what we have begun
            os._exit(int(ended.code or 0))
