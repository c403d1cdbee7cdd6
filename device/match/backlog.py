"""What waits for the journal: kept in its order and tried again, so that a full disk costs no shot that was seen.

Memory is no journal: what waits here is lost if the power goes too. It was never announced, so nothing is taken back.
"""

import time
from collections import deque
from collections.abc import Callable

from device.errors import JournalFailed

AGAIN_S = 1.0
ALARM_EVERY_S = 10.0
MOST = 500  # acts that wait; a whole game has fewer

Act = Callable[[], object]


class Backlog:
    """Does acts that write; remembers those that could not, why, and when it last gave the alarm."""

    def __init__(self, alarm: Callable[[str], None]) -> None:
        self.fault: str | None = None
        self._alarm = alarm
        self._waiting: deque[Act] = deque(maxlen=MOST)
        self._again_s = 0.0
        self._alarm_s = float("-inf")

    @property
    def is_waiting(self) -> bool:
        """Tell whether something could not be written yet."""
        return bool(self._waiting)

    def keep(self, act: Act) -> None:
        """Do it after all that waits, now or once the journal can be written again."""
        self._waiting.append(act)
        if len(self._waiting) == 1:
            self._work_off()

    def do(self, act: Act) -> None:
        """Do it now, unless something waits; leave it when the journal refuses: who asks comes again."""
        if not self._waiting and time.monotonic() >= self._again_s:
            self._waiting.append(act)
            self._work_off()
            self._waiting.clear()

    def try_again(self) -> None:
        """Do what waits, once a second."""
        if self._waiting and time.monotonic() >= self._again_s:
            self._work_off()

    def _work_off(self) -> None:
        try:
            while self._waiting:
                self._waiting[0]()
                self._waiting.popleft()
        except JournalFailed as fault:
            self.fault = str(fault)
            self._again_s = time.monotonic() + AGAIN_S
            if time.monotonic() >= self._alarm_s + ALARM_EVERY_S:
                self._alarm_s = time.monotonic()
                self._alarm(self.fault)
        else:
            self.fault = None
            self._again_s = 0.0
