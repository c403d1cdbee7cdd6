"""The moment: how things stand right now, in a small file that is replaced, never kept.

It lies beside the journal, or where systemd gives us room in memory: a card would wear out, and may be full.

Not journaled: it is out of date as soon as it is read. The page shows gliding caps and virtual lamps from it.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PERIOD_S = 0.05
NOTHING: Mapping[str, Any] = {
    "t": 0.0,
    "at_rest": True,
    "caps": {},
    "signals": {},
    "camera": "lost",
    "in_air": None,
    "fps": 0.0,
}


def moment_path(journal_path: str) -> Path:
    """Name the moment's file of a journal."""
    room = os.environ.get("RUNTIME_DIRECTORY")
    beside = Path(f"{journal_path}.now")
    return Path(room) / beside.name if room else beside


class MomentWriter:
    """Writes the moment at most 20 times a second, lamps and buzzer as `shown` tells; remembers when it last did."""

    def __init__(self, journal_path: str, shown: Callable[[], Mapping[str, str]]) -> None:
        self._shown = shown
        self._path = moment_path(journal_path)
        self._beside = Path(f"{self._path}.new")
        self._next_s = 0.0

    @property
    def is_due(self) -> bool:
        """Tell whether it is time to write again."""
        return time.monotonic() >= self._next_s

    def write(self, moment: Mapping[str, Any]) -> None:
        """Replace the file as a whole; a full disk costs the live picture, not the game."""
        self._next_s = time.monotonic() + PERIOD_S
        try:
            self._beside.write_text(json.dumps({**moment, "signals": dict(self._shown())}))
            self._beside.replace(self._path)
        except OSError:
            self._next_s += 1.0


def read_moment(journal_path: str) -> dict[str, Any]:
    """Read the moment; without a file, nothing is going on and there is no camera."""
    try:
        return json.loads(moment_path(journal_path).read_text())
    except (OSError, ValueError):
        return dict(NOTHING)
