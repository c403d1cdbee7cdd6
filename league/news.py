"""The live feed: how things stand is told once, however many pages listen.

An engine for thousands (`fanout.py`) is told the same text whenever something has changed.
"""

import json
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

from linesies.league.bell import Bell
from linesies.league.fanout import FanOut

QUIET_S = 15.0  # after which a feed says that it lives


class News:
    """Remembers what was told last; follows the bell once anybody listens, and at once where an engine does."""

    def __init__(self, tell: Callable[[], Any], bell: Bell, fan_out: FanOut | None = None) -> None:
        self._tell = tell
        self._bell = bell
        self._told = threading.Condition()
        self._number = 0
        self._text = ""
        self._has_begun = False
        self._fan_out = fan_out
        self._fanned_out: Any = None
        if fan_out is not None:
            self._begin()

    def stream(self, is_there: Callable[[], bool]) -> Generator[str]:
        """Tell how things stand, at once and whenever something has changed, to whoever is there."""
        self._begin()
        heard = 0
        while not self._bell.is_closed and is_there():
            with self._told:
                self._told.wait_for(lambda: self._number > heard, QUIET_S)  # noqa: B023 - called at once
                text, heard = self._text if self._number > heard else "", self._number
            yield f"data: {text}\n\n" if text else ": quiet\n\n"

    def _begin(self) -> None:
        with self._told:
            has_begun, self._has_begun = self._has_begun, True
        if not has_begun:
            self._bell.follow(self._look, name="news", at_least_every_s=QUIET_S)

    def _look(self) -> None:
        told = self._tell()
        text = json.dumps({**told, "at": time.time()})
        with self._told:
            self._number, self._text = self._number + 1, text
            self._told.notify_all()
        if self._fan_out is not None and told != self._fanned_out:
            self._fan_out.tell(text)
            self._fanned_out = told
