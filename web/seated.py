"""Who can be asked by phone: the players for whom some paired phone plays."""

import time
from typing import Any

from linesies.web.ports import Now
from linesies.web.roles import Doorkeeper

KEPT_S = 2.0


class Seated:
    """The moment with `seated` added; remembers for two seconds who is, since the moment is asked for many times."""

    def __init__(self, now: Now, doorkeeper: Doorkeeper) -> None:
        self._now = now
        self._doorkeeper = doorkeeper
        self._seated: list[str] = []
        self._asked_s = -KEPT_S

    def __call__(self) -> dict[str, Any]:
        """Give the moment; where every phone may decide, nobody is without one, and none are named."""
        moment = self._now()
        if self._doorkeeper.is_open:
            return moment
        if time.monotonic() - self._asked_s >= KEPT_S:
            self._asked_s = time.monotonic()
            self._seated = sorted({seat for phone in self._doorkeeper.all() for seat in phone.role.seats})
        return {**moment, "seated": self._seated}
