"""Serves the hub by gunicorn: one process, a thread for each page that waits."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import Flask
from gunicorn.app.base import BaseApplication

from linesies.league.admission import Admission
from linesies.league.bell import Bell
from linesies.league.broker import broker_address
from linesies.league.fanout import FanOut
from linesies.league.hub import Others, create_hub
from linesies.league.organising import Organisers
from linesies.league.store import Store
from linesies.web import addresses_at

MOST_WAITING = 256  # pages and boards at once; a thread each


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
            "loglevel": "warning",
        }
        for name, value in given.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application."""
        return self._make()


@dataclass(frozen=True, slots=True, kw_only=True)
class Homes:
    """Where a hub keeps what it holds and the keys of names, and the addresses of who else is told."""

    database: str
    keys: Path
    broker: str | None = None
    fan_out: str | None = None


def serve_hub(homes: Homes, *, host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve a hub until it is told to end, and say its codes; raises BadInput for what it cannot reach or write."""
    with contextlib.closing(Store(homes.database, homes.keys)) as store:  # so that what is wrong is said here
        missing = store.names.without_keys()
    if missing:
        say(f"{homes.keys} lacks the keys of {missing} people: they are shown as Someone (see --keys)")
    if homes.broker is not None:
        broker_address(homes.broker)
    others = Others(broker=homes.broker, fan_out=FanOut(homes.fan_out) if homes.fan_out else None)
    say(f"The league's page is at {' and '.join(addresses_at(host, port))}")

    def make() -> Flask:
        def show(who: str) -> Callable[[str], None]:
            return lambda code: say(f"The code for {who}: {code[:3]} {code[3:]}")

        store, organisers = Store(homes.database, homes.keys), Organisers(Admission(show("the organiser's phone")))
        return create_hub(store, Admission(show("the next board")), Bell(store.engine), organisers, others)

    mine = os.getpid()
    try:
        HubServer(make, address=f"{host}:{port}").run()
    except SystemExit as ended:  # gunicorn's way to return
        if os.getpid() != mine:  # in its worker too: a fork, which must not end what we have begun
            os._exit(int(ended.code or 0))
