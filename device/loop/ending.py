"""Ending on Ctrl-C or SIGTERM: between two turns of the loop, or in the middle of what takes too long, but always soon.

An interruption just anywhere may strike while a lock is held, which nobody can then take any more; so the loop asks at
a moment when nothing is half done. What was announced is durable, so in the end the kernel's alarm may cut all short.
"""

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

SOON_S = 0.7  # in which the loop should ask
LEAVING_S = 4.0  # for lamps, page, journal and camera; after that the process is ended as it is
ENDS = (signal.SIGINT, signal.SIGTERM)


class _Ending:
    """Remembers whether the process is to end, and whether it is leaving already; signals belong to the process."""

    def __init__(self) -> None:
        self.is_wanted = False
        self._is_leaving = False

    def ask(self, _number: int, _frame: FrameType | None) -> None:
        """Note that somebody wants us to end; a second time does not disturb the leaving."""
        if not self.is_wanted:
            self.is_wanted = True
            signal.setitimer(signal.ITIMER_REAL, SOON_S)

    def insist(self, _number: int, _frame: FrameType | None) -> None:
        """Leave whatever is being done."""
        self.leave()

    def leave(self) -> None:
        """Raise KeyboardInterrupt, once, and see to it that the leaving does not hang."""
        if not self._is_leaving:
            self._is_leaving = True
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, LEAVING_S)
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Begin anew, without an alarm."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.is_wanted = self._is_leaving = False


_ENDING = _Ending()


def leave_if_asked() -> None:
    """Raise KeyboardInterrupt if somebody wants us to end; called where nothing is half done."""
    if _ENDING.is_wanted:
        _ENDING.leave()


@contextlib.contextmanager
def until_ended(say: Callable[[str], None]) -> Iterator[None]:
    """Run until Ctrl-C or SIGTERM, and leave quietly within seconds."""
    _ENDING.forget()
    signal.signal(signal.SIGALRM, _ENDING.insist)
    for number in ENDS:
        signal.signal(number, _ENDING.ask)
    try:
        yield
    except KeyboardInterrupt:
        for number in ENDS:
            signal.signal(number, signal.SIG_IGN)
        say("Ended.")
    finally:
        _ENDING.forget()
