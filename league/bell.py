"""Rings whenever a board has told something, in this process or another: PostgreSQL's NOTIFY, heard by one thread."""

import logging
import threading
from collections.abc import Callable

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from linesies.league.errors import LeagueError
from linesies.league.store import CHANNEL

log = logging.getLogger(__name__)

AGAIN_S = 1.0
LISTEN_S = 1.0
REST_S = 0.3  # of those who follow, however fast boards play
FAREWELL_S = 5.0


class Bell:
    """Counts the rings; whoever waits is woken by the next one."""

    def __init__(self, engine: Engine) -> None:
        url = engine.url.set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._rung = threading.Condition()
        self._count = 0
        self._over = threading.Event()
        self._followers: list[threading.Thread] = []
        threading.Thread(target=self._listen, name="bell", daemon=True).start()

    @property
    def count(self) -> int:
        """How often it has rung."""
        return self._count

    def wait(self, beyond: int, patience_s: float) -> int:
        """Wait until it has rung more often than that, or no longer than so many seconds; gives the count."""
        with self._rung:
            self._rung.wait_for(lambda: self._count > beyond, patience_s)
            return self._count

    def ring(self) -> None:
        """Ring it."""
        with self._rung:
            self._count += 1
            self._rung.notify_all()

    @property
    def is_closed(self) -> bool:
        """Tell whether it will never ring again."""
        return self._over.is_set()

    def follow(self, do: Callable[[], None], *, name: str, at_least_every_s: float) -> None:
        """Do something on a thread of its own whenever it has rung, and at least so often, until it is closed."""
        thread = threading.Thread(target=self._follow, args=(do, name, at_least_every_s), name=name, daemon=True)
        self._followers.append(thread)
        thread.start()

    def close(self) -> None:
        """Listen no more, and let those who follow finish."""
        self._over.set()
        self.ring()
        for thread in self._followers:
            thread.join(FAREWELL_S)

    def _follow(self, do: Callable[[], None], name: str, at_least_every_s: float) -> None:
        count, told = -1, ""
        while not self.is_closed:
            count = self.wait(count, at_least_every_s)
            try:
                do()
            except OperationalError as fault:
                if told != "database":
                    log.warning("%s waits for the database: %s", name, str(fault.orig).partition("\n")[0])
                told = "database"
            except LeagueError as fault:
                if told != str(fault):
                    log.warning("%s: %s; it is tried again", name, fault)
                told = str(fault)
            except Exception:
                if told != "fault":
                    log.exception("%s failed, and is tried again", name)
                told = "fault"
            else:
                told = ""
            self._over.wait(REST_S)

    def _listen(self) -> None:
        is_told = False
        while not self._over.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    is_told = False
                    self.ring()  # whatever was told meanwhile
                    while not self._over.is_set():
                        for _ in connection.notifies(timeout=LISTEN_S, stop_after=1):
                            self.ring()
            except (psycopg.Error, OSError) as fault:
                if not is_told:
                    log.warning("the database does not answer, and is asked again: %s", str(fault).partition("\n")[0])
                is_told = True
                self._over.wait(AGAIN_S)
