"""A page with a stage behind it: what the referee would tell, told by hand (tests/scenes.py); served on a free port."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from linesies.web import Anyone, create_app

NOTHING = {
    "game": None,
    "set_up": None,
    "state": None,
    "pending": [],
    "motions": [],
    "calls": {},
    "entries": [],
    "camera": {},
    "refusal": None,
}


def nothing_moves() -> dict[str, Any]:
    """Tell of this moment that the camera runs and sees nothing."""
    return {"t": time.monotonic(), "camera": "ok", "caps": {}, "signals": {}}


class Stage:
    """A journal, an inbox and a moment in memory; remembers what is told and what was ordered."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._story: dict[str, Any] = {"row": 0, **NOTHING}
        self.moment: dict[str, Any] = {}
        self.orders: list[tuple[dict[str, Any], str]] = []
        self.is_broken = False

    def tell(self, **parts: Any) -> int:
        """Write one row after which these parts of the story are so; returns its id."""
        with self._lock:
            self._story = {**self._story, **parts, "row": self._story["row"] + 1}
            return self._story["row"]

    def enter(self, **entry: Any) -> int:
        """Add one entry to the history, with the parts of the story given as `story`."""
        parts = entry.pop("story", {})
        row = self._story["row"] + 1
        whole = {"row": row, "about": row, "at": 1_763_650_000.0 + row, "origin": "vision", "refused": None}
        whole |= {"seen_as": entry.get("event"), "rulings": [], "corrected_by": None, "evidence": {}} | entry
        return self.tell(entries=[*self._story["entries"], whole], **parts)

    def last_id(self) -> int:
        if self.is_broken:
            raise OSError("the journal is gone")
        return self._story["row"]

    def story_json(self, seats=()) -> dict[str, Any]:
        return self._story

    def players(self):
        return tuple((self._story["game"] or {}).get("players", ()))

    def preview(self, _order):
        return None

    def standing_before(self, _row):
        return self._story["state"]

    def uncalled(self):
        return ()

    def games(self):
        return []

    def summary(self, _number):
        return None

    def events(self, _number, _seats=()):
        return None

    def submit(self, order: dict[str, Any], origin: str) -> int:
        self.orders.append((order, origin))
        return len(self.orders)

    def now(self) -> dict[str, Any]:
        return self.moment

    def app(self, *, may_order: bool = True, **settings: Any):
        settings.setdefault("doorkeeper", Anyone(may_order=may_order))
        return create_app(self, self.submit, self.now, **settings)


class _Quiet(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        pass


@contextmanager
def served(stage: Stage, port: int = 0, **settings: Any) -> Iterator[int]:
    """Serve a stage's page on 127.0.0.1; gives the port."""
    with serving(stage.app(**settings), port) as found:
        yield found


@contextmanager
def serving(app: Any, port: int = 0) -> Iterator[int]:
    """Serve an application on 127.0.0.1; gives the port."""
    server = make_server("127.0.0.1", port, app, threaded=True, request_handler=_Quiet)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
