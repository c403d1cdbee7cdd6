"""Serves the hub by gunicorn: one process, a thread for each page that waits."""

from collections.abc import Callable

from flask import Flask
from gunicorn.app.base import BaseApplication

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
