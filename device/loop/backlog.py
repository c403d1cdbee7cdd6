"""What waits for the journal: kept in its order and tried again, so that a full disk costs no shot that was seen.

Memory is no journal: what waits here is lost if the power goes too. It was never announced, so nothing is taken back.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from linesies.device.errors import JournalFailed

AGAIN_S = 1.0
ALARM_EVERY_S = 10.0
MOST = 500  # acts that wait; a whole game has fewer

Act = Callable[[], object]


class Writer(Protocol):
    """Whose acts they are."""

    def catch_up(self) -> bool:
        """Take over what was written although it had seemed to fail; tells if there was anything."""
        ...

    def alarm(self, message: str) -> None:
        """Tell everyone that nothing can be written."""
        ...


class Backlog:
    """Does acts of one transaction each; remembers those that failed, why, and when it last gave the alarm."""

    def __init__(self, writer: Writer) -> None:
        self.fault: str | None = None
        self._writer = writer
        self._waiting: deque[Act] = deque(maxlen=MOST)
        self._is_first_tried = False
        self._again_s = 0.0
        self._alarm_s = float("-inf")

    @property
    def is_waiting(self) -> bool:
        """Tell whether something could not be written yet."""
        return bool(self._waiting)

    def keep(self, act: Act) -> None:
        """Do it after all that waits, now or once the journal can be written again."""
        self._waiting.append(act)
        if self.fault is None:
            self._work_off()

    def do(self, act: Act) -> None:
        """Do it now, unless the journal fails: who asks comes again."""
        if self.fault is None:
            self._try(act)

    def try_again(self) -> None:
        """Once a second, see whether the journal works again, and do what waits."""
        if self.fault is not None and time.monotonic() >= self._again_s and self._try(self._recover):
            self.fault = None
            self._work_off()

    def _recover(self) -> None:
        """Read what stands there: an act that seemed to fail may have been written after all. Then write again."""
        if self._writer.catch_up() and self._is_first_tried:
            self._waiting.popleft()
        self._is_first_tried = bool(self._waiting)
        if self._waiting:
            self._waiting[0]()
            self._waiting.popleft()
            self._is_first_tried = False

    def _work_off(self) -> None:
        while self._waiting and self._try(self._waiting[0]):
            self._waiting.popleft()
        self._is_first_tried = bool(self._waiting)

    def _try(self, act: Act) -> bool:
        try:
            act()
        except JournalFailed as fault:
            self.fault = str(fault)
            self._again_s = time.monotonic() + AGAIN_S
            if time.monotonic() >= self._alarm_s + ALARM_EVERY_S:
                self._alarm_s = time.monotonic()
                self._writer.alarm(self.fault)
            return False
        return True
