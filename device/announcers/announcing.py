"""Telling everyone: each announcer listens on a thread of its own, so that none can stop or delay the game.

An announcer is handed rows after they are durable, those of several transactions at once when it is behind. One that
raises is told again next time; one that blocks misses what no longer fits its queue (who missed something reads the
journal: all since id).
"""

import queue
import threading
from collections.abc import Sequence
from typing import Protocol

from linesies.referee.rows import Row
from linesies.referee.saying import Saying, Trouble

PATIENCE = 256  # transactions that may wait for one announcer
FAREWELL_S = 1.0


class Announcer(Protocol):
    """Whoever tells people what was ruled: lamps, a file, a broker."""

    name: str

    def announce(self, rows: Sequence[Row]) -> None:
        """Tell the rows of one transaction, or of several after a delay; may take its time, may raise."""
        ...

    def close(self) -> None:
        """Fall silent and let go of pins, files and lines."""
        ...


class Announcers:
    """Fans out to all announcers; remembers a queue and the last trouble of each."""

    def __init__(self, announcers: Sequence[Announcer], patience: int = PATIENCE) -> None:
        self._troubles: queue.SimpleQueue[Trouble] = queue.SimpleQueue()
        self._desks = [_Desk(announcer, self._troubles, patience) for announcer in announcers]

    def announce(self, rows: Sequence[Row]) -> None:
        """Hand rows to everyone and return at once."""
        if rows:
            for desk in self._desks:
                desk.hand_in(rows)

    def troubles(self) -> list[Trouble]:
        """Take the troubles since the last time; one that repeats itself is told once."""
        told = []
        while not self._troubles.empty():
            told.append(self._troubles.get())
        return told

    def close(self) -> None:
        """Let each announcer finish what waits for it, for a moment."""
        for desk in self._desks:
            desk.hand_in(None)
        for desk in self._desks:
            desk.join(FAREWELL_S)


class _Desk(threading.Thread):
    def __init__(self, announcer: Announcer, troubles: "queue.SimpleQueue[Trouble]", patience: int) -> None:
        super().__init__(name=f"announcer {announcer.name}", daemon=True)
        self._announcer = announcer
        self._troubles = troubles
        self._waiting: queue.SimpleQueue[Sequence[Row] | None] = queue.SimpleQueue()
        self._patience = patience
        self._last_trouble: Saying | None = None
        self.start()

    def hand_in(self, rows: Sequence[Row] | None) -> None:
        if rows is not None and self._waiting.qsize() >= self._patience:
            self._tell_trouble(Saying("too_slow"))
        else:
            self._waiting.put(rows)

    def run(self) -> None:
        is_over = False
        while not is_over:
            rows, is_over = self._all_waiting()
            try:
                if rows:
                    self._announcer.announce(rows)
                    self._tell_well()
            except Exception as fault:  # noqa: BLE001 - whatever an announcer does, the game goes on
                self._tell_trouble(_failure(fault))
        try:
            self._announcer.close()
        except Exception as fault:  # noqa: BLE001 - likewise
            self._tell_trouble(_failure(fault))

    def _all_waiting(self) -> tuple[list[Row], bool]:
        """Wait for news and take all there is, so that a slow one catches up; tells too whether it is the end."""
        batches = [self._waiting.get()]
        while not self._waiting.empty():
            batches.append(self._waiting.get())
        return [row for rows in batches if rows is not None for row in rows], batches[-1] is None

    def _tell_well(self) -> None:
        if self._last_trouble is not None:
            self._last_trouble = None
            self._troubles.put(Trouble.over(self._announcer.name))

    def _tell_trouble(self, saying: Saying) -> None:
        if saying != self._last_trouble:
            self._last_trouble = saying
            self._troubles.put(Trouble(self._announcer.name, saying))


def _failure(fault: Exception) -> Saying:
    return Saying("fails", why=f"{type(fault).__name__}: {fault}")
